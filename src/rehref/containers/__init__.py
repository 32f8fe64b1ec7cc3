"""Containers: what encloses documents (RFC 3986 §5.1.2, "encapsulating entity"), read part by part and put back.

What comes in is a binary file; what goes out are `Part`s and `Diagnostic`s, and the container written anew.
A new kind is a package here and a row in `registry.py`.
"""
