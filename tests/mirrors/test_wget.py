"""`rehref rewrite --to offline` makes of a mirror what `wget -k` makes of it, but for differences that are listed.

- A site on this machine (`site_to_mirror.py`) is mirrored by wget, twice each time: as it is, and converted (`-k`).
- The unconverted mirror is rewritten. Link by link, it leads where the converted one leads: to the same file, or
  to the same URI elsewhere.
- Every difference is in `wget_differences.txt`, with its reason; one that is listed and is none any more fails too.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

import pytest
import site_to_mirror as site
from click.testing import CliRunner

import rehref
from patience import PATIENCE
from rehref.cli.program import program

pytestmark = pytest.mark.slow

WGET = shutil.which("wget")
LISTED = Path(__file__).with_name("wget_differences.txt")

RUNS = {
    "mirror": (("--mirror",), "/"),
    "mirror-adjusted": (("--mirror", "--adjust-extension"), "/"),
    "mirror-ascii": (("--mirror", "--restrict-file-names=ascii", "-E"), "/"),
    "mirror-windows": (("--mirror", "--restrict-file-names=windows", "-E"), "/"),
    "mirror-without-host": (("--mirror", "--no-host-directories"), "/"),
    "mirror-below-a-folder": (("--mirror", "--no-parent", "-nH", "--cut-dirs=1"), "/d/"),
    "page": (("--page-requisites",), "/"),
    "page-with-base": (("--page-requisites",), "/based.html"),
    "page-across-hosts": (("--page-requisites", "--span-hosts"), "/assets.html"),
}


class Mirrored(NamedTuple):
    """What a run of wget left: the mirror that wget converted, the one that rehref did, and the server's port."""

    converted: Path
    rewritten: Path
    port: int


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with site.serve() as port:
        yield port


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, port: int, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Mirrored]:
    if WGET is None:
        pytest.skip("there is no wget on this machine")
    return request.param, mirrored(request.param, port, tmp_path_factory.mktemp(request.param))


def mirrored(name: str, port: int, folder: Path) -> Mirrored:
    """Mirror the site as it is and converted, and rewrite the former."""
    assert WGET is not None
    options, path = RUNS[name]
    url = f"http://{site.HOST}:{port}{path}"
    for converts in ((), ("-k",)):
        to = folder / ("converted" if converts else "raw")
        command = [WGET, "-q", "--no-config", "-e", "robots=off", "-P", str(to), *options, *converts, url]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        # 3: what redirects from `d` to `d/` cannot be saved as `d`; 8: the server has said 404
        assert done.returncode in (0, 3, 8), done.stderr
    rewrite(folder / "raw", url_of(path, port), folder / "rewritten")
    return Mirrored(folder / "converted", folder / "rewritten", port)


def rewrite(mirror: Path, url: str, out: Path) -> None:
    """Rewrite a mirror of what is below a URL into another folder."""
    arguments = ["--to", "offline", "--url", url, str(mirror), "-o", str(out), "--copy-others"]
    result = CliRunner().invoke(program, ["rewrite", "-q", "--jobs", "1", *arguments])
    assert result.exit_code == 0, result.output


def url_of(path: str, port: int) -> str:
    """Where the mirror of a path begins: the host, or the folder that is cut off."""
    return f"http://{site.HOST}:{port}{path.rpartition('/')[0]}/"


class Led(NamedTuple):
    """Where a reference leads: to a URI, or to a file below the top, by its path, with a query that no file has."""

    uri: str = ""
    path: str = ""
    query: str | None = None
    fragment: str | None = None

    def __str__(self) -> str:
        query = "" if self.query is None else f" with the query {self.query}"
        return self.uri or f"./{self.path}{query}" + ("" if self.fragment is None else f" at #{self.fragment}")


def leads_to(reference: str, file: Path, top: Path) -> Led:
    """Where a reference in a file leads."""
    parts = rehref.split(reference)
    if parts.scheme is not None or parts.authority is not None:
        return Led(uri=rehref.normalize(quote(reference, safe="%:/?#[]@!$&'()*+,;=")))
    reached = file
    if parts.path != "":
        reached = (file.parent / Path(*map(_decoded, parts.path.split("/")))).resolve()
    path = reached.relative_to(top.resolve()) if reached.is_relative_to(top.resolve()) else reached
    return Led("", str(path), parts.query, parts.fragment)


def _decoded(segment: str) -> str:
    return unquote_to_bytes(segment).decode("utf-8", "surrogateescape")


def differences(found: Mirrored) -> Iterator[tuple[str, str, str, str]]:
    """Page, element and attribute, where wget leads, where rehref leads."""
    port = str(found.port)
    for converted in sorted(found.converted.rglob("*")):
        name = converted.relative_to(found.converted)
        rewritten = found.rewritten / name
        assert rewritten.exists(), name
        links = [_links(file) for file in (converted, rewritten)]
        assert len(links[0]) == len(links[1]), name
        for old, new in zip(*links, strict=True):
            ours = leads_to(new.reference, rewritten, found.rewritten)
            theirs = leads_to(old.reference, converted, found.converted)
            if ours != theirs:
                where = f"{new.element} {new.attribute or '(text)'}"
                yield tuple(text.replace(port, "PORT") for text in map(str, (name.as_posix(), where, theirs, ours)))  # type: ignore[misc]


def _links(file: Path) -> list[rehref.Link]:
    """The links of a file, if it is a document; except of `source`, which rehref removes if nothing is saved of it."""
    if file.is_dir():
        return []
    data = file.read_bytes()
    media_type = "text/css" if ".css" in file.name else "image/svg+xml" if file.name.endswith(".svg") else "text/html"
    if data.startswith(b"\x89PNG") or ".js" in file.name or data == b"none":
        return []
    links = rehref.links(data, url=file.as_uri(), media_type=media_type)
    return [link for link in links if link.element != "source"]


def listed(name: str) -> dict[tuple[str, str, str, str], str]:
    """The differences that are expected of a run, and why."""
    expected: dict[tuple[str, str, str, str], str] = {}
    reason = section = ""
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.startswith("["):
            section = line.strip("[]")
        elif line and section in (name, "every run"):
            page, where, theirs, ours = line.split(" | ")
            expected[page, where, theirs, ours] = reason
    return expected


def test_rehref_leads_where_wget_leads_but_for_what_is_listed(run: tuple[str, Mirrored]) -> None:
    name, found = run
    assert sorted(set(differences(found))) == sorted(listed(name))
    assert all(listed(name).values())


def test_every_local_reference_leads_to_a_file(run: tuple[str, Mirrored]) -> None:
    _, found = run
    local = 0
    for file in found.rewritten.rglob("*"):
        for link in _links(file):
            led = leads_to(link.reference, file, found.rewritten)
            if not led.uri and link.kind not in ("metadata", "base", "fragment"):
                assert led.query is None, (file, link)
                assert (found.rewritten / led.path).is_file(), (file, link)
                local += 1
    assert local > 1


def test_what_wget_has_converted_stays_as_it_is_but_for_its_mistakes(run: tuple[str, Mirrored], tmp_path: Path) -> None:
    """A mirror that is converted already leads where it led."""
    name, found = run
    rewrite(found.converted, url_of(RUNS[name][1], found.port), tmp_path)
    local = 0
    for file in found.converted.rglob("*"):
        for old, new in zip(_links(file), _links(tmp_path / file.relative_to(found.converted)), strict=True):
            led = leads_to(old.reference, file, found.converted)
            if not led.uri and led.query is None and (found.converted / led.path).is_file():
                assert new.reference == old.reference
                local += 1
    assert local > 1
