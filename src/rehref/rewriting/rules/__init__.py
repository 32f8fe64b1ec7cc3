"""The rules: each takes a link to its new reference, or to None.

What comes in is a `Link`; no rule knows of bytes, markup or files. A new rule is a module here, and a name in
`rehref/__init__.py`.
"""
