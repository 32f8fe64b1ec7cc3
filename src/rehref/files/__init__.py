"""Files, folders and processes of this machine: finding, naming, reading and writing them, and working on many at once.

What comes in are paths; what goes out are bytes, or files written whole and inside the folder that was named.
Nothing here reads a document.
"""
