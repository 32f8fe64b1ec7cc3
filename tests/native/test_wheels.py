"""What a wheel and the source distribution of rehref consist of, and what their names say of it.

They are built by the build backend itself, in a copy of the project, without the network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from rehref._native import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "src" / "rehref" / "_native"
PARTS = ("src", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE", "docs")

Build = Callable[..., "subprocess.CompletedProcess[str]"]


def has_backend() -> bool:
    """Whether there is a setuptools that can build rehref."""
    try:
        return int(version("setuptools").split(".")[0]) >= 77
    except PackageNotFoundError:
        return False


def has_compiler() -> bool:
    """Whether the twin can be compiled here."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(compiler) is not None and Path(sysconfig.get_paths()["include"], "Python.h").exists()


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="the source of rehref is not here"),
    pytest.mark.skipif(not has_backend(), reason="there is no setuptools 77 or later"),
]
needs_compiler = pytest.mark.skipif(not has_compiler(), reason="there is no C compiler, or no Python.h")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project in which nothing was built."""
    copy = tmp_path / "project"
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, copy / part, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
            )
        else:
            copy.mkdir(exist_ok=True)
            shutil.copy(source, copy / part)
    return copy


def build(folder: Path, what: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Have the backend build a `wheel` or an `sdist` in `folder/dist`."""
    code = f"import setuptools.build_meta as backend; backend.build_{what}('dist')"
    (folder / "dist").mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if name not in (VARIABLE, "PYTHONPATH")}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=clean | environment, capture_output=True, text=True, check=False
    )


def built(folder: Path, what: str, **environment: str) -> Path:
    """The one file that came of building."""
    ran = build(folder, what, **environment)
    assert ran.returncode == 0, ran.stderr
    (made,) = (folder / "dist").iterdir()
    return made


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def twins_in(wheel: Path) -> list[str]:
    return [name for name in names_in(wheel) if name.startswith("rehref/_native/_twin.")]


@needs_compiler
def test_a_wheel_with_the_twin_is_for_this_platform_and_all_later_pythons(project: Path) -> None:
    wheel = built(project, "wheel", REHREF_NATIVE="require")
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    assert wheel.name.endswith(f"-cp311-abi3-{platform}.whl")
    assert len(twins_in(wheel)) == 1
    assert not [name for name in names_in(wheel) if name.endswith((".c", ".h"))]
    assert "rehref/py.typed" in names_in(wheel)
    reports = ROOT / "src/rehref/reports"
    pages = {f"rehref/reports/{path.relative_to(reports).as_posix()}" for path in reports.rglob("*.*")}
    assert {name for name in pages if name.endswith((".html", ".css", ".js"))} <= names_in(wheel)
    assert "rehref/_native/__init__.py" in names_in(wheel)


@needs_compiler
def test_the_twin_of_a_wheel_is_the_one_that_runs(project: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(built(project, "wheel", REHREF_NATIVE="require")) as archive:
        archive.extractall(tmp_path / "installed")
    code = "import rehref._native as native; print(native.TWIN.__file__)"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "installed"), VARIABLE: "require"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert str(tmp_path / "installed") in ran.stdout, ran.stderr


@pytest.mark.parametrize("environment", [{"CC": "/nonexistent/cc"}, {VARIABLE: "no"}], ids=["no compiler", "no wish"])
@pytest.mark.skipif(os.name == "nt", reason="CC names the compiler on other systems only")
def test_a_wheel_without_the_twin_is_for_any_python_and_platform(project: Path, environment: dict[str, str]) -> None:
    wheel = built(project, "wheel", **environment)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not twins_in(wheel)
    assert {"rehref/_native/__init__.py", "rehref/problems.md"} <= names_in(wheel)
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
        assert "Root-Is-Purelib: true" in archive.read(name).decode()


@needs_compiler
@pytest.mark.skipif(os.name == "nt", reason="CC names the compiler on other systems only")
def test_what_was_built_before_is_in_no_later_wheel_that_could_not_build_it(project: Path) -> None:
    built(project, "wheel").unlink()
    assert twins_in(built(project, "wheel", CC="/nonexistent/cc")) == []


@pytest.mark.skipif(os.name == "nt", reason="CC names the compiler on other systems only")
def test_a_build_that_requires_the_twin_fails_without_a_compiler(project: Path) -> None:
    assert build(project, "wheel", CC="/nonexistent/cc", REHREF_NATIVE="require").returncode != 0
    assert not list((project / "dist").iterdir())


def test_a_wish_that_there_is_not_is_an_error(project: Path) -> None:
    ran = build(project, "wheel", REHREF_NATIVE="yes")
    assert ran.returncode != 0
    assert "there are require and no" in ran.stderr


def test_the_source_has_all_that_the_twin_is_made_of(project: Path, tmp_path: Path) -> None:
    source = built(project, "sdist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    inside = {path.name for path in (unpacked / "src" / "rehref" / "_native").iterdir()}
    assert inside == {path.name for path in NATIVE.iterdir() if path.suffix in (".c", ".h", ".py")}
    assert (unpacked / "LICENSE").exists()
    wish = {VARIABLE: "require"} if has_compiler() else {}
    wheel = built(unpacked, "wheel", **wish)
    assert len(twins_in(wheel)) == len(wish)
    assert "rehref/problems.md" in names_in(wheel)  # which rehref explain shows


def test_a_release_has_the_wheels_that_the_configuration_names() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\{ build: (\S+),", workflow)) == sorted(configuration["build"])
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    for name in configuration["build"]:
        assert name in page
