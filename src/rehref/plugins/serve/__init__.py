"""Serve an unpacked web archive, or any folder, to browsers on this machine.

`_copies.py` finds what a request means, and rewrites references; `_http_server.py` answers.
"""
