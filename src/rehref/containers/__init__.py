"""Containers: files that enclose documents, such as WARC, MHTML and EPUB (RFC 3986 §5.1.2).

The modules take a binary file. They return `Part`s (the documents in it) and `Diagnostic`s (what they could not read),
and rewrite the container with some parts changed. To add a kind, add a package here and a row to `kinds.py`.
"""
