"""Apache Spark gives the rows that one process gives, also when a worker is killed in the middle."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE
from rehref.archives.rewriting_files import rewrite_file
from rehref.documents.options import SourceOptions
from spark_collection import SIZE, as_text, made, rows_here, rows_of
from webhdfs import serving

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here"),
    pytest.mark.filterwarnings("ignore"),  # those of pyspark
]
pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

SOURCE = Path(__file__).resolve().parents[3] / "src"
TESTS = Path(__file__).resolve().parents[2]
PATH = os.pathsep.join([str(SOURCE), str(TESTS), str(TESTS / "plugins" / "spark")])
"""What workers need to find what is sent to them by name."""


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("collection"))


def session(master: str) -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": PATH,
        "spark.sql.shuffle.partitions": "2",
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": PATH}
    running = session("local[2,4]")  # a task may fail three times
    yield running
    running.stop()


def test_links_are_those_of_one_process(spark: Any, collection: Path) -> None:
    from rehref.plugins.spark import Broken, links

    broken = Broken(spark)
    frame = links(spark, str(collection), broken=broken, piece=SIZE)
    assert frame.rdd.getNumPartitions() > 4
    assert rows_of(frame) == rows_here(*sorted(collection.iterdir()))
    names = [str(collection / "*.warc.gz"), (collection / "page.html").as_uri()]
    assert rows_of(links(spark, names, piece=SIZE)) == rows_here(*sorted(collection.iterdir()))
    (found,) = broken.records
    assert (found.document, found.code) == (str(collection / "two.warc.gz"), "damaged")
    assert [tuple(row) for row in broken.table().collect()] == [tuple(found)]


def test_what_spark_reads_itself_gives_the_same(spark: Any, collection: Path) -> None:
    """By one of Hadoop's file systems that asks a server (WebHDFS): a folder, and files."""
    from rehref.plugins.spark import Broken, links

    with serving(collection) as (root, operations):
        here = rows_here(*sorted(collection.iterdir()))
        expected = sorted(row.replace(collection.as_uri(), root).replace(str(collection), root) for row in here)
        for paths in ([f"{root}/"], [f"{root}/*.warc.gz", f"{root}/page.html"]):
            broken = Broken(spark)
            assert rows_of(links(spark, paths, broken=broken)) == expected
            (found,) = broken.records
            assert (found.document, found.code) == (f"{root}/two.warc.gz", "damaged")
    assert "OPEN" in operations


def test_a_list_of_paths(spark: Any, collection: Path, tmp_path: Path) -> None:
    from rehref.plugins.spark import listed

    file = tmp_path / "warc.paths.gz"
    file.write_bytes(gzip.compress(b"crawl-data/a.warc.gz\ncrawl-data/b.warc.gz\n"))
    assert listed(spark, str(file), "s3a://commoncrawl/") == [
        "s3a://commoncrawl/crawl-data/a.warc.gz",
        "s3a://commoncrawl/crawl-data/b.warc.gz",
    ]


def test_which_hosts_link_to_which(spark: Any, collection: Path, tmp_path: Path) -> None:
    from rehref.plugins.spark import host_graph, links, write_host_graph

    graph = host_graph(links(spark, str(collection / "one.warc.gz")))
    assert sorted(tuple(edge) for edge in graph.collect()) == [
        (f"example.h{host}", f"example.i{other}", 25) for host in (0, 1) for other in (0, 1, 2)
    ]
    for _ in range(2):  # once more gives the same
        write_host_graph(graph, str(tmp_path / "out"))
        vertices, edges = (unpacked(tmp_path / "out" / name) for name in ("vertices", "edges"))
        names = ("example.h0", "example.h1", "example.i0", "example.i1", "example.i2")
        assert vertices == [f"{number}\t{name}" for number, name in enumerate(names)]
        assert edges == [f"{host}\t{other}" for host in (0, 1) for other in (2, 3, 4)]


def unpacked(folder: Path) -> list[str]:
    return [line for file in sorted(folder.glob("part-*.gz")) for line in gzip.open(file, "rt").read().splitlines()]


def test_hosts_are_named_as_in_the_graphs_of_common_crawl(spark: Any) -> None:
    """From the end, without `www.` at the beginning; without addresses, and names that have no dot."""
    from rehref.plugins.spark import host_graph

    targets = ("http://WWW.B.example:80/", "HTTPS://u@b.example", "//x", "ftp://b.example/", "http://127.0.0.1/")
    more = ("http://[::1]/", "http://localhost/", "http://a.example/", "http://www.example/", "http://b.example./")
    pages = [("https://www.a.example/", target) for target in (*targets, *more, None)]
    table = spark.createDataFrame([*pages, ("http://localhost/", "http://b.example/")], "page string, target string")
    edges = sorted(tuple(edge) for edge in host_graph(table).collect())
    assert edges == [("example.a", "example.b", 3), ("example.a", "example.www", 1)]


def killing_once(rows: Any, flag: str) -> Any:
    """The rows of a partition; the first worker that is in the middle of one is killed."""
    for number, row in enumerate(rows):
        yield row
        if number == 30:
            try:
                Path(flag).mkdir()
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_of_a_worker_that_is_killed_nothing_is_lost_or_doubled(spark: Any, collection: Path, tmp_path: Path) -> None:
    from rehref.archives.pieces import divided
    from rehref.plugins.spark._broken_pieces import Broken
    from rehref.plugins.spark._read_links import SCHEMA, _LinksOfPieces
    from rehref.plugins.spark._spark_paths import found

    flag, broken = str(tmp_path / "killed"), Broken(spark)
    task, kill = _LinksOfPieces(SourceOptions(), broken.accumulator), killing_once
    pieces = list(divided(found(str(collection)).files, SourceOptions(), SIZE))
    rows = spark.sparkContext.parallelize(pieces, len(pieces)).mapPartitions(lambda each: kill(task(each), flag))
    spark.createDataFrame(rows, SCHEMA, verifySchema=False).write.parquet(str(tmp_path / "out"))
    assert Path(flag).exists()
    assert rows_of(spark.read.parquet(str(tmp_path / "out"))) == rows_here(*sorted(collection.iterdir()))
    assert len(broken.records) == 1


def test_files_are_rewritten_as_by_one_process(spark: Any, collection: Path, tmp_path: Path) -> None:
    from rehref.plugins.spark import rewrite

    for _ in range(2):  # once more gives the same
        done = {
            Path(row.document).name: row for row in rewrite(spark, str(collection), str(tmp_path / "out")).collect()
        }
        assert sorted(done) == ["one.warc.gz", "page.html", "two.warc.gz"]
        assert (done["one.warc.gz"].changed, done["one.warc.gz"].errors) == (300, [])
        assert len(done["two.warc.gz"].errors) == 1
        for name in done:
            rewrite_file(collection / name, tmp_path / "here")
            assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "here").read_bytes()
    with pytest.raises(ValueError, match="would be overwritten"):
        rewrite(spark, str(collection), str(collection))
    with pytest.raises(ValueError, match="only files on disks that all workers see"):
        rewrite(spark, "s3a://bucket/a.warc.gz", str(tmp_path))


def test_the_command(collection: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    out = tmp_path / "out"
    for _ in range(2):  # idempotent
        ran = subprocess.run(
            [sys.executable, "-m", "rehref.spark", "links", str(collection), "--out", str(out), "--graph"],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        said = f"{len(rows_here(*sorted(collection.iterdir())))} references in {out}/links; 1 broken"
        assert ran.stdout.splitlines()[-1] == said, ran.stderr  # Spark says things before
        assert ran.returncode == 2
    assert as_text(parquet.read_table(out / "links").to_pylist()) == rows_here(*sorted(collection.iterdir()))
    assert parquet.read_table(out / "broken").num_rows == 1
    assert parquet.read_table(out / "hosts").num_rows == 6


MAIN = "import sys; from rehref.spark.__main__ import main; print([main(each.split()) for each in sys.argv[1:]])"


def test_bad_input_gives_one_line(collection: Path, tmp_path: Path) -> None:
    page = collection / "page.html"
    (tmp_path / "file").write_bytes(b"")
    wrong = (
        "links foo://x/y.warc.gz --out out",
        f"links --list {tmp_path}/none.gz --out out",
        f"links {page} --out {tmp_path}/file/below",
        f"rewrite s3a://bucket/a.warc.gz --out {tmp_path}/out",
    )
    ran = subprocess.run(
        [sys.executable, "-c", MAIN, *wrong],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.stdout.splitlines()[-1] == "[2, 2, 2, 2]", ran.stderr
    said = re.findall("(?:^|\r)rehref.spark: (.*)", ran.stderr, re.MULTILINE)
    assert len(said) == 4, ran.stderr
    assert said[0] == 'No FileSystem for scheme "foo"'
    assert f"Path does not exist: file:{tmp_path}/none.gz" in said[1]
    assert said[2].startswith("Parent path is not a directory: ")
    assert "only files on disks" in said[3]


def test_schemes_are_compared_without_case(collection: Path) -> None:
    from rehref.plugins.spark._spark_paths import found

    page = collection / "page.html"
    assert [file.path for file in found(f"FILE://{page}").files] == [page]


@pytest.mark.slow
def test_a_cluster_gives_the_same(collection: Path, tmp_path: Path) -> None:
    """In processes of their own: there is one Spark in a process."""
    script = f"""
        import sys
        from spark_collection import rows_here, rows_of
        from test_spark import session
        from pathlib import Path
        from rehref.spark import links
        spark = session("local-cluster[2,1,1024]")
        collection = Path({str(collection)!r})
        assert rows_of(links(spark, str(collection), piece={SIZE})) == rows_here(*sorted(collection.iterdir()))
        spark.stop()
        print("the same")
    """
    import textwrap

    environment = {**os.environ, "PYTHONPATH": PATH, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    assert ran.stdout.splitlines()[-1] == "the same", ran.stderr
