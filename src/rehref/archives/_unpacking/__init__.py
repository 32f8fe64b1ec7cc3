"""Unpack messages and web archives into folders of files that open offline.

The modules take the parts of a container, and return files by name; `rehref.files.writing` writes these.
"""
