"""What is saved of an image or a medium is shown: candidates that are not saved go."""

from __future__ import annotations

import pytest

from growth import assert_proportional
from rehref.archives._copies.candidates import Trimmed, with_what_is_saved

WEB = "https://h.example/"


def shown(text: str, media_type: str = "text/html", encoding: str = "utf-8") -> tuple[str, int]:
    new, removed = with_what_is_saved(text.replace("W/", WEB).encode(encoding), media_type, encoding)
    return new.decode(encoding).replace(WEB, "W/"), removed


@pytest.mark.parametrize(
    ("page", "new", "removed"),
    [
        ('<img src="a.png" srcset="W/b.png 2x">', '<img src="a.png">', 1),
        ('<img src="W/a.png" srcset="b.png 2x">', '<img src="b.png" srcset="b.png 2x">', 1),
        ('<img src=W/a.png srcset="b.png 2x, c.png 3x">', '<img src=b.png srcset="b.png 2x, c.png 3x">', 1),
        ('<img src=W/a.png srcset="W/b.png 1x, c.png 2x,W/d.png">', '<img src=c.png srcset="c.png 2x">', 3),
        ('<img srcset="a.png 100w, W/b.png 200w, c.png 300w">', '<img srcset="a.png 100w, c.png 300w">', 1),
        ('<img src=data:image/gif;base64,x srcset="a.png 2x, W/b 1x">', None, 1),
        ('<img src=data:image/gif;base64,x srcset="W/b 1x">', "", 0),
        ('<img src=W/a.png srcset="W/b.png 2x">', "", 0),
        ('<img src="a.png" srcset="b.png 2x">', "", 0),
        ('<img src="a.png" srcset="//h.example/b.png 2x">', '<img src="a.png">', 1),
        ('<img crossorigin src=W/a.png srcset="b.png 2x">', '<img src=b.png srcset="b.png 2x">', 1),
        ('<img crossorigin src=W/a.png srcset="W/b.png 2x">', "", 0),
        ('<img srcset="a&amp;b.png 2x, W/c" src=W/>', '<img srcset="a&amp;b.png 2x" src=a&amp;b.png>', 2),
    ],
)
def test_candidates_of_an_image(page: str, new: str | None, removed: int) -> None:
    expected = '<img src=data:image/gif;base64,x srcset="a.png 2x">' if new is None else new or page
    assert shown(page) == (expected, removed)


@pytest.mark.parametrize(
    ("page", "new"),
    [
        (
            "<picture><source srcset=W/a.avif type=image/avif><source srcset='W/b 1x, W/c 2x'><img src=d></picture>",
            "<picture><source type=image/avif><source><img src=d></picture>",
        ),
        (
            "<picture><source srcset=a.avif media='(width > 9px)'><img src=W/d.png srcset='W/e 2x'></picture>",
            "<picture><source srcset=a.avif media='(width > 9px)'><img src=a.avif></picture>",
        ),
        (
            "<picture><source srcset=W/a.avif><source srcset='b.webp 2x, W/c.webp'><img src=W/d.png></picture>",
            "<picture><source><source srcset='b.webp 2x'><img src=b.webp></picture>",
        ),
        ("<picture><source srcset=W/a><img src=W/b></picture><img src=c>", ""),
        ("<picture><source srcset=W/a></picture><img src=c>", ""),
        (
            "<picture><source srcset=W/a><p>x<b title=y></b><img src=c></picture>",
            "<picture><source><p>x<b title=y></b><img src=c></picture>",
        ),
        (
            "<picture><source srcset=W/a><img src=c></picture><img src=W/d>",
            "<picture><source><img src=c></picture><img src=W/d>",
        ),
        (
            "<video src=W/a></video><picture><source srcset=W/a><img src=c></picture>",
            "<video src=W/a></video><picture><source><img src=c></picture>",
        ),
    ],
)
def test_sources_of_a_picture(page: str, new: str) -> None:
    assert shown(page)[0] == (new or page)


@pytest.mark.parametrize(
    ("page", "new"),
    [
        ("<video><source src=W/a.webm><source src=b.mp4></video>", "<video><source><source src=b.mp4></video>"),
        ("<video src=W/a.webm crossorigin><source src=b.mp4></video>", "<video><source src=b.mp4></video>"),
        ("<audio src=a.mp3><source src=W/b.ogg></audio>", "<audio src=a.mp3><source></audio>"),
        ("<video><source src=W/a></video><video><source src=b></video>", ""),
        ("<video src=W/a></video><audio><source src=b></audio>", ""),
        ("<video poster=b.png src=W/a></video>", ""),
        ("<video><source type=video/webm src=W/a><source src=b>", "<video><source type=video/webm><source src=b>"),
        (
            "<video src=a><source src=W/b></video><video><source src=W/c></video>",
            "<video src=a><source></video><video><source src=W/c></video>",
        ),
    ],
)
def test_sources_of_a_medium(page: str, new: str) -> None:
    assert shown(page)[0] == (new or page)


PICTURE = "<picture><source srcset=a.webp>{}<img src={}></picture>"
VIDEO = "<video{}>{}<source src=a.mp4></video>"


@pytest.mark.parametrize(
    ("page", "new"),
    [
        (PICTURE.format("<!-- x -->", "W/a"), PICTURE.format("<!-- x -->", "a.webp")),
        (VIDEO.format(" src=W/a", "<!-- x -->"), VIDEO.format("", "<!-- x -->")),
        *(
            (PICTURE.format(between, "W/a"), PICTURE.format(between, "a.webp"))
            for between in ("<!-- </picture> -->", "<!-- <video > -->", "<script>'</picture>'</script>", "</picture-x>")
        ),
        *(
            (VIDEO.format(" src=W/a", between), VIDEO.format("", between))
            for between in ("<!-- </video> -->", "<p title='</video>'></p>", "<textarea></video></textarea>")
        ),
        (
            "<picture><source srcset=a title='</picture>'><img src=W/a></picture>",
            "<picture><source srcset=a title='</picture>'><img src=a></picture>",
        ),
    ],
)
def test_a_picture_ends_where_its_element_does(page: str, new: str) -> None:
    assert shown(page)[0] == new


@pytest.mark.parametrize(
    ("css", "new"),
    [
        ('image-set("a.png" 1x, "W/b.png" 2x)', 'image-set("a.png" 1x)'),
        ("-webkit-image-set(url(W/a.png) 1x , url('b.png') 2x )", "-webkit-image-set(url('b.png') 2x)"),
        ('IMAGE-SET("W/a.avif" type("image/avif"), "b.png" type("image/png"))', 'IMAGE-SET("b.png" type("image/png"))'),
        ('image-set("W/a.png" 1x, "W/b.png" 2x)', ""),
        ("image-set(linear-gradient(red, blue) 1x, url(W/a) 2x)", ""),
        (
            "image-set(linear-gradient(red, blue) 1x, url(W/a) 2x, url(b) 3x)",
            "image-set(linear-gradient(red, blue) 1x, url(b) 3x)",
        ),
        ('image-set("a(,.png" 1x, /* , ) */ "W/b.png" 2x), url(W/c)', 'image-set("a(,.png" 1x), url(W/c)'),
        ('my-image-set("a.png" 1x, "W/b.png" 2x)', ""),
        ('"image-set(" url(a) url(W/b)', ""),
        ('image-set("a.png" 1x, "W/b.png" 2x', ""),
        ('image-set("a" 1x, "W/b" 2x), image-set("W/c" 1x, "d" 2x)', 'image-set("a" 1x), image-set("d" 2x)'),
    ],
)
def test_options_of_image_set(css: str, new: str) -> None:
    rule = "p { background: %s }"
    assert shown(rule % css, "text/css")[0] == rule % (new or css)
    assert shown(f"<style>{rule % css}</style>")[0] == f"<style>{rule % (new or css)}</style>"
    if "'" not in css:
        assert shown(f"<p style='background: {css}'>")[0] == f"<p style='background: {new or css}'>"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "windows-1252"])
def test_encodings_are_kept(encoding: str) -> None:
    page = "<meta charset=x>é<img alt=é src=W/a srcset='é.png 2x'>"
    assert shown(page, encoding=encoding) == (page.replace("W/a", "é.png"), 1)


def test_xhtml() -> None:
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><picture><source srcset="data:,"/><img src="a"/></picture></html>'
    )
    assert shown(page, "application/xhtml+xml")[0] == page.replace(' srcset="data:,"', "")


def test_what_has_no_candidates_is_not_read() -> None:
    assert with_what_is_saved(b"<img src=a>", "text/html", "no such encoding") == Trimmed(b"<img src=a>", 0)


@pytest.mark.parametrize(
    "piece",
    ["<source srcset=W/a>", "<img src=W/a srcset='b 2x'>", "<video>", "<style>image-set(url(a),", "image-set('a' 1x, "],
)
def test_time_is_linear(piece: str) -> None:
    kind = "text/css" if piece.startswith("image") else "text/html"
    assert_proportional(lambda size: lambda: shown(piece * size, kind), 500)
