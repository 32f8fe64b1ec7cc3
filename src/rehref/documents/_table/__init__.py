"""The table of a document's references: what every consumer of a document sees.

`complete_table` is the door; the compiled twin or `python_rows` fills it, and `place_edits` writes what changes.
"""
