"""Hashes in a folder whose files change (rewriting/folder_integrity.py)."""

from __future__ import annotations

from collections.abc import Mapping

from hashed_site import hashed
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.folder_integrity import GuardedFolder, Renewed, with_integrity

H = "http://h/"


def renewed(files: Mapping[str, str], **changed: str) -> Renewed:
    """What else changes; `a_css` stands for `a.css`."""

    def content(path: str) -> bytes | None:
        return files[path].encode() if path in files else None

    folder = GuardedFolder(
        documents=[path for path in files if path.endswith((".html", ".css", ".svg"))],
        header_files=[path for path in files if path.startswith((".", "_"))],
        content=content,
        opened=lambda path, data: read_document(
            data,
            "text/css" if path.endswith(".css") else "text/html",
            None,
            Layers(retrieval=H + path),
            ReadOptions.DEFAULT,
        ),
        find=lambda target: target.removeprefix(H) if target.startswith(H) else None,
    )
    return with_integrity(folder, {path.replace("_", ".", 1): new.encode() for path, new in changed.items()})


def link(text: str, *, to: str = "a.css", algorithm: str = "sha256") -> str:
    return f"<link rel=stylesheet href={to} integrity={hashed(text, algorithm)}>"


def test_a_hash_follows_what_it_is_of() -> None:
    page = link("old") + link("old", to="b.css", algorithm="sha512") + link("old", to="http://elsewhere/a.css")
    found = renewed({"i.html": page, "a.css": "old", "b.css": "old"}, a_css="new")
    assert found == Renewed({"i.html": (link("new") + page.removeprefix(link("old"))).encode()}, ())


def test_a_wrong_hash_stays_and_is_named() -> None:
    found = renewed({"i.html": link("wrong"), "a.css": "old", "b.css": ""}, a_css="new")
    assert found.changes == {}
    assert list(map(str, found.stale)) == ["i.html: the integrity of a.css did not match before, and stays"]
    assert renewed({"i.html": link("wrong"), "a.css": "old", "b.css": ""}, b_css="new") == Renewed({}, ())


def test_a_weaker_hash_that_was_wrong_stays_beside_the_right_one() -> None:
    page = link("old", algorithm="sha384").replace("integrity=", f"integrity='{hashed('x')} ").replace(">", "'>")
    found = renewed({"i.html": page, "a.css": "old"}, a_css="new")
    new = link("new", algorithm="sha384").replace("integrity=", f"integrity='{hashed('x')} ").replace(">", "'>")
    assert found.changes == {"i.html": new.encode()}


def test_what_contains_a_hash_may_itself_be_hashed() -> None:
    def page(text: str) -> str:
        import_map = f'{{"integrity": {{"./a.css": "{hashed(text)}"}}}}'
        policy = f"script-src '{hashed(import_map)}' '{hashed(text)}'"
        meta = f'<meta http-equiv=content-security-policy content="{policy}">'
        return f"{meta}<script type=importmap>{import_map}</script>{link(text)}"

    found = renewed({"i.html": page("old"), "a.css": "old"}, a_css="new")
    assert found.changes == {"i.html": page("new").encode()}


def test_a_style_sheet_may_have_the_hash_of_another() -> None:
    def imports(name: str, text: str) -> str:
        return f'@import url("{name}" integrity("{hashed(text)}"));'

    def files(text: str) -> dict[str, str]:
        second = imports("c.css", text)
        first = imports("b.css", second)
        inline = f"<style>{imports('a.css', first)}</style>"
        policy = f"<meta http-equiv=content-security-policy content=\"style-src '{hashed(inline[7:-8])}'\">"
        return {"a.css": first, "b.css": second, "i.html": f"{policy}{inline}{link(first)}"}

    found = renewed({**files("old"), "c.css": "old"}, c_css="new")
    assert found.changes == {name: text.encode() for name, text in files("new").items()}


def test_a_chain_may_be_long() -> None:
    def files(text: str) -> dict[str, str]:
        texts = [text]
        for number in range(1200):
            texts.append(f'@import url("{number}.css" integrity("{hashed(texts[-1])}"));')
        return {f"{number}.css": text for number, text in enumerate(texts)}

    old, new = files("old"), files("new")
    assert renewed({name: old[name] for name in reversed(old)}, **{"0_css": "new"}).changes == {
        name: text.encode() for name, text in new.items() if name != "0.css"
    }


def test_a_circle_ends() -> None:
    pages = {"b.html": link("y", to="a.html")}
    pages["a.html"] = link(pages["b.html"], to="b.html")
    found = renewed({**pages, "c.css": ""}, b_html=pages["b.html"] + " ", c_css="x")
    assert found.changes == {"a.html": link(pages["b.html"] + " ", to="b.html").encode()}


def test_policies_in_files_for_the_host() -> None:
    def page(text: str) -> str:
        return f"<style>{text}</style>"

    files = {"a.html": page("old"), "b.html": page("old"), "c.html": page("old")}
    headers = "/*\n  Content-Security-Policy: style-src 'self' '{}' '{}'; font-src é\n"
    files["_headers"] = headers.format(hashed("old"), hashed("other"))
    found = renewed(files, a_html=page("new"), b_html=page("newer"))
    expected = headers.format(f"{hashed('new')}' '{hashed('newer')}' '{hashed('old')}", hashed("other"))
    assert found.changes == {"_headers": expected.encode()}
    del files["c.html"]
    assert hashed("old") not in renewed(files, a_html=page("new"), b_html=page("newer")).changes["_headers"].decode()


def test_nothing_changes_if_nothing_does() -> None:
    assert renewed({"i.html": link("old"), "a.css": "old"}) == Renewed({}, ())
    assert renewed({"i.html": link("old"), "a.css": "old"}, a_css="old") == Renewed({}, ())
