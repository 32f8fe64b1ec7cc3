"""WARC and ARC files, read as a stream of records.

The modules take a binary stream. They return documents (`Part`) or whole captures (`Capture`), and write the file anew
record by record. `documents.py` reads and rewrites, `archive.py` knows records, `decompressed_stream.py` knows bytes.
"""
