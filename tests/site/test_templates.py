"""Which places of a page are in a `template` that nobody sees (markup/_page/unseen_places.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_parts import context_of

from checked.contexts import checked

ROOT = "<template shadowrootmode=open>"
SHADOW = f"<div>{ROOT}"
HIDDEN = "<template><img src=x></template>"


SHOWN = "<a href=shown></a></template>"
NOT_SHOWN = f"{SHADOW}</template><template>{{}}<a href=hidden></a></template>"


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<template><a href=x></a></template>", []),
        (f"{SHADOW}{SHOWN}", ["shown"]),
        (f"<template>{SHADOW}{SHOWN}</template>", []),
        ("<svg><template shadowrootmode=open><a href=shown></a></template></svg>", ["shown"]),
        ("<template data-shadowrootmode=none><a href=x></a></template>", []),
        (f"{SHADOW}<!-- </template> -->{SHOWN}", ["shown"]),
        *(
            (f"{SHADOW}{other}{SHOWN}", ["shown"])
            for other in (
                "<!-- <template> -->",
                "<script>'<template>'</script>",
                "<style>/*<template>*/</style>",
                "<p title='<template>'></p>",
                "<textarea><template></textarea>",
                "<xmp><template></xmp>",
                "<iframe><template></iframe>",
                "<noembed><template></noembed>",
                "<noframes><template></noframes>",
                "<svg><![CDATA[<template>]]></svg>",
                "<template-x>",
            )
        ),
        (f"<title><template></title><body>{SHADOW}{SHOWN}", ["shown"]),
        *(
            (NOT_SHOWN.format(other), [])
            for other in (
                "<!-- </template> -->",
                "<script>'</template>'</script>",
                "<p title='</template>'></p>",
                "<textarea></template></textarea>",
            )
        ),
    ],
)
def test_what_only_looks_like_the_tag_of_a_template_hides_and_shows_nothing(page: str, shown: list[str]) -> None:
    assert _shown(page) == shown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (f"<div><template shadowrootmode='OPEN'>{SHOWN}", ["shown"]),
        (f"<template shadowrootmode=none>{SHOWN}", []),
        (f"<div><template title='>' shadowrootmode=open>{SHOWN}", ["shown"]),
        (f"<div><template shadowrootmode='&#111;pen'>{SHOWN}", ["shown"]),
        (f"<div><template title='shadowrootmode=open'>{SHOWN}", []),
        (f"<div><template data-shadowrootmode=open>{SHOWN}", []),
        (f"<div><template shadowrootmode=open-x>{SHOWN}", []),
        (f"<div><template shadowrootmode=none shadowrootmode=open>{SHOWN}", []),
        (f"<div>{ROOT}</template>{ROOT}{SHOWN}</div>", []),
        (f"<a>{ROOT}<b><img src=x></b></template></a>", []),
        (f"{ROOT}{SHOWN}", []),  # the head cannot have one
        (f"<x-a>{ROOT}{SHOWN}", ["shown"]),
    ],
)
def test_templates_become_shadow_roots_as_in_browsers(page: str, shown: list[str]) -> None:
    assert _shown(page) == shown


def _shown(page: str) -> list[str]:
    """The references of a page that are not hidden."""
    context = context_of("file:///srv/", lambda _: (None, "", ""))
    return context.page("page.html", page.encode()).values.texts


@pytest.mark.parametrize(
    "attributes",
    [
        "href=a xlink:href=b",
        "xlink:href='b' href='a'",
        "title='>' href=a xlink:href=b",
        "href=a title='<>' xlink:href=b",
        "HREF=a XLINK:HREF=b",
        "href='a'/xlink:href='b'",
    ],
)
def test_a_reference_of_xlink_counts_only_without_another(tmp_path: Path, attributes: str) -> None:
    page = f"<svg><use {attributes}></use></svg>"
    found = checked(tmp_path, {"page.html": page.replace("=a", "=a.svg").replace("'a'", "'a.svg'")})
    assert [finding.reference for finding in found.findings] == ["a.svg"]
