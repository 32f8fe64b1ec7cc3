"""The formats of documents: one module for each, which finds its references and says what they are relative to.

What comes in is a `Source` and how to read it; what goes out is a `Document`. A new format is a module here with a
`FORMAT` (`contract.py`), and its media types and file extensions in `documents/types/media_types.py`.
"""
