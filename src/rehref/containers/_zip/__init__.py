"""Zip files that hold documents: EPUB books and WACZ archives.

The modules take a seekable file. They return `Part`s, and rewrite the file with all other entries copied. The zip
format itself is in `directory.py` and `write_zip.py`.
"""
