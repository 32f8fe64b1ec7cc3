"""What all reports that are HTML pages share.

`html_page.py` builds a page: a template that extends `frame.html` (blocks `title`, `top`, `main`, `foot`), its values,
its own styles and scripts, and data for these. `macros.html` has charts of `Chart` values, with `bars.css`.
`look.css` has colours and type, `list.css` the toolbar and the list. Each script does one thing: `dom.js`
makes elements, `fragment.js` keeps the view in the URL, `windowed.js` shows a list of any length; others copy text and
respond to keys.
"""
