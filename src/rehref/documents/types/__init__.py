"""Media types: how the name and the first bytes of a file determine its type.

The modules take a name or some bytes, and open no file. File extensions are in `file_extensions.py`, the first bytes
of binary formats in `magic_numbers.py`, the types that rehref reads in `media_types.py`.
"""
