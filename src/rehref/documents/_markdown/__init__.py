"""Reading and writing Markdown: the places of its references, byte for byte.

`dialects` says how the dialects differ, `read_markdown` finds the destinations,
`write_markdown` writes one, `parsed_markdown` joins them with the HTML inside to a document; `heading_ids` has the ids
that headings get.
"""
