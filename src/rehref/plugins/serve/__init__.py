"""Serve an unpacked web archive, or any folder, to browsers on this machine.

`copies.py` finds what a request means, and rewrites references; `server.py` answers.
"""
