"""A standalone master with two workers gives the rows of one process: by what Spark's users run, whatever is killed.

The workers' Python has the wheel of rehref and what that needs, nothing else; drivers are processes of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from modules import module_at
from patience import PATIENCE
from spark_collection import ROOT, as_text, made, rows_here

pytestmark = [
    pytest.mark.slow,
    pytest.mark.spark,
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc, which shows what to kill"),
]
pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

EXECUTOR, WORKER = 2, 3
"""Ancestors of the process in which a task runs."""


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("collection"))


@pytest.fixture(scope="module")
def standalone() -> ModuleType:
    return module_at(ROOT / "benchmarks" / "standalone.py", "standalone")


@pytest.fixture(scope="module")
def python(standalone: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of workers."""
    try:
        return Path(standalone.python_with_wheel(tmp_path_factory.mktemp("wheel")))
    except standalone.NotInstalledError as error:
        pytest.skip(f"the wheel cannot be installed in an environment of its own: {error}")


@pytest.fixture
def cluster(standalone: ModuleType, python: Path, tmp_path: Path) -> Iterator[Any]:
    with standalone.cluster(tmp_path / "cluster", python) as running:
        yield running
    assert all(process.returncode is not None for process in running.processes)


def ran(standalone: ModuleType, cluster: Any, python: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A program, whose Spark is the cluster."""
    environment = standalone.environment(python) | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]),
        "PYSPARK_SUBMIT_ARGS": standalone.arguments(cluster.master),
    }
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False, encoding="utf-8"
    )


def drove(standalone: ModuleType, cluster: Any, python: Path, *arguments: str) -> Any:
    """What `driver.py` prints."""
    done = ran(standalone, cluster, python, sys.executable, str(Path(__file__).parent / "driver.py"), *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_workers_need_only_the_wheel(
    standalone: ModuleType, cluster: Any, python: Path, collection: Path, tmp_path: Path
) -> None:
    """Rules and all that a driver defines come to them by cloudpickle."""
    got = drove(standalone, cluster, python, "compared", str(collection), str(tmp_path))
    for module, interpreter, *missing in got["places"]:
        assert Path(module).is_relative_to(python.parents[2])
        assert Path(interpreter) == python
        assert missing == [True, True]
    assert got["rows"] == rows_here(*sorted(collection.iterdir()))
    assert [each[2] for each in got["broken"]] == ["damaged"]
    assert got["changed"] == len(got["rows"])
    assert b"HTTPS://B.EXAMPLE/X" in (tmp_path / "rewritten" / "page.html").read_bytes()


def test_of_executors_and_workers_that_are_killed_nothing_is_lost_or_doubled(
    standalone: ModuleType, cluster: Any, python: Path, collection: Path, tmp_path: Path
) -> None:
    """First an executor, in the middle of a partition, then a worker with the executor that it began."""
    generations = [str(each) for each in (EXECUTOR, WORKER)]
    got = drove(standalone, cluster, python, "killed", str(collection), str(tmp_path), *generations)
    assert {each.name for each in tmp_path.glob("killed-*")} == {f"killed-{each}" for each in generations}
    assert sorted(process.poll() is None for process in cluster.processes) == [False, True, True]
    assert got["rows"] == rows_here(*sorted(collection.iterdir()))
    assert [each[2] for each in got["broken"]] == ["damaged"]


def test_spark_submit(standalone: ModuleType, cluster: Any, python: Path, collection: Path, tmp_path: Path) -> None:
    """A list of paths, the links, the broken records and the graph; a table that was half written is replaced."""
    parquet = pytest.importorskip("pyarrow.parquet")
    names = tmp_path / "warc.paths"
    names.write_text("".join(f"{each.name}\n" for each in sorted(collection.iterdir())))
    out = tmp_path / "out"
    half = out / "links" / "_temporary" / "0" / "part-00000.parquet"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"PAR1")
    (out / "links" / "part-99999.parquet").write_bytes(b"PAR1")
    main = subprocess.run(
        [sys.executable, "-c", "import rehref.plugins.spark.__main__ as m; print(m.__file__)"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    submit = [str(standalone.home() / "bin" / "spark-submit"), "--master", cluster.master]
    more = ["--list", str(names), "--prefix", f"{collection}/", "--out", str(out), "--graph"]
    done = ran(standalone, cluster, python, *submit, "--conf", "spark.ui.enabled=false", main, "links", *more)
    expected = rows_here(*sorted(collection.iterdir()))
    assert done.stdout.splitlines()[-1:] == [f"{len(expected)} references in {out}/links; 1 broken"], done.stderr
    assert done.returncode == 2
    assert as_text(parquet.read_table(out / "links").to_pylist()) == expected
    assert parquet.read_table(out / "broken").num_rows == 1
    assert parquet.read_table(out / "hosts").num_rows == 6
    assert not half.exists()
