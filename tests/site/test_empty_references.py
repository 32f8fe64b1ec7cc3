"""Attributes that hold no reference where the HTML Standard has one, and candidates that browsers drop."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checked.contexts import found


@pytest.mark.parametrize("value", ["", " ", "\n\t"])
def test_what_the_standard_has_a_url_for_is_not_empty(tmp_path: Path, value: str) -> None:
    page = """
        <link rel=stylesheet href="{}"><script src="{}"></script><img src="{}" alt=""><iframe src="{}"></iframe>
        <embed src="{}"><video src="{}" poster="{}"><source src="{}"><track src="{}"></video><audio src="{}"></audio>
        <object data="{}"></object><input type=image src="{}"><img srcset="{}" src=i.png>
        <picture><source srcset="{}"></picture><link rel=preload as=image imagesrcset="{}"><img src=i.png usemap="{}">
    """.replace("{}", value)
    (tmp_path / "i.png").write_bytes(b"")
    findings = found(tmp_path, page)
    assert {finding.code for finding in findings} == {"empty-reference"}
    assert [f"{finding.element}@{finding.attribute}" for finding in findings] == [
        *("link@href", "script@src", "img@src", "iframe@src", "embed@src", "video@src", "video@poster", "source@src"),
        *("track@src", "audio@src", "object@data", "input@src", "img@srcset", "source@srcset", "link@imagesrcset"),
        "img@usemap",
    ]
    assert {finding.severity for finding in findings} == {"warning"}
    assert all(finding.line for finding in findings)


def test_an_attribute_without_a_value_is_empty(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "<p>\n<img src alt=x>")
    assert (finding.code, finding.line, finding.reference) == ("empty-reference", 2, "")


def test_what_may_be_empty_is_fine(tmp_path: Path) -> None:
    page = (
        '<a href="">1</a><a href=" ">2</a><form action=""><button formaction="">3</button></form><input src="">'
        '<blockquote cite=""></blockquote><a ping="" href="#">4</a><p style="">5</p><script>6</script>'
        '<template><img src=""><img srcset="" usemap=""></template><svg><image href=""/></svg><map><area href=""></map>'
    )
    assert [finding.code for finding in found(tmp_path, page)] == []


def test_in_xhtml(tmp_path: Path) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><img src=""/><a href=""/><img src="" xmlns="u:x"/></html>'
    (finding,) = found(tmp_path, page, "index.xhtml")
    assert (finding.code, finding.element) == ("empty-reference", "img")


def test_with_a_base_too(tmp_path: Path) -> None:
    findings = found(tmp_path, '<base href="https://example.org/"><img src=""><img src=" ">')
    assert [finding.code for finding in findings] == ["empty-reference"] * 2


def test_a_usemap_has_a_hash(tmp_path: Path) -> None:
    (tmp_path / "i.png").write_bytes(b"")
    images = "".join(f'<img src=i.png usemap="{value}">' for value in ("#m", "m", "x", "#", "#gone", "page.html#m"))
    findings = found(tmp_path, f"<map name=m></map>{images}")
    assert [(finding.reference, finding.code, finding.suggestion) for finding in findings] == [
        ("m", "empty-reference", "#m"),
        ("x", "empty-reference", None),
        ("#", "empty-reference", None),
        ("#gone", "missing-fragment", None),
    ]


def test_what_is_left_out_is_not_reported(tmp_path: Path) -> None:
    page = '<img src="">'
    assert found(tmp_path, page, include=(re.compile("example"),)) == []
    assert len(found(tmp_path, page, exclude=(re.compile("example"),))) == 1


def test_candidates_that_browsers_drop_are_not_looked_up(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(b"")
    page = (
        '<img src=a.png srcset="a.png 1x, gone.png 1x, b.png 2x">\n'
        '<img src=a.png srcset="my photo.png 1x, lost.png 2x">\n'
        '<link rel=preload as=image imagesrcset="a.png 100w, b.png 100w">\n'
        '<iframe srcdoc="<img srcset=&quot;a.png, b.png&quot;>"></iframe>\n'
        '<img src=a.png srcset="a.png 100w, b.png 200w">\n'
    )
    findings = found(tmp_path, page)
    assert [(finding.line, finding.reference, finding.code, finding.severity) for finding in findings] == [
        (1, "gone.png", "dropped-candidate", "warning"),
        (2, "my", "dropped-candidate", "warning"),
        (2, "lost.png", "missing-file", "error"),
        (3, "b.png", "dropped-candidate", "warning"),
        (4, "b.png", "dropped-candidate", "warning"),
    ]
    assert "'photo.png'" in findings[1].message
    left = found(tmp_path, page, exclude=(re.compile("gone"),))
    assert "gone.png" not in {finding.reference for finding in left}
