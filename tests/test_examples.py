"""The examples run, and what they show is true."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patience import PATIENCE
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.cores import core
from rehref.markup.parsed import IN_TEMPLATE, Core, Wanted
from rehref.rewriting.built_in_rules import Absolute
from rehref.rewriting.edits import rewrite_document
from rehref.text.encoding import Source

SOURCE_CORE = core()

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
FIXTURES = sorted((ROOT / "fixtures").glob("*.html"))
URL = "https://help.libreoffice.org/7.4/en-US/text/scalc/guide/pivotchart_delete.html"
CHANGED = (
    r"(?:rehref: \d+ of 28 references changed in [01] of 1 document\n"
    r"|rehref: 25 references were written that lead to missing files; "
    r"--to offline makes such references absolute\n)*"
)
SHELLS = [shell for shell in ("sh", "bash") if shutil.which(shell)]


def run(command: list[str | Path], folder: Path, saying: str = "", **environment: str) -> str:
    """What a program prints, run in `folder`. It must succeed, and on standard error say what matches `saying`."""
    ran = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error"} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.fullmatch(saying, ran.stderr), ran.stderr
    return ran.stdout


def run_python(name: str, folder: Path) -> list[str]:
    return run([sys.executable, EXAMPLES / name], folder).splitlines()


# --- the folder


def test_the_readme_lists_every_example() -> None:
    listed = re.findall(
        r"^\| \[`([^`]+)`\]\(\1\) \|", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".sh"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: str(path.name))
def test_every_example_opens_with_what_it_shows(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_bytes()))


# --- the Python API


def test_python_api(tmp_path: Path) -> None:
    lines = run_python("python_api.py", tmp_path)
    assert lines[0] == "28 references, relative to https://help.libreoffice.org/7.4/, by the <base href> at 4:1"
    assert [line.split() for line in lines[1:3]] == [
        ["4:13", "base", "../../../../", "->", "https://help.libreoffice.org/7.4/"],
        ["5:54", "meta", "../../../../en-US/noscript.html", "->", "https://help.libreoffice.org/en-US/noscript.html"],
    ]
    assert 'href="https://help.libreoffice.org/7.4/normalize.css"' in lines[-1]


def test_python_api_has_ten_lines() -> None:
    text = (EXAMPLES / "python_api.py").read_text(encoding="utf-8")
    code = text.split('"""', 2)[2]
    assert len([line for line in code.splitlines() if line.strip()]) == 10


# --- a rule of one's own


def test_rewriting_rule(tmp_path: Path) -> None:
    lines = run_python("rewriting_rule.py", tmp_path)
    assert [line for line in lines if line.startswith("+")][1:] == [
        "+<p>Read <a href=/news>the news</a>, or <A HREF='http://b.example/#top'>the blog</A>.",
        '+<img src="https://img.example/a.png" srcset=\'https://img.example/a,wide.png 2x, b.png 3x\' alt="A &amp; B">',
        '+<div style="background: url(https://img.example/c.png)"></div>',
    ]
    # neither `&amp;` nor an empty query is a reason to touch a reference
    assert not any("Nothing to do" in line for line in lines)


# --- four more tasks


def test_check_site(tmp_path: Path) -> None:
    assert run_python("check_site.py", tmp_path) == [
        "guide/start.html:9:13: leaves-document: #sail",
        "guide/start.html:9:13: missing-fragment: #sail",
        "index.html:8:13: missing-file: guide/windd.html (perhaps guide/wind.html)",
        "11 links in 4 documents, 2 broken",
        "Not asked about, on other sites: https://weather.example/",
    ]


def test_move_site(tmp_path: Path) -> None:
    lines = run_python("move_site.py", tmp_path)
    assert [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        '-<link rel=canonical href="http://old.example/">',
        "-<a href=\"about.html\">About</a> <A HREF='HTTP://Old.example:80/blog/?p=7&amp;q=8#end'>Post</A>",
        '-<img srcset="//old.example/a.png 1x, //cdn.example/a.png 2x" alt="old.example">',
        '+<link rel=canonical href="https://new.example/">',
        "+<a href=\"about.html\">About</a> <A HREF='https://new.example/blog/?p=7&amp;q=8#end'>Post</A>",
        '+<img srcset="https://new.example/a.png 1x, //cdn.example/a.png 2x" alt="old.example">',
        '-<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://old.example/feed.xml"/></feed>',
        '+<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://new.example/feed.xml"/></feed>',
    ]


def test_offline_copy(tmp_path: Path) -> None:
    assert run_python("offline_copy.py", tmp_path) == [
        'index.html: <base href=""><a href="docs/a.html%3Fpage=2#top">next</a> <a href=https://example.org/docs/missing.html>else</a>',
        'docs/a.html?page=2: <a href="../index.html">home</a> <img src="../img/x%20y.png">',
    ]


def test_archive_hosts(tmp_path: Path) -> None:
    assert run_python("archive_hosts.py", tmp_path) == [
        "   4  harbour.example",
        "3 pages; 0 records could not be read",
    ]


# --- a parser core of one's own


def load(name: str):  # type: ignore[no-untyped-def]  # whatever the example defines
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SELECTOLAX: Core = load("selectolax_core")

# Where selectolax, whose tree is the Standard's, and the source core do not find the same:
# file: why, and the references that only one of them finds (selectolax, source)
DIFFERENT = {
    "broken-markup.html": (
        "tree construction makes two elements of a misnested <a>; in the source there is one",
        ["signals.html"],
        [],
    ),
}

# What lexbor writes of a style or script in SVG is read otherwise than what was there: it leaves `<` and `&` unescaped.
NOT_READ_THE_SAME = {"inline-svg.html", "raw-text.html"}


def read(core: Core, data: bytes | str, url: str | None = "https://www.example.org/fixtures/page.html"):  # type: ignore[no-untyped-def]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ReadOptions, "core", lambda how: core)
        return read_document(data, "text/html", None, Layers(retrieval=url), ReadOptions())


def test_the_core_is_short() -> None:
    lines = (EXAMPLES / "selectolax_core.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 120


def test_compare_cores(tmp_path: Path) -> None:
    lines = run_python("compare_cores.py", tmp_path)
    assert [line.split()[0] for line in lines] == ["source", "lxml", "html5lib", "selectolax"]
    assert all("28 links, the same" in line for line in lines)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.name))
def test_the_core_finds_what_the_source_core_finds(path: Path) -> None:
    data = path.read_bytes()
    mine, theirs = (
        Counter(
            (link.element, link.attribute, link.reference, link.kind, link.target) for link in read(core, data).links()
        )
        for core in (SELECTOLAX, SOURCE_CORE)
    )
    _, only_mine, only_theirs = DIFFERENT.get(path.name, ("", [], []))
    assert sorted(reference for _, _, reference, _, _ in (mine - theirs).elements()) == sorted(only_mine)
    assert sorted(reference for _, _, reference, _, _ in (theirs - mine).elements()) == sorted(only_theirs)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.name))
def test_the_core_keeps_the_contract(path: Path) -> None:
    data = path.read_bytes()
    document = read(SELECTOLAX, data)
    places = document.parsed.places
    # the places of an element stand together, elements in the order of the document
    assert [place[6] for place in places] == sorted(place[6] for place in places)
    assert len({(place[6], place[2]) for place in places}) == len(places)
    # nothing changed: the very same bytes
    assert document.parsed.apply([]) is data
    assert rewrite_document(document, lambda link: None).data == data
    assert rewrite_document(document, lambda link: link.reference).data == data
    # made absolute: bytes again, that lead to the same places, and do not change any more
    absolute = rewrite_document(document, Absolute()).data
    again = read(SELECTOLAX, absolute)
    assert isinstance(absolute, bytes)
    if path.name in NOT_READ_THE_SAME:
        assert [link.target for link in again.links()] != [link.target for link in document.links()]
    else:
        assert [link.target for link in again.links()] == [link.target for link in document.links()]
        assert rewrite_document(again, Absolute()).data == absolute


def test_the_core_knows_templates_namespaces_and_the_first_of_two_attributes() -> None:
    parsed = SELECTOLAX.parse(
        Source("<template><a href=1 href=0></template><svg><lineargradient xlink:href=2></svg><math><mi><a href=3>"),
        Wanted(anywhere=frozenset({"href", "xlink:href"})),
    )
    found = [(place[0], place[1].rpartition("/")[2], place[3], place[7]) for place in parsed.places]
    assert found == [
        ("a", "xhtml", "1", IN_TEMPLATE),
        ("linearGradient", "svg", "2", 0),
        ("a", "xhtml", "3", 0),
    ]


def test_the_core_removes_the_href_of_a_base() -> None:
    for start_tag, rest in (("<base href=x/>", "<base>"), ("<base target=t href=x/>", '<base target="t">')):
        dropped = rewrite_document(read(SELECTOLAX, f"{start_tag}<a href=y>"), Absolute(base_element="drop")).data
        assert dropped == (
            f'<html><head>{rest}</head><body><a href="https://www.example.org/fixtures/x/y"></a></body></html>'
        )


# fmt: off
PIECES = [
    "<svg>", "</svg>", "<math>", "</math>", "<mi>", "<mglyph>", "<annotation-xml>", "<annotation-xml encoding>",
    "<annotation-xml encoding=Text/HTML>", "<template>", "</template>", "<style>", "b{background:url(u)}", "</style>",
    "<a href=x>", "</a>", "<table>", "</table>", "<tr>", "<select>", "<desc>", "<title>", "</title>", "<foreignObject>",
    "<p>", "</p>", "<base href=y/>", "<frameset>", "<!--", "-->", "<?", "<!x>", "<image xlink:href=a>", "<plaintext>",
    "</br>", "\0", "\ud800", '<a href="\ud800&#0;">', "<svg encoding>", "<img src=1 src=2 srcset>",
]
# fmt: on


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_the_core_never_raises(text: str) -> None:
    document = read(SELECTOLAX, text)
    written = rewrite_document(document, Absolute()).data
    assert isinstance(written, str)
    assert rewrite_document(document, lambda link: None).data == text


@pytest.mark.parametrize("piece", ["<svg>", "<template>", "<b>"])
def test_the_core_goes_as_deep_as_a_document_does(piece: str) -> None:
    document = read(SELECTOLAX, piece * 50_000 + "<a href=x>")
    assert [link.reference for link in document.links()] == ["x"]


def test_an_entry_point_makes_the_core_known(tmp_path: Path) -> None:
    """As its docstring says: here a package that brings it has been installed."""
    docstring = ast.get_docstring(ast.parse((EXAMPLES / "selectolax_core.py").read_bytes()))
    assert docstring is not None
    found = re.search(r'\[project\.entry-points\."(.+)"\]\n\s+(.+) = "(.+)"', docstring)
    assert found is not None
    group, name, value = found.groups()
    shutil.copy(EXAMPLES / "selectolax_core.py", tmp_path)
    installed = tmp_path / "some_package-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: some-package\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
    use = (
        "import rehref; from rehref.markup import cores as registry\n"
        "print(*registry.names())\n"
        "print(registry.core('selectolax').summary)\n"
        "print(rehref.rewrite('<p><a href=x>y', url='http://h/', parser='selectolax'))\n"
    )
    path = os.pathsep.join(filter(None, (str(tmp_path), str(ROOT / "src"), os.environ.get("PYTHONPATH"))))
    names, summary, written = run([sys.executable, "-c", use], tmp_path, PYTHONPATH=path).splitlines()
    assert {"source", "lxml", "html5lib", "selectolax"} <= set(names.split())
    assert summary.startswith("lexbor's tree")
    assert written == '<html><head></head><body><p><a href="http://h/x">y</a></p></body></html>'


# --- the tour


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `rehref` to call, whether or not one is installed."""
    script = tmp_path_factory.mktemp("bin") / "rehref"
    code = "import sys; from rehref.cli import main; sys.argv[0] = 'rehref'; main()"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    script.chmod(0o755)
    return script


@pytest.mark.skipif(not SHELLS, reason="there is no shell here to run the tour")
@pytest.mark.parametrize(
    "shell", [pytest.param(shell, marks=pytest.mark.slow if shell == "bash" else ()) for shell in SHELLS or ["sh"]]
)
def test_shell_tour(shell: str, command: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in EXAMPLES.rglob("*") if path.is_file()}
    out = run([shell, EXAMPLES / "shell_tour.sh"], tmp_path, CHANGED, REHREF=str(command), NO_COLOR="1", COLUMNS="160")
    shown = re.findall(r"^\$ rehref (.+)$", out, re.MULTILINE)
    assert {line.split()[0] for line in shown} == {"links", "rewrite", "resolve", "parsers"}
    for option in ("--diff", "--to relative", "--map", "--explain", "--format jsonl", "--parser lxml", "-o"):
        assert any(option in line for line in shown), option
    assert "https://help.libreoffice.org/en-US/noscript.html" in out
    assert '+<base href="https://help.libreoffice.org/7.4/">' in out
    assert '+<link type="text/css" href="https://cdn.example/normalize-8.css" rel="Stylesheet">' in out
    assert "https://replay.example/20240229120000/https://help.libreoffice.org/7.4/" in out
    assert list(tmp_path.iterdir()) == []
    assert {path: path.read_bytes() for path in EXAMPLES.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not SHELLS, reason="there is no shell here to run the tour")
def test_shell_tour_takes_a_path_relative_to_where_one_is(tmp_path: Path) -> None:
    stub = tmp_path / "rehref"
    stub.write_text('#!/bin/sh\necho "called with $1"\n')
    stub.chmod(0o755)
    out = run([SHELLS[0], EXAMPLES / "shell_tour.sh"], tmp_path, REHREF="./rehref")
    assert "$ rehref parsers\ncalled with parsers\n" in out


@pytest.mark.skipif(not SHELLS, reason="there is no shell here to run the tour")
def test_shell_tour_ends_where_something_fails(tmp_path: Path) -> None:
    ran = subprocess.run(
        [SHELLS[0], EXAMPLES / "shell_tour.sh"],
        cwd=tmp_path,
        env=os.environ | {"REHREF": "false"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode != 0
    assert ran.stdout.count("$ rehref") == 1


# --- the examples of docs/problems.md


PROBLEMS = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")


def test_the_examples_of_problems_show_what_is_so() -> None:
    code = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PROBLEMS, re.DOTALL | re.MULTILINE))
    examples = doctest.DocTestParser().get_doctest(code, {}, "problems.md", "docs/problems.md", 0)
    assert len(examples.examples) > 10
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert "".join(said) == ""


def test_every_problem_has_a_section_and_an_example() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/rehref/documents").rglob("*.py"))
    codes = set(re.findall(r'(?:Problem|_of_fault)\(\s*"([a-z-]+)"', sources))
    assert set(re.findall(r"^## `(.+)`$", PROBLEMS, re.MULTILINE)) == codes
    assert set(re.findall(r"^\| \[`(.+)`\]\(#\1\) ", PROBLEMS, re.MULTILINE)) == codes
    assert {line.partition(": ")[0] for line in PROBLEMS.splitlines()} >= codes
