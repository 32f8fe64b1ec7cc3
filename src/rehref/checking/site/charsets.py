"""The encoding in which a site's documents are sent, as far as the host sets it (HTTP, `Content-Type: …; charset=`).

1. The encoding asked for (`--encoding`) takes precedence over everything except a byte order mark. Next is a
   `Content-Type` field that the host is configured to send (`_headers`, or `Header` in `.htaccess`), of which the last
   counts; then other rules in `.htaccess`; then what the host sends by default with all files of type text/*. If
   nothing sets an encoding, the document itself declares it.
2. A field counts for documents of its own type only, since it may be in a section for other files. A rule of `_headers`
   may be for the path of the file, the same without `.html`, or the path of the folder whose index it is. A rule with
   more than a few variables could take long, and is ignored.
3. A label that names no encoding is ignored, as in browsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rehref.checking.hosting.directories import Directories
from rehref.checking.hosting.host_files import HTACCESS, host_files, read_host_file
from rehref.checking.hosting.hosts import Host
from rehref.checking.hosting.redirects import Redirects
from rehref.checking.site.files import Files, Types
from rehref.documents.media_types import essence
from rehref.files.file_errors import FileError
from rehref.text.encoding import lookup, named

if TYPE_CHECKING:
    from rehref.checking.hosting.header_files import HostField

_MOST_VARIABLES = 3


class _Sent(NamedTuple):
    """A `Content-Type` field: the paths that it is sent for, from a slash on; its type; the encoding it names."""

    paths: re.Pattern[str]
    media_type: str
    charset: str


class Charsets(NamedTuple):
    """The known encodings in which the documents of a site are sent.

    `asked`: for all of them, from the option. `sent`: the fields, the last of which counts. `said`: from `.htaccess`.
    `of_host`: the host's default. `index_names`: those of the host. `types`: the types of the files. `by_path`: for
    documents that were fetched, the labels sent with them; nothing else is asked then.
    """

    asked: str | None = None
    sent: tuple[_Sent, ...] = ()
    said: Directories | None = None
    of_host: str | None = None
    index_names: tuple[str, ...] = ()
    types: Types = Types()
    by_path: Mapping[str, str] | None = None

    def of(self, path: str) -> str | None:
        """Return the label of the encoding of the document at a path below the folder; None: not set."""
        if self.by_path is not None and self.asked is None:
            label = self.by_path.get(path)
            return None if label is None or lookup(label) is None else label
        if self.asked is not None or not (self.sent or self.said is not None or self.of_host is not None):
            return self.asked
        media_type = self.types.of(path)
        if media_type is None:
            return None
        labels = [one.charset for one in reversed(self.sent) if self._is_for(one, path, media_type)]
        if self.said is not None:
            labels.append(self.said.charset(path, media_type) or "")
        if self.of_host is not None and media_type.startswith("text/"):
            labels.append(self.of_host)
        return next((label for label in labels if lookup(label) is not None), None)

    def _is_for(self, sent: _Sent, path: str, media_type: str) -> bool:
        """Whether a field is sent with a document (rule 2)."""
        if sent.media_type != media_type:
            return False
        folder, slash, name = path.rpartition("/")
        paths = [path, path.removesuffix(".html")]
        if name in self.index_names:
            paths.append(folder + slash)
        return any(sent.paths.fullmatch("/" + each) for each in paths)


def read_charsets(
    folder: Path, files: Files, host: Host, redirects: Redirects | None, asked: str | None = None
) -> Charsets:
    """Read the files of a folder that configure its host. `asked`: as in `Charsets`. Raises nothing."""
    sent = tuple(one for path in host_files(host.header_file, files.paths) for one in _sent(folder, path))
    said = None if redirects is None else redirects.directories
    asked = None if asked is None else named(asked) or asked
    return Charsets(asked, sent, said, host.charset, host.index_names, files.types)


def _sent(folder: Path, path: str) -> Iterator[_Sent]:
    """Yield the `Content-Type` fields in a file. An unreadable file is reported where its links are checked."""
    try:
        data = read_host_file(folder, path)
    except FileError:
        return
    from rehref.checking.hosting.header_files import fields_of  # few sites have such files
    from rehref.text.header_fields import charset_of

    for each in fields_of(path, data, "/" + path.removesuffix(HTACCESS)):
        if each.name.lower() == "content-type":
            value = each.value.decode("latin-1")
            pattern, charset = _pattern(each), charset_of(value)
            if pattern is not None and charset is not None:
                yield _Sent(pattern, essence(value), charset)


def _pattern(sent: HostField) -> re.Pattern[str] | None:
    """Return the paths that a field is sent for; None if they are not matched (rule 2)."""
    from rehref.checking.hosting.header_files import VARIABLE

    parts: list[str] = []
    at = 0
    for count, variable in enumerate(VARIABLE.finditer(sent.path)):
        if count == _MOST_VARIABLES:
            return None
        parts += (re.escape(sent.path[at : variable.start()]), "[^/]+" if variable[1] is None else ".*")
        at = variable.end()
    return re.compile("".join(parts) + re.escape(sent.path[at:]), re.DOTALL)
