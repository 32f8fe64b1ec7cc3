"""Source text: bytes or a str, the encoding it is in, where each character stands in it, and stretches of it replaced.

What comes in: the bytes of a document, and what was declared of them. Nothing of markup, references or files.
New here: an encoding, or another place where a format declares its encoding (`css_encoding.py`, `xml_encoding.py`).
"""
