"""WARC and ARC files: their records read as a stream, given out as documents or captures, copied or put back changed.

What comes in is a binary stream; what goes out are `Part`s, `Capture`s, and the file written anew, record by record.
`documents.py` reads and rewrites; below it stand records (`archive.py`), and bytes (`decompressed_stream.py`).
"""
