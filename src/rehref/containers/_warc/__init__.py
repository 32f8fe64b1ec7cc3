"""WARC and ARC files, read as a stream of records.

The modules take a binary stream. They return documents (`Part`) or whole captures (`Capture`), and rewrite the file
record by record. `documents.py` reads and rewrites, `warc_archive.py` handles records, `decompressed_stream.py` bytes.
"""
