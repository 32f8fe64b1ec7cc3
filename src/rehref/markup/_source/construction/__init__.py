"""Tree construction of the HTML Standard (§13.2.6), with the names of elements only.

It reads a source that the scan refused, and yields the places that are in the finished tree. The functions have the
names of the Standard's insertion modes and steps.
"""
