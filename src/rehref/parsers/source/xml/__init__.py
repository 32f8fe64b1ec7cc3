"""XML in the `source` core: `reader` finds the places, `xml_writing` writes them, `core` is the entrance.

`patterns` defines how markup is written. `namespaces`, `entities` and `element_text` define what it means.
"""
