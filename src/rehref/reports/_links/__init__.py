"""The reports of `rehref links`: one module for each format of links, and of differences between parser cores.

A report takes a document's name, its base and its links, and returns text, document by document.
"""
