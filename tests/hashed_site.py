"""A site with every kind of hash that a browser compares: what it fetches, and what its policies allow."""

from __future__ import annotations

from base64 import b64encode
from hashlib import new
from pathlib import Path

PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
STYLE = "#inline { background: url({}) }"
SHEET = "#sheet {{ background: url({}) }}"
MODULE = 'document.title += " module";'
SCRIPT = 'document.title += " script";'
PAGE = """<!DOCTYPE html><meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="default-src 'self'; style-src-elem 'self' {style}; style-src-attr
'unsafe-hashes' {attribute}; script-src 'self' {script} {map}">
<title>t</title><link rel=stylesheet href=css/a.css integrity="{sheet256} {sheet512}">
<script type=importmap>{import_map}</script>
<style>{inline}</style><script>{program}</script><script type=module src=m.js></script>
<p id=sheet>a<p id=inline>b<p id=attribute style="{background}">c"""


def hashed(text: str, algorithm: str = "sha256") -> str:
    """The hash of a text, as integrity metadata has it."""
    return f"{algorithm}-{b64encode(new(algorithm, text.encode()).digest()).decode()}"


def site(folder: Path, *, page_refers_to: str = "img/a.svg", sheet_refers_to: str = "../img/a.svg") -> None:
    """Write the site. The picture is `img/a.svg`."""
    sheet, inline = SHEET.format(sheet_refers_to), STYLE.replace("{}", page_refers_to)
    background = f"background:url({page_refers_to})"
    import_map = f'{{"integrity":{{"./m.js":"{hashed(MODULE, "sha384")}","./css/a.css":"{hashed(sheet)}"}}}}'
    page = PAGE.format(
        style=f"'{hashed(inline)}'",
        attribute=f"'{hashed(background)}'",
        script=f"'{hashed(SCRIPT)}'",
        map=f"'{hashed(import_map)}'",
        sheet256=hashed(sheet),
        sheet512=hashed(sheet, "sha512"),
        import_map=import_map,
        inline=inline,
        program=SCRIPT,
        background=background,
    )
    for name, text in (
        *(("index.html", page), ("css/a.css", sheet), ("img/a.svg", PICTURE), ("m.js", MODULE)),
        ("_headers", f"/*\n  Content-Security-Policy: style-src '{hashed(inline)}' '{hashed('other')}'\n"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
