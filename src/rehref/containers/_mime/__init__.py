"""MIME messages: MHTML archives, mail and mailboxes, split by byte spans so that nothing else changes.

The modules take the bytes of a message or a mapped file. They return `Part`s, and rewrite the message. `messages.py`
reads and rewrites; to add a transfer encoding, add a module, and a line to `transfer.py`.
"""
