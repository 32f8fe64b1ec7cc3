"""Zip files that hold documents: EPUB books and WACZ archives; and the zip format itself.

What comes in is a seekable file; what goes out are `Part`s, and the file written anew with all else copied.
"""
