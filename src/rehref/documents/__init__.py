"""Documents: their references, each with its base and its target.

The package takes a `Source` of any media type and returns `Link`s with their problems; it reads no files.
`reading.py` opens a document, `formats/` has a module for each format, `types/` determines the media type.
"""
