"""Documents in files: found, named, read, and written back. One test or more for each rule of the two modules."""

from __future__ import annotations

import errno
import os
import pickle
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents.media_types import Beginning, FileName
from rehref.files.discovery import discover, is_container_name, looks_like_text, media_type, others, walk
from rehref.files.file_documents import DocumentOrError, FileDocument, encode_path, file_uri, own_uri
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.reading_files import read_file
from rehref.files.writing import copy, write_atomically, write_link
from rehref.uri.components import split


def touch(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"<p>")


def found_in(*sources: object, url: str | None = None) -> list[DocumentOrError]:
    return discover([str(source) for source in sources], url).found


def walked(folder: Path) -> list[str]:
    """The documents below a folder."""
    return [each.path for each in walk(folder) if not isinstance(each, FileError) and each.is_document]


def names(found: list[DocumentOrError]) -> list[str]:
    assert all(isinstance(each, FileDocument) for each in found), found
    return [each.relative for each in found if isinstance(each, FileDocument)]


def error_of(found: list[DocumentOrError]) -> FileError:
    (error,) = found
    assert isinstance(error, FileError)
    return error


# --- sources


def test_a_source_is_a_file_a_folder_or_standard_input(tmp_path: Path) -> None:
    touch(tmp_path, "a.html", "d/b.html")
    found = found_in(tmp_path / "a.html", tmp_path / "d", "-")
    assert names(found) == ["a.html", "b.html", "-"]
    assert [each.source for each in found if isinstance(each, FileDocument)] == [0, 1, 2]
    assert [each.name for each in found if isinstance(each, FileDocument)] == [
        f"{tmp_path}/a.html",
        f"{tmp_path}/d/b.html",
        "-",
    ]


def test_standard_input_is_there_once() -> None:
    _, error = found_in("-", "-")
    assert isinstance(error, FileError)


# --- which files, in which order


@pytest.mark.parametrize(
    "name",
    ["a.html", "A.HTM", "b.XHTML", "b.xht", "c.d.Shtml", "a.css", "B.CSS", "a.svg", "a.atom", "a.WARC.gz", "a.mht"],
)
def test_documents_by_name(name: str) -> None:
    assert is_container_name(name) or FileName.of(name).media_type is not None


@pytest.mark.parametrize(
    "name", ["a.html~", "a.html.bak", "a.html.bak.1", "a.json", "a.png", "a.js?x=1", "a.css.gz", "a.php.js"]
)
def test_other_files_by_name(name: str) -> None:
    found = FileName.of(name)
    assert not found.is_open
    assert found.media_type is None


def test_the_order_is_that_of_the_names_folders_among_them(tmp_path: Path) -> None:
    touch(tmp_path, "b.html", "a/z.html", "a/b/c.html", "a.html", "c/x.htm", "B.html", "a/s.css", "a/t.txt", "é.html")
    in_a = ["a/b/c.html", "a/s.css", "a/z.html"]
    assert walked(tmp_path) == ["B.html", *in_a, "a.html", "b.html", "c/x.htm", "é.html"]


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    touch(tmp_path, "notes.txt", ".git/x.html")
    assert str(error_of(found_in(tmp_path))).startswith(f"{tmp_path}: there is no document in this folder (HTML, ")


def test_deep_folders_are_no_matter(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(1200):
        deep /= "d"
        deep.mkdir()
    (deep / "a.html").write_bytes(b"")
    try:
        assert walked(tmp_path) == ["d/" * 1200 + "a.html"]
    finally:
        (deep / "a.html").unlink()
        while deep != tmp_path:
            deep.rmdir()
            deep = deep.parent


# --- hidden files


def test_hidden_files_and_folders_are_skipped(tmp_path: Path) -> None:
    touch(tmp_path, ".hidden.html", ".git/a.html", ".well-known/b.html", "._c.html", "d.html")
    assert walked(tmp_path) == [".well-known/b.html", "d.html"]
    assert names(found_in(tmp_path / ".hidden.html", tmp_path / ".git")) == [".hidden.html", "a.html"]


# --- symbolic links


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    touch(tmp_path, "s/a.html", "elsewhere/b.html")
    (tmp_path / "s/loop").symlink_to(".")
    (tmp_path / "s/up.html").symlink_to("..")
    (tmp_path / "s/out").symlink_to("../elsewhere")
    assert walked(tmp_path / "s") == ["a.html"]
    assert names(found_in(tmp_path / "s/out")) == ["b.html"]


def test_a_link_to_a_file_is_a_document_and_so_is_one_that_leads_nowhere(tmp_path: Path) -> None:
    touch(tmp_path, "a.html")
    (tmp_path / "b.html").symlink_to("a.html")
    (tmp_path / "c.html").symlink_to("nowhere")
    (tmp_path / "d.html").symlink_to("d.html")
    found = found_in(tmp_path)
    assert names(found) == ["a.html", "b.html", "c.html", "d.html"]
    for each, what in zip(
        found[2:], ["a symbolic link that leads nowhere", "too many levels of symbolic links"], strict=True
    ):
        assert isinstance(each, FileDocument)
        assert each.path is not None
        with pytest.raises(FileError, match=what):
            read_file(each.path)


@pytest.mark.skipif(os.name == "nt", reason="there is no /dev/fd")
def test_a_pipe_whose_size_is_not_known_is_read_to_its_end(tmp_path: Path) -> None:
    read, write = os.pipe()
    content = bytes(range(256)) * 128  # as much as a pipe holds, at least
    os.write(write, content)
    os.close(write)
    assert read_file(f"/dev/fd/{read}") == content
    os.close(read)
    (tmp_path / "empty").touch()
    assert read_file(tmp_path / "empty") == b""


# --- retrieval URIs


def test_a_file_has_its_own_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    touch(tmp_path, "a b.html", "d/x.html")
    (document,) = found_in("a b.html")
    assert isinstance(document, FileDocument)
    assert (document.url, document.own) == (None, f"file://{tmp_path}/a%20b.html")
    assert own_uri(Path("d/../a b.html")) == document.own
    (document,) = found_in("./d")
    assert isinstance(document, FileDocument)
    assert (document.name, document.own) == ("./d/x.html", f"file://{tmp_path}/d/x.html")


@pytest.mark.parametrize("url", ["https://h/s", "https://h/s/", "https://h/s/#top"])
def test_the_uri_of_a_folder_goes_before_the_paths(tmp_path: Path, url: str) -> None:
    touch(tmp_path, "a/b.html")
    (document,) = found_in(tmp_path, url=url)
    assert isinstance(document, FileDocument)
    assert document.url == "https://h/s/a/b.html"


def test_the_uri_of_a_file_is_its_own(tmp_path: Path) -> None:
    touch(tmp_path, "a.html")
    (document,) = found_in(tmp_path / "a.html", url="https://h/?page=1")
    assert isinstance(document, FileDocument)
    assert document.url == "https://h/?page=1"


def test_one_uri_is_not_for_several_sources_and_a_folder_has_no_query(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be the URI of 2 sources"):
        found_in(tmp_path, tmp_path, url="http://h/")
    with pytest.raises(FileError, match="cannot be the URI of a folder"):
        found_in(tmp_path, url="http://h/?")


def test_standard_input_and_pipes_have_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    documents = found_in("-", tmp_path / "pipe.html")
    assert [each.url for each in documents if isinstance(each, FileDocument)] == [None, None]
    assert [each.url for each in found_in("-", url="http://h/") if isinstance(each, FileDocument)] == ["http://h/"]
    assert walked(tmp_path) == []


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_path_stays_one_path_in_a_uri(path: str) -> None:
    encoded = encode_path(path)
    assert split("http://h/" + encoded) == ("http", "h", "/" + encoded, None, None)
    assert encoded.isascii()
    assert " " not in encoded


def test_bytes_that_are_no_text_are_encoded_as_they_are() -> None:
    assert encode_path(os.fsdecode(b"caf\xe9 100%/#1?.html")) == "caf%E9%20100%25/%231%3F.html"
    assert file_uri(Path("/a/b c")) == "file:///a/b%20c"


# --- media types


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.html", b"\x89PNG", "text/html"),
        ("a.XHT", b"", "application/xhtml+xml"),
        ("a.php", b"\n <!doctype html>", "text/html"),
        ("index.php?id=3", b"\xef\xbb\xbf<p>", "text/html"),
        ("a", b"\xff\xfe\n\0<\0", "text/html"),
        ("a", b"", "text/html"),
        ("a.css", b"<p>", "text/css"),
        ("a.TXT", b"<p>", "text/plain"),
        ("a.txt", b"\0", "text/plain"),
        ("README", "see http://h/é <p>".encode(), "text/plain"),
        ("a.json", b"\xef\xbb\xbf{}", "text/plain"),
    ],
)
def test_the_media_type(name: str, data: bytes, expected: str) -> None:
    assert media_type(FileDocument(name, Path(name), name, None), data) == expected


def test_an_image_that_is_named_like_a_document() -> None:
    png = b"\x89PNG\r\n\x1a\n\0"
    in_folder = FileDocument("d/a.html", Path("d/a.html"), "a.html", None, in_folder=True, media_type="text/html")
    for document in (in_folder, FileDocument("a.html", Path("a.html"), "a.html", None)):
        with pytest.raises(OtherFormatError, match=r"a.html: is a PNG image, not a document; ") as caught:
            media_type(document, png)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.in_folder) == (str(caught.value), document.in_folder)
    for name in ("a.png", "a"):
        with pytest.raises(FileError, match="is a PNG image") as failed:
            media_type(FileDocument(name, Path(name), name, None), png)
        assert not isinstance(failed.value, OtherFormatError)


@pytest.mark.parametrize("data", [b"\x89PNG", b" \n\0x", b"\xe9t\xe9"])
def test_what_looks_like_nothing_that_is_known(data: bytes) -> None:
    assert not Beginning(data).looks_like_html
    assert not looks_like_text(data)
    told = r"^a: looks like neither HTML nor text; if it is, say --media-type text/html or text/plain$"
    with pytest.raises(FileError, match=told):
        media_type(FileDocument("a", Path("a"), "a", None), data)


def test_much_white_space_is_looked_through_at_once() -> None:
    assert Beginning(b" " * 10_000_000 + b"<").looks_like_html
    assert not Beginning(b" " * 10_000_000 + b"x").looks_like_html


# --- errors


def test_an_error_is_one_line_and_goes_from_process_to_process() -> None:
    error = FileError("a.html", "cannot be read: no such file", "check the name")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "a.html: cannot be read: no such file; check the name"
    assert str(FileError("a", "is odd")) == "a: is odd"


def test_a_folder_below_that_cannot_be_read_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "a.html", "bad/b.html", "c.html")
    real = os.scandir

    def failing(path: Path) -> object:
        if Path(path).name == "bad":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", failing)
    first, error, last = found_in(tmp_path)
    assert isinstance(error, FileError)
    assert str(error).startswith(f"{tmp_path}/bad: the folder cannot be read: permission denied; ")
    assert names([first, last]) == ["a.html", "c.html"]


# --- what is no document


def test_others_are_all_the_rest(tmp_path: Path) -> None:
    touch(tmp_path, "a.html", "s.txt", "s.css", ".x.html", ".git/config", "d/i.png", "d/b.htm", ".well-known/c.html")
    (tmp_path / "link").symlink_to("d")
    (tmp_path / "dead").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    assert sorted(str(each) for each in others(tmp_path)) == [
        ".git/config",
        ".x.html",
        "d/i.png",
        "dead",
        "link",
        "s.txt",
    ]


def test_a_copy_keeps_the_mode_and_a_link_is_replaced(tmp_path: Path) -> None:
    touch(tmp_path, "script")
    (tmp_path / "script").chmod(0o755)
    copy(tmp_path / "script", tmp_path / "out" / "script", within=tmp_path / "out")
    for destination in ("before", "script"):
        write_link(tmp_path / "out" / "link", destination, within=tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out/script").stat().st_mode) == 0o755
    assert (tmp_path / "out/link").readlink() == Path("script")


# --- writing


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"old")
    file.chmod(0o604)
    before = file.stat().st_ino
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o604
    assert file.stat().st_ino != before
    assert [each.name for each in tmp_path.iterdir()] == ["a.html"]


@pytest.mark.skipif(os.name == "nt", reason="modes of Windows do not say who may read")
def test_nobody_else_may_read_a_file_while_it_is_written(tmp_path: Path) -> None:
    modes = []
    for name in ("a", "b"):  # replaced, and new like another
        (tmp_path / "a").write_bytes(b"secret")
        (tmp_path / "a").chmod(0o640)
        content = lambda file: modes.append(stat.S_IMODE(os.fstat(file.fileno()).st_mode))  # noqa: E731
        write_atomically(tmp_path / name, content, like=tmp_path / "a")
    assert modes == [0o600, 0o600]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"old")
    os.chown(file, 12345, 54321)
    write_atomically(file, b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 54321)


def test_a_new_file_has_the_mode_of_what_it_comes_from_and_its_folders_are_made(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "a").chmod(0o640)
    write_atomically(tmp_path / "x" / "y" / "b", b"new", like=tmp_path / "a")
    assert stat.S_IMODE((tmp_path / "x/y/b").stat().st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        write_atomically(tmp_path / "c", b"")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o640


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("d/real")
    write_atomically(tmp_path / "link", b"new", backup=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "d/real").read_bytes() == b"new"
    assert (tmp_path / "d/real.bak").read_bytes() == b"old"


def test_a_backup_never_replaces_an_older_one(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"1")
    file.chmod(0o600)
    for text in (b"2", b"3"):
        write_atomically(file, text, backup=True)
    backups = [(tmp_path / name).read_bytes() for name in ("a.bak", "a.bak.1")]
    assert (backups, file.read_bytes()) == ([b"1", b"2"], b"3")
    assert stat.S_IMODE((tmp_path / "a.bak").stat().st_mode) == 0o600


@pytest.mark.parametrize("failing", ["write", "replace"])
def test_what_fails_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def full(*_: object) -> object:
        raise OSError(28, "No space left on device")

    if failing == "write":
        monkeypatch.setattr(os, "fdopen", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match=r"a: cannot be written: no space left on device; make room$"):
        write_atomically(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_an_interrupt_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, b"new")
    monkeypatch.undo()
    assert [each.name for each in tmp_path.iterdir()] == ["a"]
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("number", "what"),
    [
        (errno.EACCES, "permission denied; check who may read and write it (ls -l)"),
        (errno.EROFS, "read-only file system; choose another place"),
    ],
)
def test_a_file_nobody_may_write_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, what: str) -> None:
    """As `access` of the system says no to all of these, the file is opened."""
    file = tmp_path / "a"
    file.write_bytes(b"old")
    usual = Path.open

    def refused(path: Path, mode: str = "r") -> Any:
        if path == file and mode != "rb":
            raise OSError(number, os.strerror(number))
        return usual(path, mode)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refused)
        with pytest.raises(FileError) as raised:
            write_atomically(file, b"new")
    assert str(raised.value) == f"{file}: cannot be written: {what}"
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a", b"old")]


def test_other_names_of_a_file_keep_the_old_content(tmp_path: Path) -> None:
    file, other = tmp_path / "a", tmp_path / "b"
    assert not write_atomically(file, b"old")
    assert not write_atomically(file, b"old")
    other.hardlink_to(file)
    assert write_atomically(file, b"new")
    assert not write_atomically(file, b"newer")
    assert (file.read_bytes(), other.read_bytes()) == (b"newer", b"old")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written: is a directory"):
        write_atomically(tmp_path, b"")


def test_a_device_is_written_to_and_stays() -> None:
    write_atomically(Path("/dev/null"), b"x")
    assert Path("/dev/null").is_char_device()
