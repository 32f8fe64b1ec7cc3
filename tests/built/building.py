"""Sites built by generators, from the sources in `fixtures/generators`.

- `generators.json` says of each what it needs and how it is run. Those with `packages` come from PyPI, into a virtual
  environment; those with a `package.json` from npm. Their versions are pinned. Those with `debian` are built where
  these packages of Debian are installed, in the version that it has.
- All is kept below a folder that git ignores (`REHREF_GENERATORS`, else `.generators` in the project): an environment
  for each set of packages, a site for each generator. What was made from the same is not made again.
- Nothing that was built is changed: who wants to change a site copies it. One process builds at a time.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "fixtures" / "generators"
SECONDS = 1800
_ENVIRONMENT = {
    "CI": "1",
    "NO_UPDATE_NOTIFIER": "1",
    "ASTRO_TELEMETRY_DISABLED": "1",
    "NO_COLOR": "1",
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
}


class NotBuiltError(Exception):
    """A site cannot be built; the text says why, for people."""


class NotInstalledError(NotBuiltError):
    """What builds a site is not here, and cannot be installed: no package index, no npm, no package of Debian."""


@dataclass(frozen=True, slots=True)
class Generator:
    """What builds a site. `packages`: those from PyPI; `debian`: those of Debian; neither: it comes from npm.

    `url`: where the site is to be. `command`: `SITE` stands for the folder to write to, where `output` does not say
    which it is. `lychee`: options that lychee needs for such a site.
    """

    name: str
    title: str
    command: Sequence[str]
    url: str
    source: str
    packages: Sequence[str] = ()
    debian: Sequence[str] = ()
    output: str | None = None
    lychee: Sequence[str] = ()

    @property
    def is_from_pypi(self) -> bool:
        """Whether it is installed with pip."""
        return bool(self.packages)

    @property
    def is_from_npm(self) -> bool:
        """Whether it is installed with npm."""
        return not self.packages and not self.debian

    @property
    def version(self) -> str:
        """The version of its first package. Raises `NotInstalledError` for one of Debian that is not here."""
        if self.is_from_pypi:
            return self.packages[0].partition("==")[2]
        if self.debian:
            return re.split("[-+]", _debian_versions(self.debian[:1])[0])[0]  # without Debian's revision
        wanted = json.loads((SOURCES / self.source / "package.json").read_text(encoding="utf-8"))["dependencies"]
        return str(next(iter(wanted.values())))


def generators() -> Mapping[str, Generator]:
    """All of them, by name."""
    read = json.loads((SOURCES / "generators.json").read_text(encoding="utf-8"))
    return {name: Generator(name=name, **{"source": name, **said}) for name, said in read.items()}


def cache() -> Path:
    """Where all is kept."""
    return Path(os.environ.get("REHREF_GENERATORS") or ROOT / ".generators")


def is_built(generator: Generator) -> bool:
    """Whether the site is there, and was made from what its source is now. Raises `NotInstalledError`."""
    stamp = cache() / generator.name / "stamp"
    return stamp.is_file() and stamp.read_text(encoding="ascii") == _fingerprint(generator)


def build(generator: Generator) -> Path:
    """The folder of a generator's site, built if it is not there yet. Raises `NotBuiltError`, `NotInstalledError`."""
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_built(generator):
            _build(generator)
    return cache() / generator.name / "site"


def _build(generator: Generator) -> None:
    source, place = SOURCES / generator.source, cache() / generator.name
    site = place / "site"
    made_from = _fingerprint(generator)
    shutil.rmtree(place, ignore_errors=True)
    if generator.is_from_pypi:
        work = place / "work"
        command = [str(_environment(generator.packages)), *generator.command[1:]]
    else:
        work = place / "work" if generator.debian else _project(source)
        command = list(generator.command)
    shutil.copytree(source, work, dirs_exist_ok=True)
    _run([str(site) if word == "SITE" else word for word in command], work)
    if generator.output is not None:
        shutil.move(work / generator.output, site)
    if not any(site.rglob("*.html")):
        raise NotBuiltError(f"{generator.title} wrote no page")
    (place / "stamp").write_text(made_from, encoding="ascii")


def _fingerprint(generator: Generator) -> str:
    """What a site is made from."""
    source = SOURCES / generator.source
    packages = generator.packages or _debian_versions(generator.debian)
    digest = hashlib.sha256(repr((packages, generator.command, generator.output)).encode())
    for path in sorted(path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(f"\0{path.relative_to(source).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _environment(packages: Sequence[str]) -> Path:
    """The Python of a virtual environment with these packages."""
    folder = cache() / "pypi" / hashlib.sha256("\n".join(packages).encode()).hexdigest()[:12]
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        _install([sys.executable, "-m", "venv", str(folder)], ROOT)
        _install(
            [
                str(python),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--retries",
                "1",
                "--disable-pip-version-check",
                *packages,
            ],
            ROOT,
        )
        done.write_text("\n".join(packages), encoding="ascii")
    return python


def _debian_versions(packages: Sequence[str]) -> list[str]:
    """The versions of packages of Debian, by their names. Raises `NotInstalledError` if not all are installed."""
    if not packages:
        return []
    try:
        said = _run(["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Version}\n", *packages], ROOT)
    except NotBuiltError:
        said = ""
    versions = re.findall("^installed (.+)", said, re.MULTILINE)
    if len(versions) < len(packages):
        raise NotInstalledError(f"not installed: apt-get install --no-install-recommends {' '.join(packages)}")
    return versions


def _project(source: Path) -> Path:
    """A folder with what a `package.json` asks for installed, and nothing else of the project."""
    if shutil.which("npm") is None:
        raise NotInstalledError("npm is not installed")
    wanted = (source / "package.json").read_bytes()
    folder = cache() / "npm" / hashlib.sha256(wanted).hexdigest()[:12]
    done = folder / "node_modules" / ".installed"
    if done.is_file():
        for path in folder.iterdir():
            if path.name != "node_modules":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_bytes(wanted)
    _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], folder)
    done.touch()
    return folder


def _install(words: Sequence[str], folder: Path) -> None:
    try:
        _run(words, folder)
    except NotBuiltError as error:
        raise NotInstalledError(str(error)) from error


def _run(words: Sequence[str], folder: Path) -> str:
    """What a command says, run in a folder. Raises `NotBuiltError` with the end of what it said if it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FORCE_COLOR")}
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env={**environment, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuiltError(f"{words[0]}: {error}") from error
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise NotBuiltError(f"{' '.join(words)}: exit code {done.returncode}: {' | '.join(said[-8:])}")
    return done.stdout
