"""Media types: how the name and the first bytes of a file determine its type.

The modules take a name or some bytes, and open no file. `media_types.py` has the types that rehref reads, `sniffing.py`
the file extensions and the first bytes of all others.
"""
