"""HTTP messages: their head, and their body without its transfer and content codings.

What comes in is the bytes of a message; what goes out is one `Part`, and the message written anew. A new coding is a
row in `bodies.py`.
"""
