"""Copies of sites that browsers open from a disk: their documents, and what works only on the web or on a server.

Unpacked containers (`rehref.archives._unpacking`) and rewritten folders (`rehref rewrite --to offline -o`) are such
copies.
"""
