"""URI references: the RFCs and the URL Standard, as functions on strings. Imports nothing of the other packages.

`resolver` resolves in four profiles (`rfc3986`, `rfc3986-compat`, `rfc2396`, `whatwg`), `relativize` does the reverse,
`grammar` validates, and `normalization` compares. Nothing here knows about documents.
"""
