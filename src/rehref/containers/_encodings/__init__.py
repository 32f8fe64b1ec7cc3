"""Encodings that a document gets from others: the environment encoding of style sheets and classic scripts.

`inherited_encodings` says how it is passed on, and `sheet_encodings` what it is in a folder or a site.
"""
