"""The page of `rehref links --format html` in Chromium: what its marks show, its filter, and that all can use it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import devtools
import pytest
from axe import axe, violations
from click.testing import CliRunner

from patience import wait_until
from rehref.cli.program import program

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = """<!DOCTYPE html><title></title></pre></details><script>document.title = "taken"</script>
<base href="http://h/\"><img src=http://evil.example/ onerror=alert(1)>"><a href="javascript:alert(1)">x</a>
<a href='</mark><a href=http://evil.example/>'>y</a><a href=""></a><img srcset="a.png 1x,b.png 2x"><a href=#top>z</a>
<!--[if IE]><a href="inner.html"><![endif]--><iframe srcdoc="<a href='q&amp;r'>"></iframe>"""

Open = Callable[..., devtools.Tab]


@pytest.fixture
def show(tab: devtools.Tab, tmp_path: Path) -> Open:
    """Opens the page of some sources."""

    def open_page(*arguments: object, fragment: str = "", **look: str | int) -> devtools.Tab:
        file = tmp_path / "inventory.html"
        if arguments:
            result = CliRunner().invoke(program, ["links", "-q", "--format", "html", *map(str, arguments)])
            assert result.exit_code == 0, result.output
            file.write_text(result.stdout, encoding="utf-8")
        tab.look(**look)  # type: ignore[arg-type]
        tab.open("about:blank")
        tab.open(file.as_uri() + fragment)
        return tab

    return open_page


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(HOSTILE, encoding="utf-8")
    return file


TIP = """[...document.querySelectorAll(".source .tip")].filter(tip => getComputedStyle(tip).display !== "none")
  .map(tip => tip.innerText)"""
POINT = """(() => {
  const mark = document.querySelectorAll(".source mark")[%d];
  mark.scrollIntoView({block: "center"});
  const box = mark.getClientRects()[0];
  return [box.left + 2, box.top + box.height / 2];
})()"""
ROW_SEEN = """[...document.querySelectorAll(".references > tbody > tr")]
  .filter(row => row.checkVisibility() && row.offsetHeight > 0).length"""
SHOWN = """[...document.querySelectorAll("details.document")].filter(it => !it.hidden)
  .map(it => it.querySelector("h3").innerText)"""


def test_what_a_reference_leads_to_shows_on_hover_and_on_focus_without_scripts(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    tab.scripts(enabled=False)
    try:
        show()
        tab.run("document.querySelectorAll('details').forEach(details => details.open = true)")
        assert tab.run(TIP) == []
        tab.run("document.querySelectorAll('.source mark')[2].focus()")
        assert tab.run(TIP)[0].startswith("hyperlink a@href at 2:")
        assert "leads to javascript:alert(1)\nbase http://h/ (<base href> at 2:1)" in tab.run(TIP)[0]
        tab.run("document.activeElement.blur()")

        def something_shows() -> bool:
            tab.point(*tab.run(POINT % 6))  # where the mark is by now: it moves while the page is laid out
            return bool(tab.run(TIP) != [])

        wait_until(something_shows)
        assert [tip.split("\n")[1].rpartition("/")[2] for tip in tab.run(TIP)] == ["b.png"]
    finally:
        tab.scripts(enabled=True)


def test_every_mark_is_reached_by_the_keyboard_and_escape_hides_what_shows(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    tab.run("document.querySelector('.source').closest('details').querySelector('summary').focus()")
    count = tab.run("document.querySelectorAll('.source mark').length")
    assert count == 9
    tips = []
    for _ in range(count):
        tab.press("Tab")
        tips += tab.run(TIP)
    assert len(tips) == len(set(tips)) == count
    tab.press("Escape")
    assert tab.run(TIP) == []
    assert tab.run("document.activeElement.matches('.source mark')")


def test_what_escape_hid_stays_hidden_until_the_pointer_moves(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    x = y = 0

    def shows() -> bool:
        """Whether the mark shows its tip; it moves while the page is laid out."""
        nonlocal x, y
        x, y = tab.run(POINT % 6)
        tab.point(x, y)
        return len(tab.run(TIP)) == 1

    wait_until(shows)
    tab.press("Escape")
    tab.run("document.body.style.paddingTop = '1px'")  # what Chromium makes events of
    tab.run("new Promise(done => setTimeout(() => done(true), 300))")
    assert tab.run(TIP) == []
    tab.point(x + 2, y)
    wait_until(lambda: len(tab.run(TIP)) == 1)


def test_one_thing_shows_at_a_time_and_only_as_wide_as_it_must_be(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    tab.run("document.querySelectorAll('.source mark')[2].focus()")
    tab.point(*tab.run(POINT % 6))
    (tip,) = tab.run(TIP)
    assert "b.png" in tip
    wide, whole = tab.run(
        "[document.querySelectorAll('.source mark')[6].querySelector('.tip'), document.querySelector('.source')]"
        ".map(it => it.offsetWidth)"
    )
    assert 100 < wide < whole - 200


def test_what_shows_can_be_read_in_forced_colours(show: Open, hostile: Path) -> None:
    tab = show(hostile, forced=True)
    tab.run("document.querySelectorAll('.source mark')[2].focus()")
    tip = "getComputedStyle(document.querySelector('mark:focus > .tip'))"
    assert tab.run(f"[{tip}.color, {tip}.backgroundColor]") == ["rgb(27, 31, 36)", "rgb(255, 255, 255)"]


@pytest.mark.parametrize("width", [1280, 360])
def test_what_shows_is_within_the_window_and_below_its_reference(show: Open, hostile: Path, width: int) -> None:
    tab = show(hostile, width=width)
    boxes = tab.run("""[...document.querySelectorAll(".source mark")].map(mark => {
      mark.focus();
      const tip = mark.querySelector(".tip").getBoundingClientRect();
      mark.querySelector(".tip").style.display = "none";
      const boxes = [...mark.getClientRects()].map(box => box.bottom);
      return [tip.left, tip.right, tip.top - Math.max(...boxes)];
    })""")
    assert all(left >= 0 and right <= width and -1 <= below < 12 for left, right, below in boxes), boxes
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_the_source_reads_as_it_is_written(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    tab.run("document.querySelectorAll('.tip').forEach(tip => tip.remove())")
    assert tab.run("document.querySelector('.source').textContent") == HOSTILE
    assert tab.run("document.querySelectorAll('.source i').length") == len(HOSTILE.splitlines())


def test_the_edge_of_a_mark_does_not_hide_what_stands_on_the_line(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    below = tab.run("parseFloat(getComputedStyle(document.querySelector('.source mark')).paddingBottom)")
    assert below >= 2


def test_a_document_cannot_take_over_the_page(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    assert tab.run("document.title").startswith("1 document, 9 references")
    assert tab.complaints() == []
    assert tab.run("document.querySelectorAll('a, img, iframe').length") == 0
    assert tab.run("document.baseURI").endswith("/inventory.html")
    assert tab.failures((hostile.parent / "inventory.html").as_uri()) == []


def test_documents_are_filtered_and_a_view_can_be_sent(show: Open) -> None:
    tab = show(ROOT / "examples/site")
    assert len(tab.run(SHOWN)) == 4
    tab.press("/")
    for key in "guide":
        tab.press(key)
    assert [name.rpartition("/")[2] for name in tab.run(SHOWN)] == ["start.html", "wind.html", "index.html"]
    assert tab.run("location.hash") == "#text=guide"
    show(fragment="#text=weather")
    assert [name.rpartition("/")[2] for name in tab.run(SHOWN)] == ["index.html"]
    assert tab.run("document.querySelector('.part output').value") == "1 document shown"
    assert tab.run(ROW_SEEN) == 1  # what fits is seen
    tab.run("document.querySelector('[name=words]').value = ''")
    tab.run("document.querySelector('[name=words]').dispatchEvent(new Event('input', {bubbles: true}))")
    assert tab.run("document.querySelectorAll('details[open]').length") == 0
    tab.run("document.querySelector('[name=all]').click()")
    assert tab.run("[...document.querySelectorAll('details.document, details.listed')].every(it => it.open)")
    assert not tab.run("[...document.querySelectorAll('.source')].some(it => it.closest('details').open)")
    tab.run("new Promise(done => setTimeout(() => done(true), 200))")
    assert tab.run("document.querySelector('[name=all]').textContent") == "Close all"


def test_what_is_open_is_kept_in_the_url(show: Open) -> None:
    tab = show(ROOT / "examples/site")
    later = "new Promise(done => setTimeout(() => done(decodeURIComponent(location.hash)), 200))"
    tab.run("document.querySelectorAll('details.document > summary')[1].click()")
    name = tab.run("document.querySelectorAll('h3')[1].textContent")
    assert tab.run(later) == f"#open={name}"
    tab.run("location.hash = '#text=weather'")
    tab.run(later)
    assert [one.rpartition("/")[2] for one in tab.run(SHOWN)] == ["index.html"]
    tab.run("history.back()")
    assert tab.run(later) == f"#open={name}"
    assert tab.run("[...document.querySelectorAll('details.document')].map(it => it.open)") == [
        False,
        True,
        False,
        False,
    ]
    assert tab.complaints() == []


@pytest.mark.parametrize("inside", [5, 5000])
def test_names_in_the_picture_do_not_overlap(show: Open, tmp_path: Path, inside: int) -> None:
    folder = tmp_path / "site"
    for number in range(inside):
        file = folder / f"part {number % 7}" / f"a rather long name of a page, number {number}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        other = (number * 31 + 1) % inside
        file.write_text(
            f'<a href="../part {other % 7}/a rather long name of a page, number {other}.html">1</a>'
            f"<a href=http://other{number % 40}.example/>2</a>"
        )
    tab = show("--max-documents", 5, folder)
    names = tab.run("""[...document.querySelectorAll(".structure text")].map(text => {
      const box = text.getBoundingClientRect();
      return [box.left, box.top, box.right, box.bottom];
    })""")
    assert len(names) > 5
    picture = tab.run("(it => [it.left, it.right])(document.querySelector('.structure').getBoundingClientRect())")
    assert all(picture[0] <= left and right <= picture[1] for left, _, right, _ in names)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 1 or other[3] <= one[1] + 1


def test_it_can_be_printed(show: Open, hostile: Path) -> None:
    tab = show(hostile)
    assert tab.pdf().startswith(b"%PDF-")
    tab.look(media="print")
    assert tab.run(TIP) == []
    assert tab.run("getComputedStyle(document.querySelector('.part form')).display") == "none"


# --- for everybody


SOURCES = ("examples/site", "fixtures/srcset.html", "fixtures/containers/pages.warc.gz", "fixtures/mime/unmht.mht")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(show: Open, scheme: str, width: int) -> None:
    script = axe()
    for source in SOURCES:
        tab = show(ROOT / source, scheme=scheme, width=width)
        tab.run("document.querySelectorAll('details').forEach(details => details.open = true)")
        tab.run("document.querySelector('.source mark').focus()")
        assert violations(tab, script) == []
        assert tab.complaints() == []
