"""Document formats (HTML, XML, CSS, plain text, …): one module for each.

A module takes a `Source` and `ReadOptions`, finds the references, and says what they are relative to. To add a format,
add a module with a `FORMAT` (see `contract.py`), and its media types and file extensions to
`documents/types/media_types.py`.
"""
