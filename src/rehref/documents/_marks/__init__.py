"""Marks: what tools that save pages have written into them.

A mark says where a page is from. Nobody reads one but those who open a file.
"""
