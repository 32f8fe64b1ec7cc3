"""XML in the `source` core: `reader` finds the places, `xml_writing` writes them, `core` is the entry point.

`patterns` defines the syntax of markup. `namespaces`, `entities` and `element_text` define its meaning.
"""
