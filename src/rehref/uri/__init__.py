"""URI references: the RFCs and the URL Standard. Texts in, texts out; imports nothing of the rest.

`resolver` resolves in four profiles (`rfc3986`, its `compat`, `rfc2396`, `whatwg`), `relativize` goes the other way,
`grammar` judges, `normalization` compares. New here: what a text means as a URI, and nothing of documents.
"""
