"""Draws mutants of the modules that find, resolve and write references, and runs the tests on each.

- A mutant is the source with one small change: in an operator, a constant, a keyword, a decorator, an exception or a
  loop, as cosmic-ray makes them; or without one statement of a function.
- A seed draws them: first as many places in the source, then for each place one of the changes that are possible
  there. So `+`, which can become eleven other operators, counts as often as `not`.
- A change without effect in Python is not a mutant: a change in annotations only, and `==` instead of `is` or the
  reverse.
- The tests in `TESTS` that call the changed code run on each mutant, until one fails (`mutation_plugin`): with the
  same generated examples each time, and without the compiled twin, which would do the work instead. They run on a
  survivor again, with the twin, since some code only calls it. If the changed code is called while modules are
  imported, the mutant is in a copy of the source, and all tests of its module run on it.
- `tests/equivalent_mutants.txt` lists the mutants that no test can kill, each with the reason. A listed mutant that is
  killed is reported, and so is a survivor that is not listed: exit code 1.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import parso.python.tree
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src/rehref"
LISTED = ROOT / "tests/equivalent_mutants.txt"

URI = [
    "tests/uri",
    *(f"tests/documents/test_{name}.py" for name in ("base", "bound_resolver", "long_bases", "problems")),
]
TESTS = {
    "uri": URI,
    "markup/_source/splicing.py": ["tests/markup/test_splicing.py", "tests/markup/test_source_writing.py"],
    "rewriting": [
        *("tests/rewriting", "tests/documents/test_twin.py"),
        *("tests/archives/test_inlining.py", "tests/cli/test_cli_inlining.py"),
        *("tests/cli/test_cli_offline.py", "tests/cli/test_cli_unpack.py"),
    ],
    "documents": ["tests/documents"],
    "containers/_warc": [
        f"tests/containers/{path.name}" for path in sorted((ROOT / "tests/containers").glob("*warc*"))
    ],
    "site/_pages": [
        f"tests/site/test_{name}.py"
        for name in (
            *("engine", "misspelt_schemes", "not_fetched", "page_scripts", "pages", "refresh_loops", "registry"),
            *("sites", "unreadable_urls", "values_and_names", "whole_check", "works_in_browsers", "written"),
        )
    ],
}
"""The modules and folders below `src/rehref` to mutate, and the tests for them."""
SAME = ("Is_Eq", "Eq_Is", "IsNot_NotEq", "NotEq_IsNot", "NoOp")
"""The ends of the names of operators whose mutants have no effect."""


class Mutant(NamedTuple):
    """One change of one module."""

    module: str
    line: int
    operator: str
    where: str
    """The function, and the number of the line among its equal lines."""
    old: str
    new: str
    """The line before and after the change."""
    code: str

    @property
    def name(self) -> str:
        """The name in `LISTED`: it stays the same when the lines above move."""
        return f"{self.module}\t{self.where}\t{self.old}\t{self.new}"


class Outcome(NamedTuple):
    """The outcome for a mutant: the test or the limit that it was killed `by`; "" if it survives."""

    mutant: Mutant
    by: str


class Place(NamedTuple):
    """A place that can be changed, and how: operators, each with the number of the place among those that it finds."""

    path: Path
    ways: list[tuple[str, int]]


class LeaveOut(Operator):
    """Removes one statement of a function."""

    def mutation_positions(self, node: parso.tree.NodeOrLeaf) -> Iterator[tuple[object, object]]:
        """The statement, if it does something."""
        if node.type == "simple_stmt" and parso.tree.search_ancestor(node, "funcdef"):
            first = node.children[0]
            is_only_said = first.type in ("string", "import_from", "import_name", "assert_stmt")
            is_declaration = (
                first.type == "expr_stmt"
                and first.children[1].type == "annassign"
                and "=" not in [each.value for each in first.children[1].children if hasattr(each, "value")]
            )
            if not is_only_said and not is_declaration:
                yield node.start_pos, node.end_pos

    def mutate(self, node: parso.tree.NodeOrLeaf, index: int) -> parso.tree.NodeOrLeaf:
        """`pass` in its place."""
        first = node.get_first_leaf()
        lines = node.children[0].get_code(include_prefix=False).count("\n")  # the lines below stay where they are
        node.children[0] = parso.python.tree.Keyword("pass" + "\n" * lines, node.start_pos, first.prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """None; cosmic-ray requires this method."""
        return ()


def operators() -> Iterator[tuple[str, Operator]]:
    """Each operator that needs no arguments, by its name."""
    yield "LeaveOut", LeaveOut()
    for full_name in operator_names():
        made = get_operator(full_name)
        name = full_name.rpartition("/")[2]
        if not made.arguments() and not name.endswith(SAME):
            yield name, made()


def places(path: Path) -> list[Place]:
    """The places where a module can be changed, from its beginning to its end."""
    nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
    found: dict[tuple[object, str], list[tuple[str, int]]] = {}
    for name, operator in operators():
        positions = (where for node in nodes for where in operator.mutation_positions(node))
        for occurrence, where in enumerate(positions):
            found.setdefault((where, name.partition("_")[0]), []).append((name, occurrence))
    return [Place(path, found[key]) for key in sorted(found)]


def drawn(paths: Iterable[Path], number: int, seed: int) -> list[Mutant]:
    """Up to `number` mutants, at different places."""
    by_name = dict(operators())
    generator = random.Random(seed)
    everywhere = [place for path in paths for place in places(path)]
    generator.shuffle(everywhere)
    found: list[Mutant] = []
    for path, ways in everywhere:
        if len(found) == number:
            break
        name, occurrence = generator.choice(ways)
        source = path.read_text(encoding="utf-8")
        code = mutate_code(source, by_name[name], occurrence)
        if code is None or meaning(code) in ("", meaning(source)):
            continue
        before = [line.strip() for line in source.splitlines()]
        after = [line.strip() for line in code.splitlines()]
        line = next(at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
        function, first = around(source, line + 1)
        where = f"{function} {before[first : line + 1].count(before[line])}"
        module = path.relative_to(PACKAGE).as_posix()
        found.append(Mutant(module, line + 1, name, where, before[line], after[line], code))
    return sorted(found)


def around(source: str, line: int) -> tuple[str, int]:
    """The function that a line is part of, and where it begins; "-" and 0 outside of any."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    found = [(each.name, each.lineno - 1) for each in functions if each.lineno <= line <= (each.end_lineno or 0)]
    return found[-1] if found else ("-", 0)


def meaning(code: str) -> str:
    """A text that is equal for sources with the same effect; "" if the source is not Python."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        for annotation in ("annotation", "returns"):
            if hasattr(node, annotation):
                setattr(node, annotation, None)
    return ast.dump(tree)


def tests_of(module: str) -> list[str]:
    """The tests for a module."""
    (below,) = [name for name in TESTS if module == name or module.startswith(name + "/")]
    return TESTS[below]


def pytest(
    python: str, source: Path, tests: Iterable[str], *options: str, native: str = "no", **variables: str
) -> list[str]:
    """Run tests on a source, and return their output if one fails. `native`: as REHREF_NATIVE."""
    command = [python, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--apart", "--no-header", "--tb=no"]
    command += [*options, "--hypothesis-profile", "mutants", "-m", "not slow and not browser and not spark", *tests]
    environment = {
        "PYTHONPATH": f"{source}:{ROOT / 'tests'}:{Path(__file__).parent}",  # a module of `tests` before a script
        "PYTHONDONTWRITEBYTECODE": "1",
        "REHREF_EXAMPLES": "all",
        "REHREF_NATIVE": native,
    }
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment | variables, stdout=subprocess.PIPE, text=True, check=False
    )
    return [] if result.returncode == 0 else [*result.stdout.splitlines(), f"exit code {result.returncode}"]


def tried_together(python: str, mutants: list[Mutant], native: str) -> dict[Mutant, str | None]:
    """What kills each mutant; "" for nothing, None if it must be tried alone (see `mutation_plugin`)."""
    tests = sorted({test for mutant in mutants for test in tests_of(mutant.module)})
    keys = ("number", "path", "code")
    paths = [str(PACKAGE / mutant.module) for mutant in mutants]
    listed = [dict(zip(keys, (at, paths[at], mutant.code), strict=True)) for at, mutant in enumerate(mutants)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mutants.json")
        file.write_text(json.dumps(listed), encoding="utf-8")
        said = pytest(python, ROOT / "src", tests, "-p", "mutation_plugin", native=native, REHREF_MUTANTS=str(file))
        try:
            lines = file.with_suffix(".out").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            raise SystemExit("\n".join(said)) from None
    return {mutants[line["number"]]: line["by"] for line in map(json.loads, lines)}


def tried_alone(python: str, mutant: Mutant) -> str:
    """What kills a mutant in a copy of the source; "" for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "src")
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        (source / "rehref" / mutant.module).write_text(mutant.code, encoding="utf-8")
        said = pytest(python, source, tests_of(mutant.module), "-x", "-W", "ignore::SyntaxWarning")
    failed = [line.partition(" - ")[0] for line in said if line.startswith(("FAILED", "ERROR"))]
    return [*failed, *said[-1:], ""][0]


def tried(python: str, mutants: list[Mutant]) -> list[Outcome]:
    """The outcomes for mutants."""
    by = tried_together(python, mutants, "no")
    alone = [mutant for mutant in mutants if by[mutant] is None]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        by |= zip(alone, pool.map(lambda mutant: tried_alone(python, mutant), alone), strict=True)
    survivors = [mutant for mutant in mutants if by[mutant] == ""]
    if survivors:
        by |= tried_together(python, survivors, "")
    return [Outcome(mutant, by[mutant] or "") for mutant in mutants]


def equivalent() -> dict[str, str]:
    """The mutants that no test can kill, and why."""
    lines = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {name: reason for name, _, reason in (line.rpartition("\t") for line in lines)}


def main() -> int:
    """Draw mutants, try them, report. The exit code is 1 if one survives that is not known."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="the Python with the packages of the tests")
    parser.add_argument("--mutants", type=int, default=400, metavar="N", help="how many to draw")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="try only mutants whose module or line contains this"
    )
    parser.add_argument("--over", nargs="+", choices=TESTS, default=list(TESTS), help="the modules to draw from")
    parser.add_argument("--draw", action="store_true", help="only print which mutants are drawn")
    options = parser.parse_args()

    paths = [path for name in options.over for path in sorted((PACKAGE / name).rglob("*.py")) or [PACKAGE / name]]
    mutants = [mutant for mutant in drawn(paths, options.mutants, options.seed) if options.only in mutant.name]
    if options.draw:
        print(*(f"{mutant.module}:{mutant.line}\t{mutant.operator}\t{mutant.new}" for mutant in mutants), sep="\n")
        return 0
    return report(tried(options.python, mutants), equivalent())


def report(outcomes: list[Outcome], listed: dict[str, str]) -> int:
    """Print the outcomes, module by module; return the exit code."""
    drawn_of = Counter(outcome.mutant.module for outcome in outcomes)
    killed_of = Counter(outcome.mutant.module for outcome in outcomes if outcome.by)
    for module, number in sorted(drawn_of.items()):
        print(f"{module:32} {killed_of[module]:4} of {number:4} killed")
    survivors = [outcome.mutant for outcome in outcomes if outcome.by == ""]
    for mutant in survivors:
        print(f"survives: {mutant.module}:{mutant.line} ({mutant.where})\t{mutant.operator}")
        print(f"  - {mutant.old}\n  + {mutant.new}")
        print(f"    equivalent: {listed[mutant.name]}" if mutant.name in listed else "    not listed")
    wrongly = [outcome for outcome in outcomes if outcome.by and outcome.mutant.name in listed]
    for mutant, by in wrongly:
        print(f"listed, but killed: {mutant.module}:{mutant.line} by {by}\n  - {mutant.old}\n  + {mutant.new}")
    unlisted = [mutant for mutant in survivors if mutant.name not in listed]
    killed = sum(killed_of.values())
    print(f"{len(outcomes)} mutants: {killed} killed ({killed / max(1, len(outcomes)):.1%}), ", end="")
    print(f"{len(survivors) - len(unlisted)} equivalent, {len(unlisted)} survive")
    return 1 if unlisted or wrongly else 0


if __name__ == "__main__":
    sys.exit(main())
