"""What browsers refuse to load from a disk is put into the pages of offline copies; Chromium is asked elsewhere."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from crawl import pages

SITE = "https://h.example/"
SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
KINDS = {"svg": "image/svg+xml", "js": "text/javascript", "css": "text/css", "vtt": "text/vtt", "png": "image/png"}
HIDDEN = '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" style="position:absolute;width:0;height:0">'


Copied = Callable[..., tuple[str, list[str]]]


@pytest.fixture(params=["archive", "folder"])
def copied(run, request) -> Copied:
    """Copies a page, with files, and returns the new page, and the lines about what stays."""

    def copy(place: Path, page: str, files: dict[str, str], kind: str = "text/html", *options: str):
        index = f"{SITE}index.xhtml" if "xhtml" in kind else SITE
        made = {index: (page, f"{kind}; charset=utf-8")}
        made |= {f"{SITE}{name}": (text, KINDS[name.rpartition(".")[2]]) for name, text in files.items()}
        if request.param == "archive":
            (place / "crawl.warc.gz").write_bytes(pages(made))
            done = run("rewrite", "--unpack", place / "out", *options, place / "crawl.warc.gz")
        else:
            (place / "in/h.example").mkdir(parents=True)
            for uri, (text, _) in made.items():
                name = uri.removeprefix(SITE) or "index.html"
                (place / "in/h.example" / name).parent.mkdir(exist_ok=True)
                (place / "in/h.example" / name).write_text(text, encoding="utf-8")
            done = run("rewrite", "--to", "offline", "--copy-others", "-o", place / "out", *options, place / "in")
        assert done.exit_code == 0, done.stderr
        lines = [line.partition(" will not work")[0] for line in done.stderr.splitlines() if "will not work" in line]
        return next((place / "out/h.example").glob("index.*html")).read_text(encoding="utf-8"), lines

    return copy


def data(text: str, kind: str) -> str:
    return f"data:{KINDS[kind]};base64,{b64encode(text.encode()).decode()}"


def test_elements_of_sprites_are_in_the_page_once(copied, tmp_path):
    sprite = SVG.format(
        '<style>path{fill:red} .a{fill:#00f}</style><symbol id="i" onload="x()"><script>x()</script><path class="a" '
        'style="stroke:url(#g)" color="#abc"/></symbol><g id="o"><linearGradient id="g"/></g><g id="other"/>'
    )
    page = '<p id=rehref1-x><svg><use href=/s.svg#i></svg><svg><use xlink:href="s.svg#i"/><use href=s.svg#no></svg>'
    new, stays = copied(tmp_path, page, {"s.svg": sprite})
    ns = 'xmlns="http://www.w3.org/2000/svg" '
    assert new == (
        '<p id=rehref1-x><svg><use href=#rehref1001-i></svg><svg><use xlink:href="#rehref1001-i"/><use href=s.svg#no>'
        f'</svg>{HIDDEN}<symbol {ns}id="rehref1001-i"><path class="a" style="fill:#00f;stroke:url(#rehref1001-g)" '
        f'color="#abc"/></symbol><linearGradient {ns}id="rehref1001-g"/></svg>'
    )
    assert stays == ["rehref: 1 SVG or track reference"]


def test_xhtml_gets_them_in_its_body(copied, tmp_path):
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head/><body><svg xmlns="http://www.w3.org/2000/svg">'
        '<use href="s.svg#i"/></svg></body></html>'
    )
    new, _ = copied(tmp_path, page, {"s.svg": SVG.format('<g id="i"/>')}, "application/xhtml+xml")
    assert new.endswith(f'</svg>{HIDDEN}<g xmlns="http://www.w3.org/2000/svg" id="rehref1-i"/></svg></body></html>')


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ('<video><track src="{}"></video>', "vtt"),
        ("<p style=\"mask: linear-gradient(#000, #0000), url('{}')\">", "png"),
        ("<style>p {{ -webkit-mask-image: url({}) }}</style>", "svg"),
        ("<style>p {{ --icon: url({}); mask: var(--icon) }}</style>", "svg"),
        ('<svg><rect fill="url({}#a)" /></svg>', "svg"),
    ],
)
def test_others_become_data(copied, tmp_path, markup, kind):
    new, stays = copied(tmp_path, markup.format(f"/f.{kind}"), {f"f.{kind}": "x"})
    assert (new, stays) == (markup.format(data("x", kind)), [])


@pytest.mark.parametrize(
    "markup",
    [
        "<style>p { background: url(f.svg); mask: none }</style>",
        "<img src=f.svg#a>",
        "<style>p { --i: url(f.png) }</style>",
    ],
)
def test_what_browsers_load_stays(copied, tmp_path, markup):
    assert copied(tmp_path, markup, {"f.svg": "x", "f.png": "x"}) == (markup, [])


def test_what_is_too_large_or_not_saved_stays_and_is_counted(copied, tmp_path):
    page = '<style>p { mask: url(big.svg) } b { mask: url("..%2f..%2fetc%2fx.svg") }</style>'
    new, stays = copied(tmp_path, page, {"big.svg": "x" * ((1 << 20) + 1)})
    assert "mask: url(big.svg)" in new
    assert 'url("https://h.example/..%2f..%2fetc%2fx.svg")' in new
    assert stays == ["rehref: 1 SVG or track reference"]
    (tmp_path / "more").mkdir()
    many = "".join(f"<p style='mask: url(m{number}.svg)'>" for number in range(10))
    new, stays = copied(tmp_path / "more", many, {f"m{number}.svg": "x" * (1 << 20) for number in range(10)})
    assert new.count("data:") == 8
    assert stays == ["rehref: 2 SVG or track references"]


def modules(page: str) -> dict[str, str]:
    """The text of each module in the import map of a page."""
    found = re.search(r'<script type="importmap">(.*?)</script>', page)
    imports = json.loads(found[1])["imports"] if found else {}
    return {name: b64decode(text.partition("base64,")[2]).decode() for name, text in imports.items()}


def test_modules_are_in_an_import_map(copied, tmp_path):
    files = {
        "a.js": 'import{b}from"./b.js";import c from \'bare\';export*from"https://h.example/b.js";import "/none.js"',
        "b.js": 'import "/a.js"; const s = "from here"',
    }
    page = "<!-- <script type=module src=x> --><script type=module src=a.js></script>"
    new, stays = copied(tmp_path, page, files)
    assert new.endswith("</script><script type=module src=data:text/javascript,import%22h.example/a.js%22></script>")
    assert modules(new) == {
        "h.example/a.js": 'import{b}from"h.example/b.js";import c from \'bare\';export*from"h.example/b.js";'
        'import "https://h.example/none.js"',
        "h.example/b.js": 'import "h.example/a.js"; const s = "from here"',
    }
    assert stays == []


def test_an_import_map_is_in_the_encoding_of_the_page(run, tmp_path):
    page = "\ufeff<!DOCTYPE html><script type=module src=/a.js></script>"
    made = {SITE: (page.encode("utf-16-le"), "text/html"), f"{SITE}a.js": ("1", "text/javascript")}
    (tmp_path / "crawl.warc.gz").write_bytes(pages(made))
    run("rewrite", "--unpack", tmp_path / "out", tmp_path / "crawl.warc.gz")
    new = (tmp_path / "out/h.example/index.html").read_bytes().decode("utf-16-le")
    assert new.startswith('\ufeff<!DOCTYPE html><script type="importmap">')
    assert modules(new) == {"h.example/a.js": "1"}


def test_modules_in_a_page_are_relative_to_its_base(copied, tmp_path):
    page = "<base href=/m/><script type=module>import './a.js'; fetch('api.css')</script>"
    new, stays = copied(tmp_path, page, {"m/a.js": "import './b.js'", "m/b.js": "1", "m/api.css": "x", "a.js": "2"})
    assert modules(new) == {
        "./a.js": "import 'h.example/m/b.js'",
        "h.example/m/a.js": "import 'h.example/m/b.js'",
        "h.example/m/b.js": "1",
    }
    assert stays == ["rehref: 1 fetching script"]


@pytest.mark.parametrize(
    ("text", "is_inlined"),
    [
        ("x = new URL('x.png', import.meta.url)", False),
        ("import(name)", False),
        ("import(`./${name}.js`)", False),
        ('import("./b.js");export{}', True),
        ('import(/* webpackChunkName: "b" */ "./b.js");export{}', True),
    ],
)
def test_modules_that_need_a_server_are_counted(copied, tmp_path, text, is_inlined):
    page = "<script type=module>import '/a.js'</script><script type=module>alert(1)</script>"
    new, stays = copied(tmp_path, page, {"a.js": text, "b.js": "1", "f.css": "x"})
    assert ("/a.js" in modules(new)) == bool(is_inlined)
    assert stays == ["rehref: 1 module"]


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("a.src = '/m/a.png'", 1),
        ("a.setAttribute('href', `/m/a.png`)", 1),
        ("a = ['/m/b.png', '/', '//m/a.png', 'm/a.png']", 0),
        ("import '/b.js'; a = '/m/a.png'", 0),
    ],
)
def test_what_scripts_ask_for_at_the_root_is_counted(copied, tmp_path, script, count):
    _, stays = copied(tmp_path, f"<script>{script}</script>", {"m/a.png": "x", "b.js": "1"})
    assert stays == ["rehref: 1 fetching script"] * count


def test_no_inline_leaves_pages_as_they_are(copied, tmp_path):
    page = "<script type=module src=a.js></script><svg><use href=s.svg#i></svg>"
    new = copied(tmp_path, page, {"a.js": "1", "s.svg": SVG.format("<g id='i'/>")}, "text/html", "--no-inline")
    assert new == (page, ["rehref: 1 module and 1 SVG or track reference"])


def test_what_is_not_only_svg_stays_out_of_the_page(copied, tmp_path):
    inner = ('<foreignObject><script xmlns="http://www.w3.org/1999/xhtml">x()</script></foreignObject>', "&foo;")
    for number, text in enumerate((*inner, '<image href="a.png"/>', '<path style="fill: url(b.svg#x)"/>')):
        sprite = '<!DOCTYPE svg [<!ENTITY foo "bar">]>' + SVG.format(f'<symbol id="i">{text}</symbol>')
        (tmp_path / str(number)).mkdir()
        new, stays = copied(tmp_path / str(number), "<svg><use href=/s.svg#i></svg>", {"s.svg": sprite})
        assert (new, len(stays)) == ("<svg><use href=s.svg#i></svg>", 1)


def test_a_page_without_a_known_end_of_its_body_stays(copied, tmp_path):
    use = "<svg><use href=/s.svg#i></svg>"
    for number, page in enumerate((use + "<textarea>", use + "<!-- </body>", f'<iframe srcdoc="{use}"></iframe>')):
        (tmp_path / str(number)).mkdir()
        new, _ = copied(tmp_path / str(number), page, {"s.svg": SVG.format('<g id="i"/>')})
        assert new == page.replace("/s.svg", "s.svg")


@pytest.mark.parametrize(
    ("page", "may_be_there"),
    [
        ("<p>x</p></body></html>", True),
        ("<script>x</script><p>x", True),
        ("<p>--></p></body>", True),
        ("<!--><p>x</body>", True),
        ("<noscript>x</body>", False),
        ("<!-- x </body>", False),
        ("<p title='</body>", False),
        ("<p title=x", False),
        ("<img src=/x onerror='", False),
        ("<p>x</body", False),
        ("<p>x</body></html", False),
        ("<p>x</body>y</html>", True),
        ("<p>x</BODY >\n</html>\n", True),
        ("<? x", False),
        ("<noembed>x</body>", False),
        ("<noframes>x</body>", False),
        ("<plaintext>x</plaintext>", False),
        ("<svg><![CDATA[ x", False),
        ("<template>x<!-- </template> --></body>", False),
        ("<textarea>x</body>", False),
        ("<template><script>'</template>'</script></body>", False),
        ("<!-- x --!></body>", True),
        ("<p title='<!--'>x</body>", True),
        ("<p title='<textarea>'>x</body>", True),
        ("<script>'-->'</script><p title='<!--'>x</body>", True),
        ("<svg><title>x</title></svg><p><!-- <title> --></body>", True),
    ],
)
def test_elements_of_sprites_are_put_only_where_they_are_elements(copied, tmp_path, page, may_be_there):
    use = "<svg><use href=s.svg#i></use></svg>"
    new, _ = copied(tmp_path, use + page, {"s.svg": SVG.format('<g id="i"/>')})
    assert (HIDDEN in new) is may_be_there


def test_a_module_in_a_srcdoc_stays(copied, tmp_path):
    page = '<iframe srcdoc="<script type=module src=m.js></script>"></iframe>'
    new, stays = copied(tmp_path, page, {"m.js": "import './n.js'", "n.js": ""})
    assert (new, len(stays)) == (page, 1)


def test_what_stays_on_the_web_is_not_refused_by_the_disk(copied, tmp_path):
    page = (
        '<script type="module" src="https://web.example/m.js"></script><svg><use href="https://web.example/s.svg#i"/>'
        "</svg><p style=\"mask:url('https://web.example/m.png')\"><video><track src=https://web.example/t.vtt></video>"
    )
    assert copied(tmp_path, page, {"a.js": "1"}) == (page, [])
