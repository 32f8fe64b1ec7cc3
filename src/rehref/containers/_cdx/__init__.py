"""Indexes of WARC files: CDXJ, classic CDX and ZipNum.

The modules take an index, and the old and new positions of the records in its archive. They return the same index with
the new positions.
"""
