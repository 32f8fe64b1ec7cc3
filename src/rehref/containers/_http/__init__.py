"""HTTP messages: the header fields, and the body without its transfer and content codings.

The modules take the bytes of a message. They return one `Part`, and rewrite the message. To add a coding, add a row
to `codings.py`.
"""
