"""The `lxml` core: libxml2's tree, for HTML (`html.py`) and for XML (`xml.py`).

Both modules are adapters, and say at the top what libxml2 cannot do.
"""
