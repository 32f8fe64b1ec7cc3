"""Which encoding a site's documents are sent in, as far as the host says it (HTTP, `Content-Type: …; charset=`).

1. What was asked for (`--encoding`) goes before everything but a byte order mark; then a `Content-Type` field that the
   host is told to send (`_headers`, or `Header` in `.htaccess`), of which the last counts; then what else `.htaccess`
   says; then what the host sends of itself with all files of type text/*. Where nothing is said, the document itself
   is to say it.
2. A field counts for a document of its own type only: it may stand in a section for other files. A rule of `_headers`
   may be for the path of the file, the same without `.html`, or that of the folder whose index it is. A rule with more
   than a few variables could take long, and is ignored.
3. A label that names no encoding is ignored, as browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rehref.checking.hosting.directories import Directories
from rehref.checking.hosting.header_files import VARIABLE, Field, fields_of
from rehref.checking.hosting.host_files import HTACCESS, host_files, read_host_file
from rehref.checking.hosting.hosts import Host
from rehref.checking.hosting.redirects import Redirects
from rehref.checking.site.file_types import Types
from rehref.checking.site.files import Files
from rehref.documents.types.media_types import essence
from rehref.files.file_errors import FileError
from rehref.text.encoding import lookup, named
from rehref.text.header_fields import charset_of

_MOST_VARIABLES = 3


class _Sent(NamedTuple):
    """A `Content-Type` field: the paths that it is sent for, from a slash on; its type; and the encoding it names."""

    paths: re.Pattern[str]
    media_type: str
    charset: str


@dataclass(frozen=True, slots=True)
class Charsets:
    """What is known of the encodings in which the documents of a site are sent.

    `asked`: for all of them, by the option. `sent`: the fields, the last of which counts. `said`: by `.htaccess`.
    `of_host`: what the host sends of itself. `index_names`: of the host. `types`: what the files are. `by_path`: of
    documents that were fetched, the labels that came with them; nothing else is asked then.
    """

    asked: str | None = None
    sent: tuple[_Sent, ...] = ()
    said: Directories | None = None
    of_host: str | None = None
    index_names: tuple[str, ...] = ()
    types: Types = field(default_factory=Types)
    by_path: Mapping[str, str] | None = None

    def of(self, path: str) -> str | None:
        """The label of the encoding of the document at a path below the folder; None: it is to say so itself."""
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
    """Read what the files of a folder tell its host. `asked`: as in `Charsets`. Raises nothing."""
    sent = tuple(one for path in host_files(host.header_file, files.paths) for one in _sent(folder, path))
    said = None if redirects is None else redirects.directories
    asked = None if asked is None else named(asked) or asked
    return Charsets(asked, sent, said, host.charset, host.index_names, files.types)


def _sent(folder: Path, path: str) -> Iterator[_Sent]:
    """The `Content-Type` fields in a file. One that cannot be read is reported where its links are checked."""
    try:
        data = read_host_file(folder, path)
    except FileError:
        return
    for each in fields_of(path, data, "/" + path.removesuffix(HTACCESS)):
        if each.name.lower() == "content-type":
            value = each.value.decode("latin-1")
            pattern, charset = _pattern(each), charset_of(value)
            if pattern is not None and charset is not None:
                yield _Sent(pattern, essence(value), charset)


def _pattern(sent: Field) -> re.Pattern[str] | None:
    """The paths that a field is sent for; None if they are not asked (rule 2)."""
    parts: list[str] = []
    at = 0
    for count, variable in enumerate(VARIABLE.finditer(sent.path)):
        if count == _MOST_VARIABLES:
            return None
        parts += (re.escape(sent.path[at : variable.start()]), "[^/]+" if variable[1] is None else ".*")
        at = variable.end()
    return re.compile("".join(parts) + re.escape(sent.path[at:]), re.DOTALL)
