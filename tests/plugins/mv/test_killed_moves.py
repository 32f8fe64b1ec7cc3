"""A move that is killed, whenever that is, ends as an undisturbed one when it is run again."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from checked.contexts import written
from hashed_site import hashed, site
from patience import wait_until
from plugins.mv.kills import content, killed
from rehref.cli.program import program
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.plugins.mv.moving import Move, move
from rehref.plugins.mv.unfinished import refuse

HTML = {
    "index.html": "<a href=guide/wind.html><a href=guide/><a href=guide/sub/deep.html>",
    "guide/index.html": "<a href=wind.html><a href=../index.html><img src=sub/i.png>",
    "guide/wind.html": "<p id=gale><a href=../index.html><a href=index.html><a href=../other/a.html>",
    "guide/sub/deep.html": "<a href=../wind.html><a href=../../index.html>",
    "guide/sub/i.png": "",
    "other/a.html": "<a href=../guide/wind.html#gale>",
    # leads somewhere from the new place, too, if it is left as it is
    "other/index.html": "<a href=../guide/sub/deep.html>",
    "_redirects": "/breeze /guide/wind.html 301\n",
}
MKDOCS = {
    "mkdocs.yml": "site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        z.md: index.md\n"
    "nav:\n  - index.md\n  - guide/wind.md\n",
    "docs/index.md": "[a](guide/wind.md)\n",
    "docs/guide/wind.md": "[b](../index.md) [c](more.md)\n",
    "docs/guide/more.md": "[b](wind.md)\n",
}
HUGO = {
    "hugo.toml": "baseURL = 'https://m.example/'\n",
    "content/index.md": "[a](guide/wind.md)\n",
    "content/guide/wind.md": "---\ntitle: W\n---\n[b](../index.md)\n",
}
CASES: Mapping[str, tuple[Mapping[str, str], str, str, str, dict[str, Any]]] = {
    "file": (HTML, "guide/wind.html", "storm.html", ".", {}),
    "new folder": (HTML, "guide/wind.html", "x/y/storm.html", ".", {}),
    "folder": (HTML, "guide", "other/handbook", ".", {"redirects": "_redirects", "host": "netlify"}),
    "id": (HTML, "guide/wind.html#gale", "guide/wind.html#storm", ".", {}),
    "mkdocs": (MKDOCS, "docs/guide/wind.md", "docs/storm.md", "docs", {"redirects": "mkdocs.yml"}),
    "aliases": (HUGO, "content/guide/wind.md", "content/storm.md", "content", {"aliases": True}),
}


def run(folder: Path, old: str, new: str, below: str, options: dict[str, Any]) -> Move:
    options = {**options, **({"redirects": folder / options["redirects"]} if "redirects" in options else {})}
    return move(f"{folder}/{old}", f"{folder}/{new}", folder=folder / below, **options)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CASES)
def test_a_killed_move_is_finished_by_the_next_run(tmp_path: Path, case: str) -> None:
    files, *how = CASES[case]
    undisturbed = written(tmp_path / "undisturbed", files)
    first = run(undisturbed, *how)
    assert first.references > 0
    wanted, at, is_killed = content(undisturbed), 0, True
    while is_killed:
        folder = written(tmp_path / str(at), files)
        is_killed = killed(at, lambda folder=folder: run(folder, *how))
        again = run(folder, *how)
        assert content(folder) == wanted, at
        assert (again.references, again.redirects, again.is_done) in [
            (first.references, first.redirects, False),
            (0, 0, True),
        ]
        refuse(folder)
        at += 1
    assert at > 5


def begun_move(tmp_path: Path) -> Path:
    """Return a site in which a move was killed when some of it was done."""
    folder = written(tmp_path / "site", HTML)
    for at in range(100):
        assert killed(at, lambda: run(folder, "guide", "handbook", ".", {}))
        if (folder / "handbook").exists():
            return folder
    raise AssertionError


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_finished_move_says_the_same_about_hashes(tmp_path: Path) -> None:
    def made(name: str) -> Path:
        site(tmp_path / name)
        wrong = f"<link rel=stylesheet href=css/a.css integrity={hashed('wrong')}>"
        return written(tmp_path / name, {"wrong.html": wrong})

    def mv(folder: Path) -> str:
        arguments = ["mv", f"{folder}/img/a.svg", f"{folder}/b.svg", "--folder", str(folder)]
        return CliRunner().invoke(program, arguments).stderr

    undisturbed, folder, at = mv(made("undisturbed")), made("killed"), 0
    assert "hashes written anew in 2 files" in undisturbed
    assert "wrong.html: the integrity of css/a.css did not match before, and stays" in undisturbed
    while not (folder / "b.svg").exists():
        assert killed(at, lambda: run(folder, "img/a.svg", "b.svg", ".", {}))
        at += 1
    assert mv(folder) == undisturbed


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_another_move_or_a_dry_run_is_refused_while_one_is_unfinished(tmp_path: Path) -> None:
    folder = begun_move(tmp_path)
    again = f"rehref mv --folder {folder} {folder}/guide {folder}/handbook; or remove /"
    with pytest.raises(OSError, match=f"was interrupted; run it again: {again}"):
        run(folder, "other", "o", ".", {})
    for command in (["check", "--fix"], ["rewrite", "--in-place"]):
        done = CliRunner().invoke(program, [*command, str(folder)])
        assert (done.exit_code, "run it again" in done.output) == (2, True)
    with pytest.raises(OSError, match="without --dry-run"):
        move(folder / "guide", folder / "handbook", folder=folder, dry_run=True)
    run(folder, "guide", "handbook", ".", {})
    assert run(folder, "other", "o", ".", {}).files


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_what_was_changed_since_is_not_replaced(tmp_path: Path) -> None:
    folder = begun_move(tmp_path)
    (folder / "index.html").write_text("mine")
    with pytest.raises(
        OSError, match=r"index\.html: has changed since its move was interrupted; restore it, or remove /"
    ):
        run(folder, "guide", "handbook", ".", {})
    assert (folder / "index.html").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_move_that_was_taken_back_by_hand_is_planned_anew(tmp_path: Path) -> None:
    folder = begun_move(tmp_path)
    shutil.rmtree(folder)
    written(folder, HTML)
    run(folder, "other", "o", ".", {})
    assert (folder / "guide").exists()


def test_a_journal_in_a_site_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "site", HTML)
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.chdir(folder)
    (folder / "relative").mkdir()
    refuse(folder)
    assert run(folder, "other", "o", ".", {}).files
    assert not any((folder / "relative").iterdir())


def test_a_damaged_journal_does_not_count(tmp_path: Path) -> None:
    folder = written(tmp_path / "site", HTML)
    state = Path(os.environ["XDG_STATE_HOME"], "rehref", "unfinished-moves")
    state.mkdir(parents=True)
    for number, data in enumerate(
        [b"", b"{}\n", b"[]\n", b"\xff", b'{"documents": [], "move": [], "folder": 1}\n', b"[" * 100_000]
    ):
        (state / str(number)).write_bytes(data)
    refuse(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_neither_does_one_of_other_types_or_what_is_no_file(tmp_path: Path) -> None:
    folder = written(tmp_path / "site", HTML)
    state = Path(os.environ["XDG_STATE_HOME"], "rehref", "unfinished-moves")
    state.mkdir(parents=True)
    os.mkfifo(state / "pipe")
    right = {
        "folder": str(folder),
        "given": ["a", "b"],
        "move": ["a", "b", "", "", False],
        "files": ["a"],
        "redirects": 0,
        "unwritten": [],
        "documents": [["a", "b", 1, 1, 1, 0]],
    }
    (state / "right").write_bytes(json.dumps(right).encode() + b"\nxy")
    with pytest.raises(FileError, match="a move in it was interrupted"):
        refuse(folder)
    (state / "right").unlink()
    wrong = {"move": [1, 2], "files": [0], "documents": [["a", "b", 1, -1, 1, 0]], "redirects": "0", "folder": ["x"]}
    for name, value in [*wrong.items(), ("documents", [[3, 4, 0, None, 2, 0]]), ("given", [1, 2])]:
        (state / "wrong").write_bytes(json.dumps({**right, name: value}).encode() + b"\nxy")
        refuse(folder)


def test_gzipped_documents_are_finished_too(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("forks")
    sitemap = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://m.example/a.html</loc></url></urlset>"
    results = []
    for at in range(-1, 30):
        folder = written(tmp_path / f"{at}", {"a.html": "", "b.html": "<a href=a.html>"})
        (folder / "sitemap.xml.gz").write_bytes(gzip.compress(sitemap, mtime=0))
        how = ("a.html", "c.html", ".", {"site_url": "https://m.example/"})
        if at >= 0:
            killed(at, lambda folder=folder, how=how: run(folder, *how))
        run(folder, *how)
        results.append(content(folder))
    assert b"c.html" in gzip.decompress(results[0]["sitemap.xml.gz"])
    assert all(each == results[0] for each in results)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_kill_9_at_random_moments(tmp_path: Path) -> None:
    files = {**HTML, **{f"p{n}.html": "<a href=guide/wind.html>" * 20 for n in range(60)}}
    command = [sys.executable, "-m", "rehref", "mv", "-q", "guide", "other/handbook", "--redirects", "_redirects"]
    undisturbed = written(tmp_path / "undisturbed", files)
    subprocess.run(command, cwd=undisturbed, check=True)
    wanted, chance = content(undisturbed), random.Random(41)
    for number in range(20):
        folder, least = written(tmp_path / str(number), files), chance.randrange(-1, 60)

        def is_under_way(folder: Path = folder, least: int = least) -> bool:
            changed = sum(b"handbook" in (folder / f"p{n}.html").read_bytes() for n in range(60))
            return changed >= least and (changed > 0 or (folder / "other/handbook").exists() or least < 0)

        with subprocess.Popen(command, cwd=folder) as process:
            wait_until(lambda: is_under_way() or process.poll() is not None)
            process.send_signal(signal.SIGKILL)
        subprocess.run(command, cwd=folder, check=True)
        assert content(folder) == wanted
        shutil.rmtree(folder)


def test_nothing_is_kept_of_a_move_that_cannot_be(tmp_path: Path) -> None:
    folder = written(tmp_path / "site", HTML)
    with pytest.raises((FileError, OptionError, OSError)):
        run(folder, "guide", "index.html", ".", {})
    refuse(folder)
