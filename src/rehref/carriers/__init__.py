"""Carriers: which attributes and elements contain references, and the syntax of the references in each.

A carrier takes the decoded value of a place. It returns the references with their spans in that value, and writes new
references back. To add an attribute, add a row to `html_attributes.py` or `xml_vocabularies.py`; to add a
micro-syntax, such as that of `srcset`, add a module and a row to `syntaxes.py`.
"""
