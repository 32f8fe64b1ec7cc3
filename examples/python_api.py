"""The Python API in ten lines: the targets of a page's references, their bases, and the page with absolute references.

The page has a relative base, `<base href="../../../../">`, so everything depends on where it was retrieved from.
"""

from pathlib import Path

import rehref

page = Path(__file__).parent / "pages" / "pivotchart_delete.html"
url = "https://help.libreoffice.org/7.4/en-US/text/scalc/guide/pivotchart_delete.html"
links = rehref.links(page, url=url)
print(f"{len(links)} references, relative to {links[-1].base.uri}, by the {links[-1].base.where}")
for link in links[:5]:
    print(f"{link.line:>4}:{link.column:<4}{link.element:<6}{link.reference:<36} -> {link.target}")
absolute = rehref.rewrite(page, url=url)
print("Made absolute, line 9:", absolute.decode().splitlines()[8])
