"""The `source` core: our own tokenizer, byte-preserving, with a span for every place.

`core` is what it answers to; `scan` finds the places of HTML, `html_writing` writes them, and `xml/` does both for XML.
What comes in is a `Source` and the names that are wanted. Nothing of references; no other core.
"""
