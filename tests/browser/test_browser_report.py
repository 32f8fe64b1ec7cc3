"""The page of `rehref check --format html` in Chromium: what its script shows, how fast, and that all can use it.

- No test is about how long something takes on a clock: how many elements there are is asserted, and times are printed
  (`-rP` shows them; `benchmarks/report.py` measures).
- What axe-core says of it is asked, if there is axe-core (`axe.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import devtools
import pytest
from axe import axe, violations
from toolbar import change, opened

from made_findings import finding, result
from made_report import made_lines, made_report
from rehref.reports.formats import Presentation, findings_format
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site

pytestmark = pytest.mark.browser

VIEWS = ("causes", "pages", "targets", "hosts")
CORPUS = Path(__file__).resolve().parents[2] / "benchmarks/corpora/rust-doc/usr/share/doc/rust-doc/html"
MOST_ELEMENTS = 3_000
"""Of a page of any size: what is in sight, the charts and the list for those without scripts."""

Open = Callable[..., devtools.Tab]


@pytest.fixture
def show(tab: devtools.Tab, tmp_path: Path) -> Open:
    """Opens the page of a result, or the same page once more."""

    def open_page(report: CheckResult | None = None, fragment: str = "", **look: Any) -> devtools.Tab:
        file = tmp_path / "report.html"
        if report is not None:
            text = "".join(findings_format("html")(report, Presentation(line_of=made_lines(report), made="today")))
            file.write_text(text, encoding="utf-8")
        tab.look(**look)
        tab.open("about:blank")
        tab.open(file.as_uri() + fragment)
        return tab

    return open_page


ROWS = """[...document.querySelectorAll(".windowed > *")].map(row => row.innerText)"""
COUNT = """document.querySelector(".toolbar output").value"""
ELEMENTS = "document.querySelectorAll('*').length"
PRINTED = "[...document.querySelectorAll('.printed')].map(one => one.textContent)"
HASH = "decodeURIComponent(location.hash)"
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def in_order(tab: devtools.Tab) -> None:
    """The rows stand one below the other, without gaps, in the order of their numbers."""
    boxes = tab.run("""[...document.querySelectorAll(".windowed > *")].map(row => {
      const box = row.getBoundingClientRect();
      return [Number(row.getAttribute("aria-posinset")), box.top, box.bottom];
    })""")
    for (number, _, bottom), (following, top, _) in pairwise(boxes):
        assert following == number + 1
        assert abs(bottom - top) < 1.5


def opens_filters_and_sorts(tab: devtools.Tab, report: CheckResult, word: str) -> None:
    loaded = opened(tab)
    total, causes = len(report.findings), len(report.causes)
    assert tab.run(COUNT) == f"{total:,} findings, {causes:,} causes"
    filtered = change(tab, "text", word)
    fits = [
        one
        for one in report.findings
        if any(word in (text or "") for text in (one.document, one.message, one.target, one.reference, one.suggestion))
    ]
    assert 0 < len(fits) < total
    assert tab.run(COUNT).startswith(f"{len(fits):,} finding")
    cleared = change(tab, "text", "")
    assert tab.run(COUNT) == f"{total:,} findings, {causes:,} causes"
    by_name = change(tab, "sort", "name")
    by_page = change(tab, "view", "pages")
    pages = len({one.document for one in report.findings})
    assert tab.run(COUNT) == f"{total:,} findings, {pages:,} pages"
    assert 0 < tab.run(ELEMENTS) < MOST_ELEMENTS
    assert tab.complaints() == []
    took = {"opened": loaded, "filtered": filtered, "cleared": cleared, "sorted": by_name, "by page": by_page}
    print(f"{total:,} findings:", ", ".join(f"{name} in {each:.0f} ms" for name, each in took.items()))


@pytest.mark.parametrize("findings", [40, 5_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_page_of_any_size_opens_filters_and_sorts(show: Open, findings: int) -> None:
    report = made_report(findings)
    opens_filters_and_sorts(show(report), report, "theme_3")


@pytest.fixture(scope="module")
def rust_doc(tmp_path_factory: pytest.TempPathFactory) -> tuple[CheckResult, Path]:
    """What checking the documentation of Rust gives, and the page of that."""
    if not CORPUS.is_dir():
        pytest.skip("no corpus of rust-doc: benchmarks/fetch-corpora rust-doc makes it")
    context = Site.of(CORPUS, CheckOptions())
    report = CheckRun().check(context).result
    file = tmp_path_factory.mktemp("rust-doc") / "report.html"
    page = findings_format("html")(report, Presentation(line_of=context.lines()))
    file.write_text("".join(page), encoding="utf-8")
    return report, file


@pytest.mark.slow
def test_the_page_of_rust_doc_opens_filters_and_sorts(tab: devtools.Tab, rust_doc: tuple[CheckResult, Path]) -> None:
    report, file = rust_doc
    tab.look()
    tab.open(file.as_uri())
    opens_filters_and_sorts(tab, report, report.findings[len(report.findings) // 2].document)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_page_of_rust_doc(
    tab: devtools.Tab, rust_doc: tuple[CheckResult, Path], scheme: str
) -> None:
    script = axe()
    for view in VIEWS:
        tab.look(scheme)
        tab.open("about:blank")
        tab.open(f"{rust_doc[1].as_uri()}#view={view}&open=all")
        assert violations(tab, script) == []
        assert tab.complaints() == []


def test_only_what_is_in_sight_is_in_the_page_however_far_one_scrolls(show: Open) -> None:
    tab = show(made_report(5_000), "#view=pages&open=all")
    size = tab.run("Number(document.querySelector('.windowed > *').getAttribute('aria-setsize'))")
    assert size == 5_500
    in_order(tab)
    seen = []
    for part in (0.2, 0.5, 0.9, 0.3, 1.0):
        tab.run(f"scrollTo(0, document.documentElement.scrollHeight * {part})")
        tab.run(FRAME)
        in_order(tab)
        seen.append(tab.run("Number(document.querySelector('.windowed > :last-child').getAttribute('aria-posinset'))"))
        assert tab.run(ELEMENTS) < MOST_ELEMENTS
    tab.run("scrollTo(0, document.documentElement.scrollHeight)")
    tab.run(FRAME)
    assert seen[0] < seen[1] < seen[2]
    assert tab.run("document.querySelector('.windowed > :last-child').getAttribute('aria-posinset')") == str(size)


def test_a_narrow_window_scrolls_in_one_direction_only(show: Open) -> None:
    tab = show(made_report(200), width=390, height=800)
    for view in VIEWS:
        change(tab, "view", view)
        assert tab.run("document.documentElement.scrollWidth") <= 390
        in_order(tab)


def test_a_low_window_is_not_filled_by_the_toolbar(show: Open) -> None:
    position = "getComputedStyle(document.querySelector('.toolbar')).position"
    assert show(made_report(200), height=450).run(position) == "static"
    assert show(made_report(200)).run(position) == "sticky"


# --- what is kept in the URL


def test_a_view_is_kept_in_the_fragment_and_comes_back(show: Open) -> None:
    report = made_report(2_000)
    tab = show(report)
    assert tab.run(HASH) == ""
    change(tab, "view", "targets")
    change(tab, "text", "theme_3 api/")
    change(tab, "sort", "most")
    change(tab, "code", "missing-file")
    tab.run("document.querySelector('[name=severity][value=warning]').click()")
    tab.run("document.querySelector('.windowed button').click()")
    assert tab.run("document.querySelector('.windowed button').getAttribute('aria-expanded')") == "true"
    rows, count, fragment = tab.run(ROWS), tab.run(COUNT), tab.run("location.hash")
    for part in ("view=targets", "text=theme_3+api/", "sort=most", "code=missing-file", "severity=error", "open=https"):
        assert part in tab.run(HASH)
    again = show(None, fragment)
    assert (again.run(ROWS)[0], again.run(COUNT)) == (rows[0], count)
    assert again.run("document.querySelector('[name=view]:checked').value") == "targets"
    again.run("location.hash = '#view=hosts'")
    again.run(FRAME)
    assert again.run(COUNT) == "2,000 findings, 2 hosts"
    assert again.complaints() == []


@pytest.mark.parametrize(
    "fragment", ["#view=nothing&sort=x&code=y&open=%25zz,%E0", "#%", "#view=constructor&toString=1", "#open=a,,b"]
)
def test_a_fragment_that_makes_no_sense_is_no_error(show: Open, fragment: str) -> None:
    tab = show(made_report(40), fragment)
    assert tab.run(COUNT) == "40 findings, " + f"{len(made_report(40).causes)} causes"
    assert tab.complaints() == []


def test_a_bar_filters_and_leads_to_its_cause(show: Open) -> None:
    report = made_report(2_000)
    tab = show(report)
    bar = "document.querySelector('[data-chart={}] [data-key=\"{}\"] > button')"
    tab.run(bar.format("folders", "api/") + ".click()")
    assert tab.run(COUNT).startswith("400 findings")
    assert tab.run(bar.format("folders", "api/") + ".getAttribute('aria-pressed')") == "true"
    assert tab.run("document.querySelector('[name=folder]').value") == "api/"
    change(tab, "folder", "")
    assert tab.run(COUNT).startswith("2,000 findings")
    tab.run(bar.format("codes", "orphan") + ".click()")
    orphans = sum(one.code == "orphan" for one in report.findings)
    assert tab.run(COUNT).startswith(f"{orphans:,} findings")
    cause = report.causes[0]
    tab.run(bar.format("causes", cause.id) + ".click()")
    tab.run(FRAME)
    assert tab.run(HASH) == f"#open={cause.id}"
    focused = tab.run("document.activeElement.innerText")
    assert cause.first.message in focused
    assert "Only the first place" in focused
    assert tab.run("document.activeElement.getBoundingClientRect().top") >= 0
    in_order(tab)
    tab.run("new Promise(done => { addEventListener('hashchange', done, {once: true}); history.back(); })")
    assert tab.run(HASH) == "#code=orphan"
    assert tab.run(COUNT).startswith(f"{orphans:,} findings")


def test_every_folder_can_be_chosen(show: Open) -> None:
    tab = show(result(*(finding(document=f"d{number:02}/a.html") for number in range(20))), "#folder=d19/")
    assert tab.run("document.querySelector('[data-chart=folders]').innerText").endswith("and 12 more folders")
    assert tab.run("document.querySelectorAll('[name=folder] option').length") == 21
    assert tab.run(COUNT) == "1 finding, 1 cause"


def test_a_cause_says_how_much_of_it_fits(show: Open) -> None:
    found = [finding("x.html", document=f"p{page}.html", line=line) for page in range(9) for line in (1, 2)]
    tab = show(result(*found, finding("y.html")))
    assert "in 9 pages (18 places), this is the first" in tab.run(ROWS)[0]
    assert "first" not in tab.run(ROWS)[1]
    change(tab, "text", "p3.html")
    assert "matches in 1 of 9 pages\n" in tab.run(ROWS)[0]
    change(tab, "text", "public/p3.html:2")
    assert tab.run(COUNT) == "1 finding, 1 cause"


def test_many_open_groups_are_in_the_url_only_if_all_are(show: Open) -> None:
    tab = show(result(*(finding(document=f"d/{number},%/a.html") for number in range(30))), "#view=pages")
    tab.run("document.querySelector('.windowed button').click()")
    assert tab.run("new URLSearchParams(location.hash.slice(1)).get('open')") == "d/0%2C%25/a.html"
    tab.run("document.querySelector('[name=fold]').click()")
    assert tab.run(HASH) == "#view=pages&open=all"
    tab.run("document.querySelector('.windowed button').click()")
    assert tab.run(HASH) == "#view=pages"


@pytest.mark.parametrize(("word", "severity"), [("errors", "error"), ("warning", "warning"), ("note", "info")])
def test_severities_are_words_to_look_for(show: Open, word: str, severity: str) -> None:
    codes = ("missing-file", "case-mismatch", "orphan", "web-robots")
    report = result(*(finding(f"{number}.html", code=code) for number, code in enumerate(codes)))
    tab = show(report)
    change(tab, "text", word)
    assert tab.run(COUNT).split()[0] == str(sum(one.severity == severity for one in report.findings))


@pytest.mark.parametrize(
    "word", ["section1/page", "page38.html:11", "<base href>", "MISSING-fragment", "a@href", "zzz"]
)
def test_words_are_looked_for_in_all_that_is_shown(show: Open, word: str) -> None:
    report = made_report(1_000)
    tab = show(report)
    change(tab, "text", word)

    def has(one: Any) -> bool:
        of = (one.document, one.code, f"{one.element}@{one.attribute}", one.base.where)
        return any(word.lower() in text.lower() for text in of) or f"{one.document}:{one.line}".endswith(word)

    number = sum(map(has, report.findings))
    assert tab.run(COUNT).split()[0] == str(number)
    assert tab.run("document.querySelector('.nothing').hidden") == (number > 0)


# --- for everybody


def test_axe_finds_what_is_wrong(show: Open) -> None:
    script = axe()
    tab = show(made_report(40))
    tab.run("document.querySelector('.count').style.color = '#999'; document.querySelector('h1').append(new Image())")
    assert {one.partition(":")[0] for one in violations(tab, script)} == {"color-contrast", "image-alt"}


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(show: Open, scheme: str, width: int) -> None:
    script = axe()
    report = made_report(300)
    for view in VIEWS:
        tab = show(report, f"#view={view}&open=all&folder=api/", scheme=scheme, width=width)
        tab.run("document.querySelector('details').open = true")
        tab.run("document.querySelector('.copy')?.focus()")
        assert violations(tab, script) == []
        assert tab.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_page_without_findings_or_scripts(show: Open, scheme: str) -> None:
    script = axe()
    assert violations(show(made_report(0), scheme=scheme), script) == []
    tab = show(made_report(300), scheme=scheme)
    tab.scripts(enabled=False)
    try:
        show(None, scheme=scheme)
        assert tab.run("getComputedStyle(document.querySelector('.plain-list')).display") == "block"
        assert tab.run("document.querySelector('.toolbar').hidden")
        assert tab.run("document.querySelectorAll('.plain > li').length") == 100
        assert tab.run("document.querySelector('.windowed').offsetHeight") == 0
    finally:
        tab.scripts(enabled=True)


def test_all_can_be_done_with_the_keyboard(show: Open) -> None:
    tab = show(made_report(2_000), "#view=pages")
    tab.press("/")
    assert tab.run("document.activeElement.name") == "text"
    for key in "api":
        tab.press(key)
    assert tab.run(HASH) == "#view=pages&text=api"
    tab.press("ArrowDown")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == "1"
    tab.press("/")
    for _ in range(12):
        tab.press("Tab")
        if tab.run("document.activeElement.dataset.name === 'open'"):
            break
    assert tab.run("document.activeElement.getAttribute('aria-expanded')") == "false"
    outline = tab.run("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    tab.press("Enter")
    assert tab.run("[document.activeElement.dataset.name, document.activeElement.ariaExpanded].join()") == "open,true"
    tab.press("ArrowDown")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == "2"
    assert tab.run("document.activeElement.className").startswith("at ")
    tab.press("ArrowLeft")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == "1"
    tab.press("ArrowLeft")
    assert tab.run("document.querySelector('.windowed button').ariaExpanded") == "false"
    tab.press("End")
    last = tab.run("document.activeElement.getAttribute('aria-setsize')")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == last
    box = tab.run("(box => [box.top, box.bottom])(document.activeElement.getBoundingClientRect())")
    assert 0 <= box[0] <= box[1] <= 900
    tab.press("Home")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == "1"
    assert tab.complaints() == []


def test_what_has_the_focus_stays_when_it_is_scrolled_away(show: Open) -> None:
    tab = show(made_report(2_000), "#view=pages")
    tab.run("document.querySelector('.windowed button').focus()")
    tab.run("scrollTo(0, 5000)")
    tab.run(FRAME)
    assert tab.run("document.activeElement.closest('[aria-posinset]').getAttribute('aria-posinset')") == "1"
    tab.press("ArrowDown")
    assert tab.run("document.activeElement.getAttribute('aria-posinset')") == "2"
    assert tab.run("document.activeElement.getBoundingClientRect().top") >= 0


def test_nothing_jumps_when_a_group_is_opened(show: Open) -> None:
    tab = show(made_report(2_000), "#view=pages")
    tab.run("scrollTo(0, 3000)")
    tab.run(FRAME)
    middle = "document.elementFromPoint(640, 500).closest('[aria-posinset]')"
    number = tab.run(f"{middle}.getAttribute('aria-posinset')")
    top = f"document.querySelector('[aria-posinset=\"{number}\"]').getBoundingClientRect().top"
    before = tab.run(top)
    tab.run(f"{middle}.querySelector('button').click()")
    tab.run(FRAME)
    assert abs(tab.run(top) - before) < 1.5
    in_order(tab)


def test_the_first_tab_stop_leads_to_the_findings(show: Open) -> None:
    tab = show(made_report(200))
    tab.press("Tab")
    assert tab.run("document.activeElement.innerText") == "To the findings"
    assert tab.run("document.activeElement.offsetWidth") > 50
    tab.press("Enter")
    assert tab.run("document.activeElement.name") == "text"
    assert tab.run("document.querySelector('.skip').offsetWidth") == 1


def test_what_is_chosen_is_seen_in_forced_colours(show: Open) -> None:
    tab = show(made_report(200), forced=True)
    colours = tab.run(
        """[...document.querySelectorAll(".choice span")].map(one => getComputedStyle(one).backgroundColor)"""
    )
    assert colours[0] not in colours[1:]
    bar = "document.querySelectorAll('[data-chart=codes] button')"
    tab.run(f"{bar}[0].click()")
    tab.run("new Promise(done => setTimeout(() => done(true), 300))")
    colours = tab.run(f"[...{bar}].map(one => getComputedStyle(one).backgroundColor)")
    assert colours[0] not in colours[1:]


def test_a_long_path_loses_its_beginning_in_a_chart(show: Open) -> None:
    names = [f"{'long/' * 30}{number}.html" for number in (1, 2)]
    tab = show(result(*(finding(name) for name in names for _ in range(2))))
    left = tab.run("""[...document.querySelectorAll("[data-chart=causes] .label")].map(label => {
      const box = label.getBoundingClientRect(), text = label.firstChild.getBoundingClientRect();
      return [text.right - box.right, text.left - box.left];
    })""")
    assert len(left) == 2
    assert all(abs(end) < 1 and start < -50 for end, start in left)


# --- copying, printing


SUGGESTED = "a b/ü_%20'\"<x>.html"


@pytest.mark.parametrize("allowed", [True, False])
def test_a_suggestion_is_copied_with_a_right_to_the_clipboard_and_without(show: Open, allowed: bool) -> None:
    tab = show(result(finding(suggestion=SUGGESTED, sure=True)))
    tab.allow("clipboardReadWrite", "clipboardSanitizedWrite")
    tab.run("navigator.clipboard.writeText('other')")
    if not allowed:
        tab.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    tab.run("document.querySelector('.copy').focus(); document.querySelector('.copy').click()")
    tab.run("new Promise(done => setTimeout(() => done(true), 100))")
    assert tab.run("document.querySelector('.copy').textContent") == "Copied"
    assert tab.run("document.getElementById('announcement').textContent") == f"Copied {SUGGESTED}"
    assert tab.run("document.activeElement.className") == "copy"
    assert tab.run("navigator.clipboard.readText()") == SUGGESTED
    assert tab.complaints() == []


def test_a_copy_that_is_refused_says_so(show: Open) -> None:
    tab = show(result(finding(suggestion=SUGGESTED)))
    tab.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    tab.run("document.execCommand = () => false")
    tab.run("document.querySelector('.copy').click()")
    tab.run("new Promise(done => setTimeout(() => done(true), 100))")
    assert tab.run("document.querySelector('.copy').textContent") == "No access"
    assert tab.run("document.getElementById('announcement').textContent") == "The browser does not let this page copy"


def test_what_is_chosen_is_printed(show: Open) -> None:
    tab = show(made_report(5_000), "#view=pages")
    change(tab, "text", "api/")
    tab.look("dark", media="print")
    tab.run("dispatchEvent(new Event('beforeprint'))")
    rows = tab.run(ROWS)
    assert len(rows) == 100
    assert all("api/" in row for row in rows)
    in_order(tab)
    assert tab.run("getComputedStyle(document.querySelector('.toolbar')).display") == "none"
    assert tab.run("getComputedStyle(document.querySelector('.plain-list')).display") == "none"
    assert tab.run("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    assert tab.run("getComputedStyle(document.querySelector('.faint')).color") == "rgb(87, 96, 106)"
    filtered = "1,000 findings, 100 pages; only findings that match these filters: with the words “api/”"
    assert tab.run(PRINTED) == [filtered, ""]
    tab.look()
    tab.run("dispatchEvent(new Event('afterprint'))")
    in_order(tab)
    change(tab, "text", "")
    change(tab, "view", "causes")
    assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf())) > 10
    causes = len(made_report(5_000).causes)
    assert tab.run(PRINTED) == [f"5,000 findings, {causes:,} causes", f"and {causes_left():,} more rows"]
    assert tab.run("[...document.querySelectorAll('.printed')].every(one => !one.offsetHeight)")
    assert tab.complaints() == []


def test_charts_are_printed(show: Open) -> None:
    tab = show(made_report(200), media="print")
    heights = tab.run("[...document.querySelectorAll('.chart .label')].map(label => label.offsetHeight)")
    assert len(heights) > 10
    assert min(heights) > 8


def test_what_leads_to_different_files_is_in_different_groups(show: Open) -> None:
    names = [f"{'long/' * 100}{number}/{'long/' * 30}x.html" for number in (1, 2)]
    tab = show(result(*(finding(name) for name in names for _ in range(2))), "#view=targets")
    assert tab.run(COUNT) == "4 findings, 2 targets"
    tab.run("document.querySelector('.windowed button').click()")
    assert tab.run("[...document.querySelectorAll('.windowed button')].map(one => one.ariaExpanded)")[:1] == ["true"]
    assert tab.run("document.querySelectorAll('.windowed .at').length") == 2


def causes_left() -> int:
    return len(made_report(5_000).causes) - 500


# --- what documents would do


PAYLOADS = [
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "\"'><svg onload=window.ran=1>",
    "<!--<script>",
    "javascript:window.ran=1",
    "&lt;b&gt;\u2028\u2029",
    "__proto__",
]


@pytest.mark.parametrize("view", VIEWS)
def test_no_document_writes_markup_or_script(show: Open, view: str) -> None:
    found = [
        finding(text, document=f"{text}/{text}", target=text, message=text, suggestion=text, element=text)
        for text in PAYLOADS
        for _ in range(2)
    ]
    tab = show(result(*sorted(found), folder=PAYLOADS[0]), f"#view={view}&open=all&text=%3Cscript%3E")
    change(tab, "text", "")
    tab.run("(button => button.textContent === 'Open all' && button.click())(document.querySelector('[name=fold]'))")
    assert tab.run("window.ran") is None
    allowed = {"DIV", "H3", "SPAN", "CODE", "P", "PRE", "MARK", "DL", "DT", "DD", "BUTTON"}
    names = tab.run("[...document.querySelectorAll('.windowed *')].map(one => one.tagName)")
    assert set(names) <= allowed
    tab.run("dispatchEvent(new Event('beforeprint'))")  # all of them
    shown = "\n".join(tab.run(ROWS))
    for text in PAYLOADS[:5]:
        assert text in shown
    assert tab.complaints() == []
