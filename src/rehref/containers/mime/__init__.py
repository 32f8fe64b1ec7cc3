"""MIME messages: MHTML archives, mail and mailboxes, read and put back by spans of their bytes.

What comes in are the bytes of a message, or a file that is mapped; what goes out are `Part`s, and the message written
anew. `message.py` reads and rewrites. A new transfer encoding is a module, and a line in `transfer.py`.
"""
