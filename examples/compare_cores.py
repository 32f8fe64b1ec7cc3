"""Compares the parser cores on one page: how long each takes, and whether all find the same.

Beside rehref's own cores stands the one of `selectolax_core.py`, used here without being registered.
"""

import time
from pathlib import Path

import selectolax_core

from rehref.documents._formats import html
from rehref.documents.base import Layers
from rehref.markup.cores import core
from rehref.markup.html_encoding import sniff_html
from rehref.markup.parsed import Core, Source

PAGE = Path(__file__).parent / "pages" / "pivotchart_delete.html"
OUTSIDE = Layers(retrieval="https://help.libreoffice.org/7.4/en-US/text/scalc/guide/pivotchart_delete.html")

data = PAGE.read_bytes()
source = Source(data, sniff_html(data).name)
cores: list[Core] = [core("source"), core("lxml"), core("html5lib"), selectolax_core]
expected = [(link.reference, link.target) for link in html.read(source, OUTSIDE, core=cores[0]).links()]

for parser in cores:
    html.read(source, OUTSIDE, core=parser)  # so that imports and compiled expressions do not count
    start = time.perf_counter()
    links = list(html.read(source, OUTSIDE, core=parser).links())
    milliseconds = (time.perf_counter() - start) * 1000
    same = "the same" if [(link.reference, link.target) for link in links] == expected else "different"
    print(f"{parser.name:<11}{milliseconds:>6.1f} ms  {len(links)} links, {same}; first at line {links[0].line}")
