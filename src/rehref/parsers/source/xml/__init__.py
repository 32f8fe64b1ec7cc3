"""XML in the `source` core: `reader` finds the places, `xml_writing` writes them, `core` is what XML is read by.

`patterns` says what markup looks like; `namespaces`, `entities` and `element_text` say what it means.
"""
