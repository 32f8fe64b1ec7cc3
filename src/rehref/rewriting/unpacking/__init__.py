"""Messages and web archives, unpacked into folders of files that open offline.

The modules take the parts of a container, and return files by name, which `rehref.files.writing` writes.
"""
