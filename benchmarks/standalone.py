"""A standalone Spark master with two workers, on loopback, and an environment for them with only rehref's wheel.

- The system chooses the ports; the master's log shows its own port, and which workers have registered.
- Master and workers start without PYTHONPATH: a task has the packages that are installed for `PYSPARK_PYTHON`, and
  those of Spark.
- All processes are ended, however the block ends.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("src", "docs", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE")
"""The files from which a wheel is built."""
CORES = 1
MEMORY = "1g"
_WORKERS = 2
_SECONDS = 600
_STARTED = re.compile(r"Starting Spark master at (spark://127\.0\.0\.1:[0-9]+)").search
_REGISTERED = re.compile(r"Registering worker ").findall


class Cluster(NamedTuple):
    """A running cluster: the master's URL, and the processes, the master's first."""

    master: str
    processes: Sequence[subprocess.Popen[bytes]]


def home() -> Path:
    """The folder of Spark, in the package pyspark."""
    import pyspark

    return Path(pyspark.__file__).parent


def environment(python: Path | str = sys.executable, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of all processes of Spark; `python`: the interpreter of workers."""
    clean = {name: value for name, value in given.items() if name != "PYTHONPATH"}
    return clean | {
        "SPARK_HOME": str(home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": str(python),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def arguments(master: str) -> str:
    """`PYSPARK_SUBMIT_ARGS` for a master: a session without its own master uses it."""
    settings = ("spark.ui.enabled=false", "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1")
    return f"--master {master} {' '.join(f'--conf {each}' for each in settings)} pyspark-shell"


@contextmanager
def cluster(folder: Path, python: Path | str = sys.executable) -> Iterator[Cluster]:
    """A master and two workers with one core each. `folder`: for logs and files. `python`: that of the workers."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "master.log"
    processes: list[subprocess.Popen[bytes]] = []
    try:
        processes.append(_begun("master.Master", [], log, python))
        found = _wait(log, _STARTED, processes)
        master = str(found[1])
        for number in range(_WORKERS):
            work = folder / f"worker-{number}"
            given = ["--cores", str(CORES), "--memory", MEMORY, "--work-dir", str(work), master]
            processes.append(_begun("worker.Worker", given, folder / f"worker-{number}.log", python))
        _wait(log, lambda text: len(_REGISTERED(text)) == _WORKERS, processes)
        yield Cluster(master, processes)
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _begun(name: str, arguments: Sequence[str], log: Path, python: Path | str) -> subprocess.Popen[bytes]:
    program = [str(home() / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
    where = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with log.open("wb") as out:
        return subprocess.Popen([*program, *where, *arguments], env=environment(python), stdout=out, stderr=out)


def _wait(log: Path, sought, processes):  # type: ignore[no-untyped-def]
    """Wait until a pattern is found in a log; return the matches."""
    for _ in range(_SECONDS * 10):
        text = log.read_text("utf-8", "replace")
        if found := sought(text):
            return found
        if any(process.poll() is not None for process in processes):
            break
        time.sleep(0.1)
    raise RuntimeError(f"Spark's cluster did not start; {log} says:\n{text[-2000:]}")


class NotInstalledError(Exception):
    """No environment can be made here; the text says why."""


def python_with_wheel(folder: Path) -> Path:
    """The Python of a new environment with rehref's wheel and its dependencies. Raises `NotInstalledError`."""
    copy, dist = folder / "project", folder / "dist"
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
    copy.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        shutil.copytree(source, copy / part, ignore=ignored) if source.is_dir() else shutil.copy(source, copy / part)
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([sys.executable, *pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(dist), str(copy)])
    _run([sys.executable, "-m", "venv", str(folder / "environment")])
    python = folder / "environment" / "bin" / "python"
    (wheel,) = dist.glob("rehref-*.whl")
    _run([str(python), *pip, "--retries", "1", "install", str(wheel)])
    return python


def _run(command: Sequence[str]) -> None:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, env=clean, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalledError(f"{' '.join(command[:5])} …: {(done.stdout + done.stderr).strip()[-500:]}")
