"""The `lxml` core: libxml2's tree, for HTML (`lxml_html.py`) and for XML (`lxml_xml.py`).

Both modules are adapters, and say at the top what libxml2 cannot do.
"""
