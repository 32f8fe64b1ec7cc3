"""The results that `scripts/pin` records: documents, the settings in which they are read, and views of them.

A result is named by the document, the setting (core, profile, with a URL or without, with the compiled twin or
without) and the view (links, a report, a rule, findings, …). Only what people can call makes results, the texts of
pages aside. Slow settings read a sample of the documents, which their names choose.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

import rehref
from rehref import Link

ROOT: Final = Path(__file__).resolve().parents[1]
GENERATED, GENERATED_QUICKLY = 2500, 250
"""How many documents are generated."""
PAGES_OF_SITE: Final = 75
LARGEST: Final = 400_000
"""Larger files of a corpus are left out."""

TYPES: Final[Mapping[str, str | None]] = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".ipynb": "application/x-ipynb+json",
    ".webmanifest": "application/manifest+json",
    ".jsonld": "application/ld+json",
    ".atom": "application/atom+xml",
    ".rss": "application/rss+xml",
    ".xml": "application/xml",
    ".opf": "application/xml",
    ".ncx": "application/xml",
}
CONTAINERS: Final = (".mht", ".mhtml", ".eml", ".epub", ".warc", ".warc.gz", ".wacz", ".http")
SITES: Final = (
    *("fixtures/sites/*/site", "fixtures/generators/*", "fixtures/traced/*/built", "fixtures/mirror/*", "fixtures"),
    *("examples/site", "examples/pre-commit/site", "examples/mkdocs/docs"),
)

Task: TypeAlias = tuple[str, str, str]
"""The name of a document, a setting, and a view."""
View: TypeAlias = "Callable[[Subject, Mapping[str, Any]], bytes]"


class Setting(NamedTuple):
    """How documents are read. `of_generated`, `of_files`: one in how many, with the twin; `slower`: how many times
    fewer without.
    """

    parser: str
    profile: str
    has_url: bool
    of_generated: int
    of_files: int
    slower: int = 1

    @property
    def name(self) -> str:
        """What names it in files and messages."""
        return f"{self.parser} {self.profile}{'' if self.has_url else ' without URL'}"

    def reads(self, subject: Subject, *, twin: bool, quick: bool) -> bool:
        """Whether a document is read so."""
        if (self.parser == "html5lib" and not subject.is_html) or (self.parser == "lxml" and not subject.is_markup):
            return False
        step = self.of_generated if subject.is_generated else self.of_files
        step *= (1 if twin else self.slower) * (1 if not quick else 6 if self is not SETTINGS[0] else 1 if twin else 2)
        return crc32(f"{self.name} {subject.name}".encode()) % step == 0


SETTINGS: Final = (
    Setting("source", "rfc3986", True, 1, 1),
    Setting("source", "whatwg", True, 2, 1, 2),
    Setting("source", "rfc2396", True, 3, 1, 2),
    Setting("source", "rfc3986-compat", True, 12, 8),
    Setting("source", "rfc3986", False, 3, 1, 2),
    Setting("lxml", "rfc3986", True, 3, 1, 4),
    Setting("lxml", "whatwg", True, 24, 12, 2),
    Setting("html5lib", "rfc3986", True, 24, 6, 4),
    Setting("html5lib", "whatwg", True, 96, 24, 2),
)
WITHOUT: Final = ", without the twin"
"""The end of a setting."""


@dataclass(frozen=True)
class Subject:
    """A document, a container, or the folder of a site. `options`: how it is read, besides the setting."""

    name: str
    data: bytes | str = b""
    url: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    is_container: bool = False
    is_generated: bool = False
    sources: Path | None = None

    @property
    def is_html(self) -> bool:
        """Whether it is read as HTML."""
        return self.options.get("media_type") == "text/html"

    @property
    def is_markup(self) -> bool:
        """Whether it is read as HTML or XML."""
        return self.is_html or "xml" in (self.options.get("media_type") or "")

    @property
    def digest(self) -> str:
        """What identifies the content."""
        if self.folder is None:
            return hashed(self.data.encode("utf-8", "surrogatepass") if isinstance(self.data, str) else self.data)
        files = sorted(path for path in self.folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return hashed(
            b"\0".join(b"%b\0%b" % (bytes(path.relative_to(self.folder)), path.read_bytes()) for path in files)
        )


def hashed(data: bytes) -> str:
    """Return a short hash."""
    return hashlib.blake2b(data, digest_size=5).hexdigest()


# The corpora


def subjects(corpora: Sequence[Path], folder: Path, *, quick: bool) -> Iterator[Subject]:
    """Yield everything that is read; `folder`: where generated sites are written."""
    generated = list(_generated(GENERATED_QUICKLY if quick else GENERATED))
    pages = [each for each in generated if each.is_html and isinstance(each.data, bytes)]
    yield from _sites(corpora, quick=quick)
    for at in range(0, len(pages) // 3, PAGES_OF_SITE):
        yield _made_site(folder / f"site-{at}", pages[at : at + PAGES_OF_SITE])
    yield Subject("generated/pages.warc", _warc(pages[-60:]), None, {}, None, is_container=True, is_generated=True)
    for number, path in enumerate(_files([ROOT / "fixtures", ROOT / "examples", *corpora])):
        is_container = path.name.lower().endswith(CONTAINERS)
        if not quick or number % 4 == 0:
            yield _of_file(path, is_container=is_container)
    for case in json.loads((ROOT / "fixtures/browser/answers.json").read_text(encoding="utf-8")):
        yield Subject(f"fixtures/browser/{case['name']}", case["html"], case["url"], {"media_type": "text/html"})
    yield from generated


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            is_read = path.suffix.lower() in TYPES or path.name.lower().endswith(CONTAINERS)
            if is_read and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
                yield path


def _of_file(path: Path, *, is_container: bool) -> Subject:
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
    options = {} if is_container else {"media_type": TYPES[path.suffix.lower()]}
    return Subject(name, path.read_bytes(), f"https://www.example.org/{name}", options, None, is_container)


def _sites(corpora: Sequence[Path], *, quick: bool) -> Iterator[Subject]:
    folders = [path for pattern in SITES for path in sorted(ROOT.glob(pattern)) if path.is_dir()]
    for folder in [*(folders[::3] if quick else folders), *corpora]:
        name = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
        sources = folder.with_name("sources")
        yield Subject(f"site {name}", folder=folder, sources=sources if sources.is_dir() else None)


def _generated(many: int) -> Iterator[Subject]:
    from native.fuzz import samples
    from native.generating import URLS

    for number, sample in enumerate(islice(samples(Random("pins")), many)):
        how, source = sample.selection, sample.source
        options: dict[str, Any] = {"scripting": how.scripting, "conditional_comments": how.conditional_comments}
        options |= {"attributes": how.attributes, "encoding": source.encoding}
        media_type = "application/xml" if sample.is_xml else "text/html"
        url = URLS[number % len(URLS)]
        name = f"generated/{number}"
        yield Subject(name, source.data, url, options | {"media_type": media_type}, is_generated=True)
        if sample.sheet is not None:
            yield Subject(f"{name}.css", sample.sheet, url, {"media_type": "text/css"}, is_generated=True)


def _made_site(folder: Path, pages: Sequence[Subject]) -> Subject:
    (folder / "x").mkdir(parents=True)
    for number, page in enumerate(pages):
        assert isinstance(page.data, bytes)
        path = folder / ("x" if number % 3 else ".") / f"{page.name.rpartition('/')[2]}.html"
        path.write_bytes(b'<title>%d</title><p>Page %d of many others.<a id="h">' % (number, number) + page.data)
    return Subject(f"site generated/{folder.name}", folder=folder, is_generated=True)


def _warc(pages: Sequence[Subject]) -> bytes:
    """Return a web archive of pages, and of the fixtures."""
    records = []
    paths = sorted((ROOT / "fixtures").glob("*.html"))
    for uri, data in [
        *((f"https://www.example.org/fixtures/{path.name}", path.read_bytes()) for path in paths),
        *((f"http://h.example/{page.name}.html", page.data) for page in pages),
    ]:
        assert isinstance(data, bytes)
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(data), data)
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
        head += f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{crc32(uri.encode()):012x}>\r\n"
        head += f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        records.append(head.encode() + block + b"\r\n\r\n")
    return b"".join(records)


# Views


def _links(subject: Subject, options: Mapping[str, Any], *, text: bool = False) -> bytes:
    diagnostics: list[object] = []
    links = rehref.links(subject.data, on_diagnostic=diagnostics.append, text=text, **options)
    return "\n".join([*map(_written, links), *map(repr, diagnostics)]).encode("utf-8", "surrogatepass")


def _written(link: Link) -> str:
    """Return all that a link says, as a line."""
    base = (link.base.uri, link.base.origin, link.base.where, link.base.rejected)
    problems = [(each.code, each.message, each.target) for each in link.problems]
    return repr(
        (
            *(link.reference, link.target, base, link.element, link.attribute, link.kind, link.line, link.column),
            *(
                link.span,
                link.same_document,
                problems,
                link.part,
                link.inside,
                link.page,
                link.date,
                link.rel,
                link.text,
            ),
        )
    )


def _of_function(link: Link) -> Any:
    """Answer in all ways, by what the link is."""
    how = (
        crc32(f"{link.reference}\n{link.element}\n{link.attribute}\n{link.target}".encode("utf-8", "surrogatepass")) % 8
    )
    if link.kind == "base":
        return (None, "y/", rehref.DROP, None)[how % 4]
    answers: Sequence[Any] = (None, link.target, "", "é \"'<&", rehref.DROP, f"x:{link.reference}", link.reference, "z")
    return answers[how]


TABLE: Final = {
    "http://h.example/*": "https://new.example/*",
    "https://h.example/a*": "n:*",
    "https://h.example/x": "x",
    "https://www.example.org/fixtures/*": "https://moved.example/?u=*",
    "https://ex.org/a/*": "../b",
}
SAVED: Final = {
    "http://h.example/a": "a.html",
    "http://h.example/a/b/c.html": "c.html",
    "https://h.example/x": "x y.html",
    "https://www.example.org/fixtures/index.html": "f/i.html",
    "https://ex.org/a/x": "x.html",
}
PERCENT: Final = {"percent_encode": True}
RULES: Final[Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "absolute": (rehref.Absolute(), {}),
    "absolute, keep": (rehref.Absolute("keep", file_urls=True), {}),
    "absolute, empty, metadata": (rehref.Absolute("empty", metadata=True), {}),
    "absolute, drop, same document": (rehref.Absolute("drop", same_document=True), {}),
    "relative": (rehref.Relative(), {}),
    "relative, metadata": (rehref.Relative(metadata=True), {}),
    "table": (rehref.Mapping(TABLE, metadata=True), {}),
    "template": (rehref.Template("https://replay.example/1/{uri}"), {}),
    "template, kind and modifier": (rehref.Template("https://replay.example/{kind}/{modifier}/{uri:encoded}"), {}),
    "offline": (rehref.Offline(SAVED, "q/page.html"), {}),
    "offline, table first": (rehref.Offline(SAVED, "page.html", "drop", first=rehref.Mapping(TABLE)), {}),
    "absolute, percent-encoded": (rehref.Absolute(), PERCENT),
    "nothing, percent-encoded": (rehref.Mapping({}), PERCENT),
    "function": (rehref.Mapping(_of_function), {}),
}


def _rewritten(rule: Any, extra: Mapping[str, Any], subject: Subject, options: Mapping[str, Any]) -> bytes:
    asked: list[Link] = []

    def noted(link: Link) -> Any:
        asked.append(link)
        return _of_function(link)

    is_function = isinstance(rule, rehref.Mapping) and rule == RULES["function"][0]
    new = rehref.rewrite(subject.data, noted if is_function else rule, **extra, **options)
    new = new if isinstance(new, bytes) else new.encode("utf-8", "surrogatepass")
    return b"\n".join((new, *(_written(link).encode("utf-8", "surrogatepass") for link in asked)))


def _run(arguments: Sequence[str], data: bytes | None = None) -> bytes:
    """Return what the command line prints, and its exit code."""
    from click.testing import CliRunner

    from rehref.cli.program import program

    command = [*arguments, "--no-progress", "--jobs", "1", "--config", os.devnull]
    result = CliRunner().invoke(program, command, input=data)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return b"%b\n%b\nexit code %d" % (result.stdout_bytes, result.stderr_bytes, result.exit_code)


def _report(form: str, subject: Subject, options: Mapping[str, Any]) -> bytes:
    data = subject.data.encode("utf-8", "replace") if isinstance(subject.data, str) else subject.data
    arguments = ["links", "-", "--format", form, "--profile", options["profile"], "--parser", options["parser"]]
    for name in ("url", "media_type", "encoding"):
        if options.get(name):
            arguments += [f"--{name.replace('_', '-')}", options[name]]
    return _run(arguments, data)


def _text(subject: Subject, options: Mapping[str, Any]) -> bytes:
    """The title, and the text that people see."""
    from rehref.markup._page.text_of_xml import visible_text_of_xml
    from rehref.markup._page.titles import title_of
    from rehref.markup._page.visible_text import visible_text
    from rehref.site._pages.folded_text import folded

    page = (
        subject.data
        if isinstance(subject.data, str)
        else subject.data.decode(options.get("encoding") or "utf-8", "replace")
    )
    text = visible_text(page) if subject.is_html else visible_text_of_xml(page) or ""
    return f"{title_of(page, xml=not subject.is_html)}\n{text}\n{folded(text)}".encode("utf-8", "surrogatepass")


def _unpacked(arguments: Sequence[str], subject: Subject, _: Mapping[str, Any]) -> bytes:
    assert isinstance(subject.data, bytes)
    suffix = next((each for each in CONTAINERS if subject.name.endswith(each)), "")
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, f"file{suffix}"), Path(folder, "out")
        file.write_bytes(subject.data)
        said = _run(["rewrite", str(file), "--unpack", str(out), *arguments])
        paths = sorted(path for path in out.rglob("*") if path.is_file())
        files = (b"%b\n%b" % (bytes(path.relative_to(out)), path.read_bytes()) for path in paths)
        return b"\n".join((said, *files)).replace(folder.encode(), b"FOLDER")


def _checked(arguments: Sequence[str], subject: Subject, options: Mapping[str, Any]) -> bytes:
    command = ["check", str(subject.folder), "--allow-empty", *arguments, "--profile", options["profile"]]
    if subject.sources is not None and "--diff" not in arguments:
        command += ["--sources", str(subject.sources)]
    lines = [line for line in _run(command).split(b"\n") if b'"seconds": ' not in line]
    return b"\n".join(lines).replace(bytes(subject.folder or Path()), b"FOLDER")


def _compared(what: str, subject: Subject, options: Mapping[str, Any]) -> bytes:
    """The contract of a site; or how the site differs from a copy in which pages have moved."""
    assert subject.folder is not None
    with tempfile.TemporaryDirectory() as folder:
        new, contract = Path(folder, "new"), Path(folder, "contract")
        copytree(subject.folder, new, symlinks=True)
        pages = sorted(path for path in new.rglob("*.html") if not path.is_symlink())[::3]
        for number, path in enumerate(pages if what == "compare" else ()):
            path.rename(path.with_name(f"moved-{number}.html"))
        command = ["compare", str(subject.folder), str(new), "--format", "json", "--save", str(contract)]
        said = _run(command)
        said = b"\n".join(line for line in said.split(b"\n") if b'"seconds": ' not in line)
        result = contract.read_bytes() + said if contract.is_file() else said
        return result.replace(folder.encode(), b"FOLDER").replace(bytes(subject.folder), b"OLD")


FORMS: Final = ("json", "jsonl", "csv")
RULE_VIEWS: Final[Mapping[str, View]] = {name: partial(_rewritten, *rule) for name, rule in RULES.items()}
REPORTS: Final[Mapping[str, View]] = {form: partial(_report, form) for form in FORMS}
DOCUMENT_VIEWS: Final[Mapping[str, View]] = {
    "links": _links,
    "links with texts": partial(_links, text=True),
    "title and text": _text,
    **REPORTS,
    **RULE_VIEWS,
}
CONTAINER_VIEWS: Final[Mapping[str, View]] = {
    "links": _links,
    "unpacked": partial(_unpacked, ()),
    "unpacked, no network": partial(_unpacked, ("--no-network",)),
    **RULE_VIEWS,
}
SITE_VIEWS: Final[Mapping[str, View]] = {
    "findings": partial(_checked, ("--format", "json")),
    "all findings": partial(_checked, ("--format", "json", "--select", "all", "--text-fragments", "--strict-uris")),
    "repairs": partial(_checked, ("--fix-unsure", "--diff")),
    "contract": partial(_compared, "contract"),
    "compare": partial(_compared, "compare"),
}


def tasks(subject: Subject, *, twin: bool, quick: bool) -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield the setting and the view of each result of a subject, and what makes it."""
    suffix = "" if twin else WITHOUT
    if subject.folder is not None or subject.is_container:
        of_folder = subject.folder is not None
        profiles = ("rfc3986",) if quick or (of_folder and subject.name != "site fixtures") else ("rfc3986", "whatwg")
        for profile in profiles:
            options = {"profile": profile, **({} if of_folder else {"parser": "source", "url": subject.url})}
            for view, make in (SITE_VIEWS if of_folder else CONTAINER_VIEWS).items():
                yield f"source {profile}{suffix}", view, partial(make, subject, options)
        return
    for setting in SETTINGS:
        if setting.reads(subject, twin=twin, quick=quick):
            options = {**subject.options, "parser": setting.parser, "profile": setting.profile}
            options["url"] = subject.url if setting.has_url else None
            for view, make in _views(subject, setting).items():
                yield setting.name + suffix, view, partial(make, subject, options)


def _views(subject: Subject, setting: Setting) -> Mapping[str, View]:
    """The views of a document: those that are slow, or do not depend on the setting, only of some documents."""
    number = crc32(subject.name.encode())
    left_out: set[str] = set()
    if setting != SETTINGS[0] or not subject.is_markup:
        left_out.add("title and text")
    if setting.parser == "html5lib" or number % (10 if subject.is_generated else 4):
        left_out |= REPORTS.keys()
    if setting.parser != "source" or number % 4:
        left_out.add("links with texts")
    return {name: view for name, view in DOCUMENT_VIEWS.items() if name not in left_out}


def result(make: Callable[[], bytes]) -> bytes:
    """Return a result; what is raised is one, too."""
    try:
        return make().replace(bytes(ROOT), b"ROOT")
    except Exception as error:
        return f"raised {type(error).__name__}: {error}".encode("utf-8", "replace").replace(bytes(ROOT), b"ROOT")
