"""Rewriting: what rules make of links, planned as edits of places, document by document and part by part.

What comes in is a `Document` and a rule; what goes out are edits, which the parser core splices into the source.
"""
