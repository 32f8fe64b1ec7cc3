"""The law of moves: what led to a file leads to the same file, wherever both are then; all other text stays.

Where a reference leads is computed here anew, with `urllib` and the files of the site, and not by the checker.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote, unquote, urljoin, urlsplit

from hypothesis import given, settings
from hypothesis import strategies as st

from checked.contexts import written
from examples import examples
from rehref.plugins.mv.move_plan import Moving
from rehref.plugins.mv.moving import move

SITE = "https://h.example/docs/"
FOLDERS = ("", "a/", "a/b/", "c d/")
NAMES = ("index.html", "x.html", "wind é.html", "s.css", "i.svg")
PATHS = [folder + name for folder in FOLDERS for name in NAMES]
NEW_FILES = ("new.html", "a/n ew.html", "deep/er/new.html", "deep/index.html", "c d/new.css", "b.svg")
NEW_FOLDERS = ("e", "a/e", "c d/f", "deep/er")
REFERENCE = re.compile(rb'(?<=href=")[^"]*(?=")|(?<=url\()[^)]*(?=\))')
ELSEWHERE = ("https://other.example/x.html", "mailto:a@h.example", "nope.html", "../nope/", "#top", "?q")


@st.composite
def references(draw: st.DrawFn, path: str) -> str:
    """A reference in the document at `path`: to a file, in any form, or to something else."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(ELSEWHERE))
    target: str = draw(st.sampled_from(PATHS))
    if draw(st.booleans()):
        target = target.removesuffix("index.html")
    end = draw(st.sampled_from(("", "#top", "?q=1", "?q#top")))
    form = draw(st.sampled_from(("relative", "dotted", "from root", "from host", "whole")))
    if form == "whole":
        return SITE + quote(target) + end
    if form in ("from root", "from host"):
        return ("/docs/" if form == "from root" else "//h.example/docs/") + quote(target) + end
    up = "../" * path.count("/")
    return (f"./{up}" if form == "dotted" or up + target == "" else up) + quote(target) + end


@st.composite
def sites(draw: st.DrawFn) -> dict[str, str]:
    """The files of a site, some of those in `PATHS`."""
    files = {}
    for path in draw(st.lists(st.sampled_from(PATHS), min_size=2, unique=True)):
        refs = draw(st.lists(references(path), max_size=6))
        page = "".join(f'<p id="top"><a title="é >" href="{ref}">{ref}</a>\r\n' for ref in refs)
        sheet = "".join(f"p {{ background: url({ref}) }} /* {ref} */\n" for ref in refs)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg">{page.replace("<p ", "<g ").replace("</a>", "</a></g>")}</svg>'
        files[path] = sheet if path.endswith(".css") else svg if path.endswith(".svg") else page
    return files


@st.composite
def moves(draw: st.DrawFn) -> tuple[dict[str, str], Moving]:
    files = draw(sites())
    folders = sorted({path.rpartition("/")[0] for path in files} - {""})
    if folders and draw(st.booleans()):
        folder = draw(st.sampled_from(folders))
        new = [name for name in NEW_FOLDERS if not name.startswith(folder + "/")]
        return files, Moving(folder, draw(st.sampled_from(new)))
    return files, Moving(draw(st.sampled_from(sorted(files))), draw(st.sampled_from(NEW_FILES)))


def led(files: set[str], path: str, reference: str) -> str | None:
    """The file that a reference in a document leads to, if any."""
    target = urlsplit(urljoin(SITE + quote(path), reference))
    whole = f"{target.scheme}://{target.netloc}{unquote(target.path)}"
    if not whole.startswith(SITE) or reference.startswith("mailto:"):
        return None
    found = whole.removeprefix(SITE)
    return next((each for each in (found, f"{found}/index.html".replace("//", "/").lstrip("/")) if each in files), None)


def folder_at(files: set[str], target: str) -> str | None:
    """The folder without an index that a URL leads to, if any: a server may list it."""
    path = unquote(urlsplit(target).path).removeprefix(urlsplit(SITE).path)
    is_one = target.startswith(SITE) and (path == "" or any(each.startswith(path) for each in files))
    return path.removesuffix("/") if is_one and path[-1:] in ("", "/") else None


@settings(max_examples=examples(400), deadline=None)
@given(moves())
def test_what_led_to_a_file_leads_to_the_same_file(made: tuple[dict[str, str], Moving]) -> None:
    files, moving = made
    with TemporaryDirectory() as name:
        folder = written(Path(name), files)
        before = {path: (folder / path).read_bytes() for path in files}
        done = move(f"{name}/{moving.old}", f"{name}/{moving.new}", folder=name, site_url=SITE)
        after = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        assert after == {moving.of(path) for path in files}
        changed = 0
        for path, old in before.items():
            new_path = moving.of(path)
            new = (folder / new_path).read_bytes()
            assert REFERENCE.sub(b"", new) == REFERENCE.sub(b"", old)
            pairs = zip(REFERENCE.findall(old), REFERENCE.findall(new), strict=True)
            for one, other in ((one.decode(), other.decode()) for one, other in pairs):
                file = led(set(files), path, one)
                changed += one != other
                target = urljoin(SITE + quote(path), one)
                listed = folder_at(set(files), target)
                if file is None and listed is not None:
                    end = target.removeprefix(SITE + quote(listed))
                    assert urljoin(SITE + quote(new_path), other) == SITE + quote(moving.of(listed)) + end
                elif file is None and target.startswith(SITE):
                    assert one == other
                elif file is None:
                    assert urljoin(SITE + quote(new_path), other) == target
                elif led(after, new_path, one) == moving.of(file):
                    assert one == other
                else:
                    assert led(after, new_path, other) == moving.of(file)
                    assert urlsplit(one).query == urlsplit(other).query
                    assert urlsplit(one).fragment == urlsplit(other).fragment
                    assert urlsplit(one).netloc == urlsplit(other).netloc
                    assert one.startswith("/") == other.startswith("/")
        assert changed == done.references
