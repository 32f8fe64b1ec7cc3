"""XML in the `source` core: `reader` finds the places, and is the entry point; `xml_writing` writes them.

`markup` defines the syntax of markup. `namespaces` and `entities` define its meaning.
"""
