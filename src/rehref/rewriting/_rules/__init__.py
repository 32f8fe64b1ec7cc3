"""The rules: each takes a `Link` and returns its new reference, or None to leave it.

A rule knows nothing about bytes, markup or files. To add one, add a module, a row to `built_in_rules.py` (the command
line gets its options from there), and a name to `rehref/__init__.py`.
"""
