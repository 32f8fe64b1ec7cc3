"""What a site's host sends with its documents: their encoding, and their Content Security Policies.

The encoding asked for (`--encoding`) takes precedence over everything except a byte order mark. Next is a
`Content-Type` field that the host is configured to send (`_headers`, or `Header` in `.htaccess`), of which the last
counts; then other rules in `.htaccess`; then what the host sends by default with all files of type text/*. If nothing
sets an encoding, the document itself declares it. A label that names no encoding is ignored, as in browsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rehref.documents.media_types import MediaType
from rehref.files.file_errors import FileError
from rehref.site._grounds.files import FetchedPage, Files, Types
from rehref.site._hosts.directories import Directories
from rehref.site._hosts.host_files import HTACCESS, host_files, read_host_file
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import Redirects
from rehref.text.encoding import lookup

if TYPE_CHECKING:
    from rehref.site._hosts.header_files import HostField

_MOST_VARIABLES = 3


class _Sent(NamedTuple):
    """A header field: the paths that it is sent for, from a slash on; its name in lower case, and its value."""

    paths: re.Pattern[str]
    name: str
    value: str


class SentFields(NamedTuple):
    """What is sent with the documents of a site, as far as it is known.

    `asked`: the encoding of all of them, from the option. `sent`: the fields. `said`: from `.htaccess`.
    `of_host`: the host's default. `index_names`: those of the host. `types`: the types of the files. `fetched`: pages
    that were fetched, with what was sent with them; nothing else is asked then.
    """

    asked: str | None = None
    sent: tuple[_Sent, ...] = ()
    said: Directories | None = None
    of_host: str | None = None
    index_names: tuple[str, ...] = ()
    types: Types = Types()
    fetched: Mapping[str, FetchedPage] | None = None

    def policies(self, path: str) -> tuple[str, ...]:
        """Return the Content Security Policies that are sent with the document at a path below the folder."""
        if self.fetched is not None:
            return self.fetched[path].policies if path in self.fetched else ()
        return tuple(
            one.value for one in self.sent if one.name == "content-security-policy" and self._is_for(one, path)
        )

    def charset(self, path: str) -> str | None:
        """Return the label of the encoding of the document at a path below the folder; None: not set."""
        if self.fetched is not None and self.asked is None:
            return self.fetched[path].charset if path in self.fetched else None
        if self.asked is not None or not (self.sent or self.said is not None or self.of_host is not None):
            return self.asked
        media_type = self.types.of(path)
        if media_type is None:
            return None
        labels = [
            MediaType.charset_of(one.value)
            for one in reversed(self.sent)
            if one.name == "content-type" and MediaType.of(one.value) == media_type and self._is_for(one, path)
        ]
        if self.said is not None:
            labels.append(self.said.charset(path, media_type) or "")
        if self.of_host is not None and media_type.startswith("text/"):
            labels.append(self.of_host)
        return next(filter(None, map(lookup, labels)), None)

    def _is_for(self, sent: _Sent, path: str) -> bool:
        """Whether a field is sent with what is at a path.

        A field counts for documents of its own type only, since it may be in a section for other files. A rule of
        `_headers` may be for the path of the file, the same without `.html`, or the path of the folder whose index it
        is.
        """
        folder, slash, name = path.rpartition("/")
        paths = [path, path.removesuffix(".html")]
        if name in self.index_names:
            paths.append(folder + slash)
        return any(sent.paths.fullmatch("/" + each) for each in paths)


def read_sent_fields(
    folder: Path, files: Files, host: Host, redirects: Redirects | None, asked: str | None = None
) -> SentFields:
    """Read the files of a folder that configure its host. `asked`: as in `SentFields`. Raises nothing."""
    sent = tuple(one for path in host_files(host.header_file, files.paths) for one in _sent(folder, path))
    said = None if redirects is None else redirects.directories
    return SentFields(asked, sent, said, host.charset, host.index_names, files.types)


def _sent(folder: Path, path: str) -> Iterator[_Sent]:
    """Yield the fields in a file that matter here. An unreadable file is reported where its links are checked."""
    try:
        data = read_host_file(folder, path)
    except FileError:
        return
    from rehref.site._hosts.header_files import fields_of  # few sites have such files

    for each in fields_of(path, data, "/" + path.removesuffix(HTACCESS)):
        name = each.name.lower()
        pattern = _pattern(each) if name in ("content-type", "content-security-policy") else None
        if pattern is not None:
            yield _Sent(pattern, name, each.value.decode("latin-1").strip())


def _pattern(sent: HostField) -> re.Pattern[str] | None:
    """Return the paths that a field is sent for; None if they are not matched.

    A rule with more than `_MOST_VARIABLES` could take long, and is ignored.
    """
    from rehref.site._hosts.header_files import VARIABLE

    parts: list[str] = []
    at = 0
    for count, variable in enumerate(VARIABLE.finditer(sent.path)):
        if count == _MOST_VARIABLES:
            return None
        parts += (re.escape(sent.path[at : variable.start()]), "[^/]+" if variable[1] is None else ".*")
        at = variable.end()
    return re.compile("".join(parts) + re.escape(sent.path[at:]), re.DOTALL)
