"""Indexes of WARC files (CDXJ, classic CDX, ZipNum): their lines corrected when an archive is written anew.

What comes in: an index, and where the records of its archive were and are; what goes out is the same index, corrected.
"""
