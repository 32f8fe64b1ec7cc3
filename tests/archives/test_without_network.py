"""The policy that is put into a copied page."""

from __future__ import annotations

import pytest

from rehref.archives._copies.without_network import has_policy, without_network

XHTML = "<html xmlns='http://www.w3.org/1999/xhtml'>{}<body/></html>"


@pytest.mark.parametrize(
    "page",
    [
        XHTML.format("<head></head>"),
        XHTML.format("<head/>"),
        "<!-- > --><?x y?><!DOCTYPE html>" + XHTML.format("<!-- x --><head class='a'><title/></head>"),
        XHTML.format("<head title='>'></head>"),
        XHTML.format("<?x y?><head></head>"),
        "<?x a>b?>" + XHTML.format("<head></head>"),
        "<!DOCTYPE html SYSTEM 'a>b'>" + XHTML.format("<head></head>"),
        "<!DOCTYPE html [<!ENTITY x 'y'>]>" + XHTML.format("<head></head>"),
        "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head></h:head><h:body/></h:html>",
    ],
)
def test_the_policy_is_the_first_child_of_the_head(page: str) -> None:
    from lxml import etree

    new = without_network(page.encode(), "utf-8", is_xml=True)
    assert has_policy(new)
    first = next(iter(_parsed(new).iter("{*}head")))[0]
    assert etree.QName(first).localname == "meta"


def _parsed(page: bytes):  # type: ignore[no-untyped-def]
    """The document element; a page that is not well-formed has an empty one."""
    from lxml import etree

    try:
        return etree.fromstring(page, etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return etree.fromstring(b"<html><head><wrong/></head></html>")


@pytest.mark.parametrize(
    "before",
    [
        "",
        "<!-- > -->",
        "<!-->",
        "<!-- a --!>",
        "<?x?>",
        "<![CDATA[a]]>",
        "</ a>",
        "</>",
    ],
)
def test_a_page_with_a_policy_is_read_in_the_same_mode(before: str) -> None:
    new = without_network(f"{before}<!DOCTYPE html><p>".encode(), "utf-8", is_xml=False)
    assert new.startswith(f"{before}<!DOCTYPE html><meta".encode())


@pytest.mark.parametrize("before", ["", "\ufeff", "<!DOCTYPE html>", "\n<!-- a -->", "</ a>"])
@pytest.mark.parametrize(
    "cut_off",
    [
        *("<img src=/x onerror='", "<img src=/x onerror=", "<img src=/x ", "<p", "</p", "<a title='>", "<", "</", "<!"),
        *("<?", "<!-", "<!--", "<!-- > ", "<!-- --", "<!-- --!", "<!DOCTYPE html", "<!DOCTYPE html '", "<![CDATA["),
    ],
)
def test_a_policy_completes_nothing_that_the_end_of_the_page_cuts_off(before: str, cut_off: str) -> None:
    policy = without_network(b"", "utf-8", is_xml=False).decode()
    new = without_network(f"{before}{cut_off}".encode(), "utf-8", is_xml=False).decode()
    assert new == before + policy + cut_off


def test_a_policy_is_behind_what_ends_with_the_page() -> None:
    for page in ("<!DOCTYPE html>", "<!-- a -->", "<!-->", "<!-- a --!>", "</ a>", "<?x>"):
        assert without_network(page.encode(), "utf-8", is_xml=False).decode().startswith(f"{page}<meta")


def test_a_policy_is_in_the_encoding_of_the_page() -> None:
    policy = without_network(b"", "utf-8", is_xml=False)
    comment = b"<!-- \x1b$B\x2d\x2d\x3e\x30\x1b(B -->"  # two characters, in whose bytes is the end of a comment
    assert without_network(comment + b"<p>", "iso-2022-jp", is_xml=False) == comment + policy + b"<p>"
    broken = "\ufeff<p>x".encode("utf-16-le") + b"\x00\xdc"
    new = without_network(broken, "utf-16le", is_xml=False)
    assert new == broken[:2] + policy.decode().encode("utf-16-le") + broken[2:]
