"""Commands of other packages, and those of `rehref.plugins`: found, listed, configured, and taken away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rehref
from patience import PATIENCE
from rehref.cli.program import command_names

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(rehref.__file__).parent
PLUGINS = sorted(each.name for each in (SOURCE / "plugins").iterdir() if (each / "__init__.py").exists())
IMPORT_ALL = """
import importlib, pkgutil, sys, rehref
for each in pkgutil.walk_packages(rehref.__path__, "rehref."):
    if each.name.endswith("__main__") or each.name.startswith(("rehref.integrations", "rehref.spark")):
        continue  # which only hand on names of plug-ins
    try:
        importlib.import_module(each.name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] == "rehref":
            raise
print(sum(name.startswith("rehref.") for name in sys.modules))
"""
"""Imports every module that needs no package that is not there."""
HELP_OF_ALL = """
import sys
from click.testing import CliRunner
from rehref.cli.program import program
for name in sys.argv[1:]:
    found = CliRunner().invoke(program, [name, "--help"])
    assert (found.exit_code, found.output.startswith("Usage:")) == (0, True), (name, found)
"""
PAGE = "<a href=http://a.example/1><a href=http://b.example/2><a href=http://a.example/3><a href=x>"


def run_python(folder: Path, *arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def run(folder: Path, *arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    return run_python(folder, "-m", "rehref", *arguments, path=path)


def installed(folder: Path, *lines: str) -> Path:
    """A folder for the path with the metadata of a package that registers commands, and the example beside it."""
    metadata = folder / "site" / "others-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(("[rehref.commands]", *lines, "")))
    shutil.copy(ROOT / "examples/hosts_command.py", folder / "site")
    (folder / "page.html").write_text(PAGE)
    return folder / "site"


def test_a_command_of_another_package(tmp_path: Path) -> None:
    path = installed(tmp_path, "hosts = hosts_command:command")
    found = run(tmp_path, "hosts", "page.html", "--url", "http://c.example/", path=path)
    assert found.stdout == "     2 a.example\n     1 b.example\n     1 c.example\n"
    assert "\n  hosts      Count the references to each host.\n" in run(tmp_path, "--help", path=path).stdout
    assert "Count the references in FILES" in run(tmp_path, "help", "hosts", path=path).stdout
    assert "did you mean hosts?" in run(tmp_path, "hostss", path=path).stderr
    assert len((ROOT / "examples/hosts_command.py").read_text().splitlines()) < 40


def test_ours_cannot_be_replaced(tmp_path: Path) -> None:
    path = installed(tmp_path, "links = hosts_command:command", "mv = hosts_command:command")
    assert run(tmp_path, "links", "page.html", "--format", "jsonl", path=path).stdout.count('"reference"') == 4
    assert "[OPTIONS] OLD NEW" in run(tmp_path, "mv", "--help", path=path).stdout


@pytest.mark.parametrize(
    "line", ["broken = nowhere:command", "broken = hosts_command:nothing", "broken = hosts_command:Path"]
)
def test_a_broken_package_breaks_no_other_command(tmp_path: Path, line: str) -> None:
    path = installed(tmp_path, "hosts = hosts_command:command", line)
    (tmp_path / "rehref.toml").write_text('[links]\nformat = "jsonl"\n')
    assert run(tmp_path, "links", "page.html", path=path).stdout.count('"reference"') == 4
    assert "(cannot be loaded)" in run(tmp_path, "--help", path=path).stdout
    assert run(tmp_path, "hosts", "page.html", path=path).returncode == 0
    broken = run(tmp_path, "broken", "--any", "x", path=path)
    assert broken.returncode == 2
    assert broken.stderr.startswith("rehref: the command broken: (")
    assert broken.stderr.endswith("; update or uninstall its package\n")
    assert broken.stderr.count("\n") == 1


def test_a_table_for_a_command_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    path = installed(tmp_path, "hosts = hosts_command:command")
    (tmp_path / "rehref.toml").write_text("[hots]\nurl = 'http://c.example/'\n")
    assert "hots is not an option that commands share" in run(tmp_path, "links", "page.html", path=path).stderr
    (tmp_path / "rehref.toml").write_text("[hosts]\nlink = 'http://c.example/'\n")
    assert "hosts.link is not an option" in run(tmp_path, "links", "page.html", path=path).stderr


@pytest.mark.sampled(7)
@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_can_be_taken_away(tmp_path: Path, plugin: str) -> None:
    ignored = shutil.ignore_patterns("*.c", "*.h")
    shutil.copytree(SOURCE, tmp_path / "src/rehref", ignore=ignored)  # with what is compiled
    shutil.rmtree(tmp_path / "src/rehref/plugins" / plugin)
    (tmp_path / "page.html").write_text(PAGE)
    path = tmp_path / "src"
    every = run_python(tmp_path, "-c", IMPORT_ALL, path=path)
    assert every.returncode == 0, every.stderr
    assert int(every.stdout) > 400
    left = run(tmp_path, "--help", path=path).stdout
    names = [name for name in command_names(installed=False) if name != plugin]
    assert [name for name in names if f"\n  {name} " not in left] == []
    assert run(tmp_path, "links", "page.html", path=path).returncode == 0
    assert run(tmp_path, "check", ".", "--write-baseline", "known.json", path=path).returncode in (0, 1)
    assert run(tmp_path, "rewrite", "--in-place", "page.html", "--url", "http://h/", path=path).returncode == 0
    every = run_python(tmp_path, "-c", HELP_OF_ALL, *names, path=path)
    assert every.returncode == 0, every.stderr
    assert run(tmp_path, plugin, "--help", path=path).returncode == 2
