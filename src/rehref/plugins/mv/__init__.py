"""Files, folders and ids that move within a site, with all references to them and within them.

The input is a folder, an old place and a new one. The result is a plan: what moves, and the new bytes of documents.
"""
