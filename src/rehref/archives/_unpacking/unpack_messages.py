"""Write a MIME message as files that open without it: each part has its own name, and references lead there.

References to another part lead to its file; others become absolute (`rehref.archives._copies.copied_documents`).
Scripts in another encoding than UTF-8 become UTF-8; other parts that are not documents are unchanged. Each file is
written completely or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from rehref.archives._copies.copied_documents import offline_file, text_file
from rehref.archives._unpacking.file_names import Names, safe
from rehref.containers.inherited_encodings import is_script
from rehref.containers.kinds import Container
from rehref.containers.messages import MimeMessage, message_in
from rehref.containers.parts import Diagnostic, Part, few, located_in
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import UnknownMediaTypeError
from rehref.exceptions import OutOfTimeError, ParserError
from rehref.files.discovery import endings
from rehref.files.writing import write_atomically
from rehref.rewriting.offline_rule import SavedUris


class UnpackedParts(NamedTuple):
    """The file names of the parts of a message.

    `files`: for each part's number, its file name. `targets`: for each absolute URI of a part, its file name, as a
    reference relative to the folder (`MimeMessage.meanings`). `root`: the name of the root document; None if there is
    none.
    """

    files: Mapping[str, str]
    targets: Mapping[str, str]
    root: str | None


def plan_parts(message: MimeMessage) -> UnpackedParts:
    """Name the parts of a message. Raises nothing on content.

    A name is the end of its location's path, its file name (Content-Disposition, Content-Type), or its Content-ID;
    otherwise `part-3-1`. The root document is `index`. Names are safe and unique (`file_names`).
    """
    names, root = Names(), message.root
    leaves = {leaf.number: leaf for leaf in message.leaves()}
    files = dict.fromkeys(leaves, "")
    if root is not None:
        files[root] = names.take("index", endings(leaves[root].media_type))
    for number, leaf in leaves.items():
        if number != root:
            wish = next(filter(None, map(safe, leaf.wishes)), f"part-{number.replace('.', '-')}")
            files[number] = names.take(wish, endings(leaf.media_type))
    return UnpackedParts(files, message.meanings(files), None if root is None else files[root])


def unpack_message(
    container: Container, folder: Path, how: ReadOptions, *, no_network: bool = False
) -> Iterator[UnpackedParts | Diagnostic]:
    """Write the parts of a message into a folder: yield diagnostics, and at the end what was written.

    `no_network`: make pages that never ask the web. Raises `FileError` if a file cannot be written.
    """
    with_encoding = container.encodings(how, as_files=True)
    with message_in(container.file, container.options) as message:
        planned = plan_parts(message)
        by_uri = SavedUris(planned.targets)

        def find(uri: str) -> str | None:
            return by_uri(uri) or planned.targets.get(uri)  # it knows how to compare `cid:`

        rewritten = set()
        for part in message.documents(_is_read):
            if isinstance(part, Diagnostic):
                yield part
                continue
            try:
                content = _content(with_encoding(part), find, planned.files[part.name], how, no_network=no_network)
            except (UnknownMediaTypeError, ParserError, OutOfTimeError) as error:
                yield part.not_read(error)
                continue
            rewritten.add(part.name)
            write_atomically(folder / planned.files[part.name], content, within=folder)
        leaves = list(message.leaves())
        yield from few(leaf.unread for leaf in leaves if leaf.unread is not None)
        for leaf in leaves:
            if leaf.number not in rewritten:
                write_atomically(folder / planned.files[leaf.number], leaf.write_to, within=folder)
    yield planned


def _is_read(media_type: str, uri: str) -> bool:
    return MediaType(media_type).is_rewritten or is_script(media_type)


def _content(part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions, *, no_network: bool) -> bytes:
    """Return the file of a part. The arguments are those of `offline_file`."""
    if is_script(MediaType.of(part.media_type)):
        return text_file(part)
    return offline_file(part, find, at, how, no_network=no_network).data


class UnpackedMessage(NamedTuple):
    """A message of an mbox that was unpacked.

    `root`: the path of the file to open, below the folder, with slashes; "" if there is none. `files`: the number of
    files. `date`, `sender`, `subject`: its header fields, for people; "" if they are missing.
    """

    root: str
    files: int
    date: str
    sender: str
    subject: str


def unpack_mailbox(
    container: Container, folder: Path, how: ReadOptions, *, no_network: bool = False
) -> Iterator[UnpackedMessage | Diagnostic]:
    """Write the messages of an mbox one after the other; nothing for one message that is not in an mbox.

    Each has its own folder, named by its number; references lead only to parts of the same message. Otherwise like
    `unpack_message`.
    """
    with message_in(container.file, container.options) as mailbox:
        stored = mailbox.messages()
        for number, (start, end) in enumerate(stored, 1):
            name = f"{number:0{len(str(len(stored)))}}"
            content = mailbox.data[start:end]
            one = container._replace(file=BytesIO(content))
            for each in unpack_message(one, folder / name, how, no_network=no_network):
                if isinstance(each, Diagnostic):
                    yield located_in(f"message {number}", each)
                    continue
                about = MimeMessage(content, container.options).words("date", "from", "subject")
                yield UnpackedMessage(f"{name}/{each.root}" if each.root else "", len(each.files), *about)
