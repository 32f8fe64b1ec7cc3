"""Documents: their references, each with its base and target, and what is odd about it.

What comes in is a `Source` of any type (`reading.py` opens it); what goes out are `Link`s. Reads nothing from disk.
`formats/` has one module for each format, `types/` says which media type is whose.
"""
