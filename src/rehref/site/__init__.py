"""The link checker: it reads a folder as a site, and finds what is broken in it.

It takes a folder and `CheckOptions`, and returns a `CheckResult` with findings. It asks servers only on request
(`_crawling/`, `_external/`). `check.py` is the entrance, `_checking.py` the order of the steps, each a folder.
"""
