"""Carriers: which attributes and elements contain references, in which micro-syntax, and what for.

The micro-syntaxes themselves are in `rehref.uri._syntaxes`. To add an attribute, add a row to `html_attributes.py` or
`xml_vocabularies.py`.
"""
