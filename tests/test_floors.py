"""The house stands: imports only run downward, and a module is one idea that it opens with."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
MODULES = sorted((SOURCE / "rehref").rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
LONGEST = 450
"""Lines of a module, at most."""

MOST_BESIDE = 20
"""Modules side by side in a folder, at most, beside its `__init__.py`."""

LINT = "from importlinter.cli import lint_imports_command as main; main()"


def module_id(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def lint(project: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the packages in `project/src`, by the contracts of its pyproject.toml."""
    return subprocess.run(
        [sys.executable, "-c", LINT, "--config", "pyproject.toml", "--no-cache", "--no-logo"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project / "src"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def layers() -> list[list[str]]:
    """The packages of each contract, topmost first; those on one floor count separately."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = [
        contract["layers"] for contract in settings["tool"]["importlinter"]["contracts"] if "layers" in contract
    ]
    return [[name.strip() for floor in floors for name in floor.split("|")] for floors in contracts]


class Opened(NamedTuple):
    """What is asked of a module: its docstring; its imports and expressions, wherever they are; its public classes."""

    docstring: str
    imports: list[ast.Import | ast.ImportFrom]
    expressions: list[ast.Call]
    classes: list[str]


@cache
def opened(path: Path) -> Opened:
    tree = ast.parse(path.read_bytes())
    found = Opened(ast.get_docstring(tree) or "", [], [], classes(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                found.imports.append(node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
                found.expressions.append(node)
    return found


def imports(path: Path) -> Iterator[str]:
    """The absolute names of the modules a module imports, anywhere in it."""
    for node in opened(path).imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert node.level == 0, "imports are absolute here"
            yield node.module or ""


def test_imports_only_run_downward() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 broken" in result.stdout


def test_an_import_that_runs_upward_would_be_noticed(tmp_path: Path) -> None:
    for name in ("", *chain.from_iterable(layers()), "rehref.uri.ordinary_references"):
        folder = tmp_path / "src" / "rehref" / Path(*name.split(".")[1:])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text("")
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    without = 'allow_indirect_imports = true\nunmatched_ignore_imports_alerting = "none"'  # these modules are not there
    settings = settings.replace("allow_indirect_imports = true", without)
    settings = settings.replace('ignore_imports = ["rehref -> rehref.plugins.**"]\n', "")
    (tmp_path / "pyproject.toml").write_text(settings)
    (tmp_path / "src/rehref/uri/__init__.py").write_text("import rehref.documents\n")
    result = lint(tmp_path)
    assert result.returncode == 1
    assert "an import only ever runs downward BROKEN" in result.stdout


def test_nothing_asks_for_cores_above_the_documents() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (each for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "forbidden")
    assert "ignore_imports" not in contract
    floors = layers()[0]
    above = {name for name in floors[: floors.index("rehref.documents")] if name != "rehref.__main__"}
    assert set(contract["source_modules"]) == above


def test_every_package_has_its_floor() -> None:
    tops = {module_id(path).split("/")[1].removesuffix(".py") for path in MODULES}
    assert {f"rehref.{top}" for top in tops - {"__init__", "_version"}} == set(layers()[0])


def test_uri_needs_nothing_but_the_standard_library() -> None:
    others = []
    for path in MODULES:
        if path.is_relative_to(SOURCE / "rehref/uri"):
            allowed = sys.stdlib_module_names | {"rehref"} | ({"ada_url"} if path.name == "_whatwg.py" else set())
            others += [(module_id(path), name) for name in imports(path) if name.partition(".")[0] not in allowed]
    assert others == []


def test_every_module_opens_with_a_docstring() -> None:
    assert [module_id(path) for path in MODULES if not opened(path).docstring.strip()] == []


def test_no_module_is_long() -> None:
    lengths = {module_id(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines >= LONGEST} == {}


def test_no_folder_has_many_modules_side_by_side() -> None:
    beside = {module_id(folder): len({*folder.glob("*.py")} - {folder / "__init__.py"}) for folder in FOLDERS}
    assert {name: many for name, many in beside.items() if many > MOST_BESIDE} == {}


def says_what_it_is_for(docstring: str) -> bool:
    """Whether a docstring has a summary, and a sentence of five words or more after it."""
    summary, _, rest = docstring.partition("\n\n")
    sentences = [found[1] for found in re.finditer(r"^(?:1\. )?([A-Z`].+?\.)$", rest, re.MULTILINE | re.DOTALL)]
    return summary.endswith(".") and any(len(sentence.split()) >= 5 for sentence in sentences)


def test_each_folder_says_what_it_is_for() -> None:
    docstrings = {module_id(folder): opened(folder / "__init__.py").docstring for folder in FOLDERS}
    assert [name for name, text in docstrings.items() if not says_what_it_is_for(text)] == []
    assert not says_what_it_is_for("A summary.\n\nToo short.")


def dotted(path: Path) -> str:
    """The name of a module."""
    return module_id(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def module_names() -> frozenset[str]:
    return frozenset(map(dotted, MODULES))


def imported(path: Path) -> set[str]:
    """The modules of ours that a module imports, for types alone, too; not the packages that they are in."""
    names = module_names()
    found = set()
    for node in opened(path).imports:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & names) or {node.module or ""}
    return found & names


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The modules that import each other: what is left when those that import nothing that is left are taken away."""
    left = {name: set(others) - {name} for name, others in graph.items()}
    for _ in range(2):  # once from below, once from above
        while ends := {name for name, others in left.items() if others.isdisjoint(left)}:
            left = {name: others for name, others in left.items() if name not in ends}
        left = {name: {each for each in left if name in left[each]} for name in left}
    return [set(left)] if left else []


def test_no_modules_import_each_other() -> None:
    assert circles({dotted(path): imported(path) for path in MODULES}) == []


def test_a_circle_would_be_noticed() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a"}}) == [{"b", "c"}]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def classes(tree: ast.Module) -> list[str]:
    """The names of the public classes at the top of a module."""
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def twice(names: Iterator[str]) -> set[str]:
    return {name for name, many in Counter(names).items() if many > 1}


def test_no_two_classes_have_one_name() -> None:
    assert twice(chain.from_iterable(opened(path).classes for path in MODULES)) == set()
    tree = ast.parse("class A: ...\nclass _B: ...")
    assert twice(chain.from_iterable([classes(tree), classes(tree)])) == {"A"}


def test_the_modules_were_found() -> None:
    assert {"rehref/__init__.py", "rehref/uri/_rfc3986.py", "rehref/markup/_source/scan.py"} <= set(
        map(module_id, MODULES)
    )


def test_the_picture_of_the_rooms_is_what_the_linter_holds() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    arrows = re.search(r"^ +(\w+(?: --> \w+)+)$", page, re.MULTILINE)
    assert arrows is not None
    low = {"__main__", "option_rows", "exceptions", "integrations", "spark"}
    assert arrows[1].split(" --> ") == [name.removeprefix("rehref.") for name in layers()[0] if name[7:] not in low]
    boxes = dict(re.findall(r'^ +(\w+)\["(.*?)"\]$', page, re.MULTILINE))
    assert [*boxes] == arrows[1].split(" --> ")


def test_the_table_of_the_twin_has_every_file_of_it() -> None:
    page = (ROOT / "docs" / "twin.md").read_text(encoding="utf-8")
    table = page.partition("\n| C | knows | twin of |\n")[2].partition("\n\n")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines()[1:]]
    named = {name for files, _ in rows for name in re.findall(r"`(\w+)(?:\.h)?`", files)}
    folder = SOURCE / "rehref" / "_native"
    assert named == {path.stem for path in folder.glob("*.[ch]")}
    binding = {name for files, what in rows if "binding" in what for name in re.findall(r"`(\w+)(?:\.h)?`", files)}
    using = {path.stem for path in folder.glob("*.[ch]") if "PyObject" in path.read_text(encoding="utf-8")}
    assert using - binding == {"links_as_json", "json_text", "json_reading", "json_strings", "given"}


_C_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DEFINED = re.compile(r"^(?!static|typedef|enum|return)[A-Za-z_][\w ]*[ *](\w+)\([^;{}]*\)\s\{$", re.MULTILINE)


def test_no_files_of_the_twin_call_each_other() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (SOURCE / "rehref" / "_native").glob("*.c")}
    where = {name: stem for stem, text in texts.items() for name in _DEFINED.findall(text)}
    assert where["scan_table"] == "table_places"
    own = {stem: set(re.findall(r"^static [^;{}(]*?(\w+)\(", text, re.MULTILINE)) for stem, text in texts.items()}
    calls = re.compile(r"\w+(?=\()|(?<=\(PyCFunction\))\w+|(?<=\(getter\))\w+")
    words = {stem: {*calls.findall(_C_COMMENT.sub("", text))} - own[stem] for stem, text in texts.items()}
    called = {stem: {where[word] for word in words[stem] & where.keys()} - {stem} for stem in texts}
    assert "table_places" in called["scans"]
    list(TopologicalSorter(called).static_order())  # raises if there is a circle


NO_MARKUP = {
    "rehref/uri/_syntaxes/css.py": "a syntax of CSS is written <url>",
    "rehref/site/_ignoring.py": "comments that leave something out are in Markdown, scripts and templates, too",
    "rehref/documents/media_types.py": "the patterns of the MIME Sniffing Standard",
    "rehref/documents/_not_well_formed.py": "the version of XML, which expat decides",
    "rehref/archives/_copies/inlining.py": "words that save reading a file",
    "rehref/files/_saved_from.py": "words that save reading a page",
    "rehref/text/encoding.py": "the encoding must be known before anything is read",
}
"""The modules outside of the cores that have an expression with a tag, a comment or a declaration, and why."""

_OF_EXPRESSIONS = re.compile(r"\(\?<[=!]|\(\?P<\w+>|\\g<")
_LIKE_MARKUP = re.compile(r"<(?:[A-Za-z!/?]|\\\?|\((?:\?[:=!]|/)|\[A-Za-z|\[\^<?>)")


def has_markup(node: ast.Call) -> bool:
    """Whether an expression that is compiled there looks like markup."""
    values = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    texts = (value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in values)
    return any(_LIKE_MARKUP.search(_OF_EXPRESSIONS.sub("", text)) for text in texts)


def test_only_the_cores_have_expressions_for_markup() -> None:
    cores = SOURCE / "rehref/markup", SOURCE / "rehref/documents/_markdown"
    outside = (path for path in MODULES if not any(map(path.is_relative_to, cores)))
    found = {module_id(path) for path in outside if any(map(has_markup, opened(path).expressions))}
    assert found == set(NO_MARKUP)
