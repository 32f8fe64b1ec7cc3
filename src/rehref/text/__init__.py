"""Source text: a document's bytes or str, its encoding, the position of each character, and splices.

The modules take bytes, and what header fields or the user say about their encoding. They know nothing about markup,
references or files. What declares an encoding inside a document has a module for each language (`css_encoding.py`,
`xml_encoding.py`).
"""
