"""Reports: how results become text, pages or data.

`_links/` has a module for each format of links, `_findings/` for each format of findings, and `formats.py` a row for
each format. A report takes values and returns text, in which `***` stands for each password in a URI.
"""
