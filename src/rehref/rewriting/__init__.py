"""Rewriting: the changes that rules make to links, as edits of the source.

This package takes a `Document` and a rule, and returns edits; the parser core splices them into the source.
`edits.py` does this for a document, `archives/_rewriting_containers.py` for each part of a container.
"""
