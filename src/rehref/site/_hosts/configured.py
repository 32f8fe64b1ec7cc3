"""What the files of a folder configure for its host: its rules, redirections, and settings of folders.

Only files that the host uses are read. Paths in `.htaccess`, and in `_redirects` on GitLab Pages, begin at the root of
the host, so they begin with the path of the site (`Host.redirects_on_host`); in all other files they begin at the
folder, which is always the root of its host. Without a site URL, the folder counts as the root. A file that cannot be
read is unread, like a line with a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from rehref.files.file_errors import FileError
from rehref.site._hosts.host_files import host_files, read_host_file
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, Redirects, Unread, root_of


def read_redirects(
    folder: Path, paths: AbstractSet[str], host: Host, site_uri: str, contents: Mapping[str, bytes] | None = None
) -> Redirects | None:
    """Return the redirections of a folder: `_redirects`, then `netlify.toml` (Netlify), or `vercel.json`, or every
    `.htaccess`.

    Of the latter, the one in the deepest folder comes first.
    """
    files = [path for name in host.redirect_files for path in host_files(name, paths)]
    if not files:
        return None
    found = FoundRules()
    for path in files:
        try:
            given = None if contents is None else contents.get(path)
            add_rules(found, path, read_host_file(folder, path) if given is None else given, host, site_uri)
        except FileError as error:
            found.unread.append(Unread(path, None, str(error)))
    found.rules.sort(key=lambda rule: -rule.within.count("/"))
    return Redirects(found, root_of(site_uri) if host.redirects_on_host else "/")


def add_rules(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    """Add what the file at a path below the folder says to its host. `site_uri`: the URI of the folder."""
    from rehref.site._hosts.formats.all_formats import format_of

    form = format_of(path)
    if form is not None:
        form.read(found, path, data, host, site_uri)


def with_settings(host: Host, folder: Path, paths: Collection[str]) -> Host:
    """Return the host, with the rules replaced that its file in the folder sets. Raises nothing."""
    if host.settings is None or host.settings_file is None or host.settings_file not in paths:
        return host
    try:
        return host._replace(**host.settings(read_host_file(folder, host.settings_file)))
    except FileError:
        return host
