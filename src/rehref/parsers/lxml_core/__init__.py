"""The `lxml` core: libxml2's tree, of HTML (`html.py`) and of XML (`xml.py`).

A tree of HTML is written once, as XML (`html_as_xml.py`); the places are found in that text, which is spliced before it
becomes HTML again. What comes in is a `Source` and the names that are wanted.
"""
