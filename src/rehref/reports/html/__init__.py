"""What reports that are pages for browsers share.

`page.py` puts one together: a template that extends `frame.html` (blocks `title`, `top`, `main`, `foot`), its values,
its own styles and scripts, and data for these. `macros.html` has charts, of the values in `bars.py`. Colours, type and
small things are in `look.css`, charts in `bars.css`, the toolbar and the list in `list.css`. The scripts are functions:
elements (`dom.js`), the view in the URL (`fragment.js`), copying, the list of any length (`windowed.js`), keys.
"""
