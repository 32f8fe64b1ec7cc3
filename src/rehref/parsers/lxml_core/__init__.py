"""The `lxml` core: libxml2's tree, for HTML (`html.py`) and for XML (`xml.py`).

For HTML, libxml2 writes its tree as XML (`html_as_xml.py`). The core finds the places in that text, changes them
there, and turns the text into HTML again.
"""
