"""Hashes that browsers compare: what in a page says which bytes they accept.

`integrity_metadata` reads and writes hashes; `integrity` finds them in a page, and what its policies name.
"""
