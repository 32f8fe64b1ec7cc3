"""The `source` core: a tokenizer that keeps every byte, and knows the span of every place.

`core` is its entry point. `scan` finds the places of HTML, `html_writing` writes them, and `xml/` does both for XML.
`twin` calls the compiled twin, and `construction/` does tree construction where the scan alone cannot decide.
"""
