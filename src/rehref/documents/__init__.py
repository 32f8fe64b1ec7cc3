"""Documents: their references, each with its base and its target.

The package takes a `Source` of any media type and returns `Link`s with their problems; it reads no files.
`reading.py` opens a document, `_carriers/` lists the attributes with references, `_formats/` has a module for each
format, `media_types.py` determines the media type.
"""
