"""Source text: a document's bytes or str, its encoding, the position of each character, and splices.

The modules take bytes, and what header fields or the user say about their encoding. They know nothing about markup,
references or files.
"""
