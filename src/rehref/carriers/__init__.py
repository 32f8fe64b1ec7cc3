"""Carriers: which attributes and elements carry references, and how references are written in each.

What comes in is the decoded value of a place; what goes out are references with their spans in it, and new ones put
back. A new attribute is a row of `html_attributes.py` or `xml_vocabularies.py`; a new micro-syntax is a module and a
row of `syntaxes.py`.
"""
