"""The `source` core: a tokenizer that keeps every byte, and knows the span of every place.

`core` is its entrance. `scan` finds the places of HTML, `html_writing` writes them, and `xml/` does both for XML.
`twin` calls the compiled twin, and `construction/` builds a tree where the scan alone cannot decide.
"""
