"""Zip files that hold documents: EPUB books and WACZ archives.

The modules take a seekable file. They return `Part`s, and write the file anew with all other entries copied. The zip
format itself is in `directory.py` and `writing.py`.
"""
