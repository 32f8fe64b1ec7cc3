"""URI references: the RFCs, the URL Standard and the micro-syntaxes of values, as functions on strings.

`resolver` resolves in four profiles (`rfc3986`, `rfc3986-compat`, `rfc2396`, `whatwg`), and back; `validation`
validates, `normalization` compares, and `syntaxes` finds references in a value. Nothing here knows about documents.
"""
