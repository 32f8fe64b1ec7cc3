"""Tree construction of the HTML Standard (§13.2.6), on the names of elements alone.

It takes a source that the scan refused, and yields the places that are in the finished tree. The functions have the
names of the Standard's insertion modes and steps.
"""
