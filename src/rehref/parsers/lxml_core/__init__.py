"""The `lxml` core: libxml2's tree, for HTML (`html.py`) and for XML (`xml.py`)."""
