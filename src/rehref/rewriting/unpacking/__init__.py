"""Containers as folders of files that open offline: messages, and web archives.

What comes in are the parts of a container; what goes out are files by name, for `files/writing.py`.
"""
