"""What all reports that are HTML pages share.

`page.py` builds a page: a template that extends `frame.html` (blocks `title`, `top`, `main`, `foot`), its values, its
own styles and scripts, and data for these. `macros.html` has charts of the values in `bars.py`, with `bars.css`.
`look.css` has colours and type, `list.css` the toolbar and the list. Each script does one thing: elements (`dom.js`),
the view in the URL (`fragment.js`), copying, a list of any length (`windowed.js`), keys.
"""
