"""How results are shown: `links/` has a module for each format of links, `check/` for each format of findings.

What comes in are values; what goes out is text. `formats.py` has a row for each format, by which it is found.
A password in a URI is never shown, in any format: `***` stands for it.
"""
