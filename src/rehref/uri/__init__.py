"""URI references: the RFCs and nothing else. Texts in, texts out; imports nothing of the rest.

`components` takes apart and puts together, `resolver` resolves in four profiles, `relative` goes the other way,
`grammar` and `grammar2396` judge, `normalization` compares, `percent_encoding` makes valid, `plaintext` finds,
`privacy` keeps passwords out of sight.
"""
