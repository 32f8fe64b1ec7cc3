"""The rules: each takes a link to its new reference, or to None.

What comes in is a `Link`; no rule knows of bytes, markup or files. A new rule is a module here, a row of `registry.py`,
from which the command line has its options, and a name in `rehref/__init__.py`.
"""
