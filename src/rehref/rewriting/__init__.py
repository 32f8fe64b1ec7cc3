"""Rewriting: what rules change in links, as edits of the source.

The package takes a `Document` and a rule, and returns edits; the parser core splices them into the source.
`edits.py` does so for a document, `containers.py` for each part of a container.
"""
