"""Writing valid URIs on request: every reference that is written matches RFC 3986, and leads browsers where it led."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from rehref.cli.program import program
from rehref.documents.base import clean
from rehref.rewriting._percent_encoded import NEVER_CHANGED
from rehref.uri.components import split
from rehref.uri.normalization import percent_encode
from rehref.uri.resolver import PROFILES, parse_or_none
from rehref.uri.validation import violations

URL = "http://h/d/p.html"
CORES = ("source", "lxml", "html5lib")


def nothing(link: rehref.Link) -> None:
    """A rule that changes nothing."""
    return


RULES = {
    "nothing": nothing,
    "absolute": rehref.Absolute(),
    "drop": rehref.Absolute(base_element="drop", same_document=True),
    "metadata": rehref.Absolute(metadata=True),
    "relative": rehref.Relative(),
    "template": rehref.Template("http://r/{uri}"),
    "table": rehref.Mapping({"http://h/*": "http://ü/ö/*", "http://h/d/ä": "http://n/ a"}),
}


def written(html, rule="absolute", **options):
    options.setdefault("url", URL)
    return rehref.rewrite(html, RULES[rule], percent_encode=True, **options)


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("grün.html", "http://h/d/gr%C3%BCn.html"),
        ("a b?c|d#e f", "http://h/d/a%20b?c%7Cd#e%20f"),
        ("a%zz%41", "http://h/d/a%25zz%41"),
        ("//bücher.example/", "http://xn--bcher-kva.example/"),
        ("10:30.html", "http://h/d/10:30.html"),
        # what Absolute lets stay
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("#ü", "#%C3%BC"),
        ("http://h/%c3%bc/ok?", "http://h/%c3%bc/ok?"),
        # none of ours
        ("javascript:alert('a b')", "javascript:alert('a b')"),
        ("mailto:ü@example.org", "mailto:ü@example.org"),
        ("data:,a b", "data:,a b"),
        ("about:ü", "about:ü"),
        ("blob:http://h/ü", "blob:http://h/ü"),
        ("CID:ü@h", "CID:ü@h"),
        ("mid:ü@h", "mid:ü@h"),
        ("javascript:/a b/.test('ü')", "javascript:/a b/.test('ü')"),
        # other schemes without a hierarchy
        ("urn:ä", "urn:%C3%A4"),
        ("magnet:?dn=a b", "magnet:?dn=a%20b"),
        ("x:a b", "x:a%20b"),
        ("urn:x|y", "urn:x%7Cy"),
    ],
)
def test_what_is_written(before, after, core):
    html = rehref.rewrite(
        f'<p><a href="{before}">x</a></p>', RULES["absolute"], url=URL, percent_encode=True, parser=core
    )
    assert [link.reference for link in rehref.links(html)] == [after]


def test_without_it_nothing_is_encoded():
    html = '<a href="http://bücher.example/a b">'
    assert rehref.rewrite(html, url=URL) == html


@pytest.mark.parametrize("href", ["&scheme;://host/a b", "&b;a b.png", "&b;{"])
def test_what_could_mean_anything_stays(href):
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="{href}"/></feed>'
    assert rehref.rewrite(feed, url=URL, percent_encode=True, media_type="application/xml") == feed


def test_in_every_micro_syntax():
    html = (
        "<img srcset='ä 1x, b|c 2x'><p style='background:url(ü.png)'><a ping='ö b'></a><img usemap='#ü'>"
        "<meta http-equiv=refresh content='0;url=ß'><iframe srcdoc=\"<a href='å b'>\"></iframe>"
        "<svg><rect fill='url(#ü)'/></svg><p itemscope itemtype='http://ü/'><meta property='og:image' content='ü'>"
    )
    assert written(html, "nothing") == (
        "<img srcset='%C3%A4 1x, b%7Cc 2x'><p style='background:url(%C3%BC.png)'><a ping='%C3%B6 b'></a>"
        "<img usemap='#ü'><meta http-equiv=refresh content='0;url=%C3%9F'><iframe srcdoc=\"<a href='%C3%A5%20b'>\">"
        "</iframe><svg><rect fill='url(#ü)'/></svg><p itemscope itemtype='http://ü/'>"
        "<meta property='og:image' content='ü'>"
    )


def test_a_query_is_written_in_the_encoding_of_the_document():
    html = "<meta charset=windows-1252><a href='ü?ü€#ü'>".encode("windows-1252")
    for profile in PROFILES:
        (link,) = rehref.links(written(html, "relative", profile=profile))
        assert link.reference == "%C3%BC?%FC%80#%C3%BC", profile
    assert b"%C3%BC?%C3%BC#" in written("<meta charset=utf-8><a href='ü?ü#ü'>".encode())


def test_what_browsers_read_otherwise_is_written_as_they_do_or_left():
    html = r"<a href='a\b|c'>"
    assert written(html, "nothing") == html
    assert written(html, "nothing", profile="whatwg") == "<a href='http://h/d/a/b%7Cc'>"
    assert written(html, "relative", profile="whatwg") == "<a href='a/b%7Cc'>"
    assert written(html, "nothing", profile="whatwg", url=None) == html  # to what it is relative decides


def test_what_a_rule_gives_is_encoded():
    def to(link):
        return "http://ü/ a"

    assert rehref.rewrite("<a href=x>", to, percent_encode=True) == "<a href=http://xn--tda/%20a>"
    assert written("<a href='ä'>", "table") == "<a href='http://n/%20a'>"


@pytest.mark.parametrize("profile", PROFILES)
def test_other_schemes_without_a_hierarchy_are_encoded_in_every_profile(profile):
    html = '<a href="urn:ä"><a href="magnet:?dn=a b"><a href="x:a b"><a href="urn:x|y">'
    after = '<a href="urn:%C3%A4"><a href="magnet:?dn=a%20b"><a href="x:a%20b"><a href="urn:x%7Cy">'
    for rule in ("nothing", "absolute", "drop", "relative"):
        assert written(html, rule, profile=profile) == after


def test_what_cannot_be_a_uri_is_not_written():
    for before in (r"//h:80/\x", r"a\x", r"\x"):
        html = f"<a href='{before}'>"
        for rule in ("absolute", "relative", "template"):
            assert written(html, rule) == html
        assert rehref.rewrite("<a href=x>", lambda link, new=f"http://n{before}": new, percent_encode=True) == (
            "<a href=x>"
        )
    # nor where the base is none; where that goes, it is written as browsers read it
    html = r"<base href='http://o/a\b/'><a href='x'><a href='c\d'>"
    assert written(html) == html
    assert written(html, "drop") == "<a href='http://o/a/b/x'><a href='http://o/a/b/c/d'>"
    assert written(r"<meta property='og:image' content='a\b'>", "metadata") == (
        r"<meta property='og:image' content='a\b'>"
    )


def test_containers_and_what_leads_within_them(tmp_path):
    mhtml = (
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b; type=text/html\r\n\r\n"
        "--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Location: http://h/p.html\r\n\r\n"
        '<a href="http://ü.example/ö"><img src="ü.png">\r\n'
        "--b\r\nContent-Type: image/png\r\nContent-Location: http://h/ü.png\r\n\r\nx\r\n--b--\r\n"
    ).encode()
    out = io.BytesIO()
    rehref.rewrite_into(mhtml, out, nothing, percent_encode=True)
    assert b'<a href="http://xn--tda.example/%C3%B6"><img src="' in out.getvalue()


def test_the_command(tmp_path: Path):
    page = tmp_path / "p.html"
    page.write_text('<meta charset=utf-8><a href="http://bücher.example/a b"><a href="grün.html">', encoding="utf-8")
    arguments = ["rewrite", "-q", "--percent-encode", "--to", "relative", "--url", URL, str(page)]
    assert CliRunner().invoke(program, arguments).output == (
        '<meta charset=utf-8><a href="http://xn--bcher-kva.example/a%20b"><a href="gr%C3%BCn.html">'
    )
    assert "IDNA" in CliRunner().invoke(program, ["rewrite", "--help"]).output


# ------------------------------------------------------------------------------------------------- laws

REFERENCES = st.one_of(
    st.sampled_from(
        ["ü", "../x y", "//ö/p", "http://bücher.example/ü?ü#ü", "mailto:ü@b", "javascript:'ü'", "http:ü", "urn:ü"]
    ),
    st.text(alphabet="ab/.?#:;= \\éソ\t\n%@[]|^{}<>\u00a0", max_size=10),
    st.sampled_from(["http://[::1", "http://a b/", "ftp://ü:p@ö:21/", "1a:b", "?", "#", "%", "?ü", "file:ü", "///ü"]),
    st.sampled_from(["magnet:?dn=a b", "mid:ü", "x:ü |"]),
)
ATTRIBUTES = REFERENCES.map(lambda text: text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;"))
TAGS = st.one_of(
    st.builds('<a href="{}">'.format, ATTRIBUTES),
    st.builds('<img src="{}">'.format, ATTRIBUTES),
    st.builds('<base href="{}">'.format, ATTRIBUTES),
    st.builds('<img srcset="{} 1x, {} 2x">'.format, ATTRIBUTES, ATTRIBUTES),
    st.builds('<form action="{}">'.format, ATTRIBUTES),
)
DOCUMENTS = st.lists(TAGS, min_size=1, max_size=4).map("".join)


def is_ours(link: rehref.Link) -> bool:
    """Whether a reference is to be written as a valid URI."""
    scheme = (split(clean(link.reference)).scheme or "").lower()
    return link.kind not in ("fragment", "namespace", "metadata") and scheme not in NEVER_CHANGED


@given(
    DOCUMENTS, st.sampled_from(sorted(RULES)), st.sampled_from(PROFILES), st.sampled_from(["utf-8", "windows-1252"]),
    st.sampled_from(CORES),
)  # fmt: skip
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example('<a href="a\\b">', "relative", "whatwg", "utf-8", "source")
@example('<a href=""><base href="http://[::1">', "absolute", "rfc3986", "utf-8", "source")
@example('<a href="//h:80/\\x">', "absolute", "rfc3986", "utf-8", "source")
@example('<a href="?ソ">', "absolute", "rfc3986", "windows-1252", "lxml")
def test_all_that_is_written_is_valid(html, rule, profile, encoding, core):
    source = f"<meta charset={encoding}>".encode() + html.encode(encoding, "xmlcharrefreplace")
    before = [link for link in rehref.links(source, url=URL, profile=profile, parser=core) if is_ours(link)]
    new = written(source, rule, profile=profile, parser=core)
    after = rehref.links(new, url=URL, profile=profile, parser=core)
    was = {link.reference for link in rehref.links(source, url=URL, profile=profile, parser=core)}
    for link in after:
        assert violations(link.reference) == [] or link.reference in was, link.reference
    after = [link for link in after if is_ours(link)]
    for link in after:
        differs = "\\" in link.reference or any(problem.code == "browser-differs" for problem in link.problems)
        stays = link.kind == "base" or differs if profile != "whatwg" else link.target is None
        assert violations(link.reference) == [] or stays, link.reference
    assert written(new, rule, profile=profile, parser=core) == new or rule not in ("nothing", "absolute")
    if rule == "nothing" and len(before) == len(after):
        for old, link in zip(before, after, strict=True):
            seen, now = (parse_or_none(each.reference, old.base.uri or URL) for each in (old, link))
            if encoding == "utf-8":
                assert (seen is None) == (now is None)
                assert seen is None or percent_encode(seen) == percent_encode(now or "")


def test_it_does_not_go_with_unpack(tmp_path: Path):
    result = CliRunner().invoke(program, ["rewrite", "--percent-encode", "--unpack", str(tmp_path / "out"), "x.warc"])
    assert result.exit_code == 2
    assert "--percent-encode" in result.output
    assert "does not go with --unpack" in result.output


@pytest.mark.parametrize("rule", ["nothing", "absolute", "relative"])
@pytest.mark.parametrize(
    ("handler", "valid"),
    [
        ("/h?u=%s", "/h?u=%s"),
        ("/h?u=%s&a b", "/h?u=%s&a%20b"),
        ("/%s/%s", "/%s/%25s"),
        ("/h#%s", "/h#%s"),
        ("/placeholder?%s |", "/placeholder?%s%20%7C"),
        ("/100%/%20%s", "/100%25/%20%s"),
    ],
)
def test_the_placeholder_of_a_protocol_handler_stays(rule: str, handler: str, valid: str) -> None:
    manifest = '{"protocol_handlers": [{"url": "%s"}], "start_url": "%s"}'
    new = written(manifest % (handler, "/%s"), rule, url="http://h/d/m", media_type="application/manifest+json")
    before = {"absolute": "http://h", "relative": ".."}.get(rule, "")
    assert new == manifest % (before + valid, before + "/%25s")


def test_brackets_of_a_host_are_escaped_where_they_are_in_a_path():
    to = rehref.Template("https://r.example/{uri}")
    page = "<a href='http://[::1]/x'>"
    assert rehref.rewrite(page, to, percent_encode=True) == "<a href='https://r.example/http://%5B::1%5D/x'>"
    assert rehref.rewrite(page, percent_encode=True) == page
