"""Media types: their names, and how the name and the content of a file tell which one it has.

What comes in is a name, or the first bytes; nothing is opened here. New here: a file extension (`file_extensions.py`),
the beginning of a binary format (`magic_numbers.py`), a type that is read (`media_types.py`).
"""
