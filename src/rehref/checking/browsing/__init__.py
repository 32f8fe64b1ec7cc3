"""What a browser does with a page beyond its references and ids.

The modules know which element a fragment names, whether a script handles fragments, where a page sends the browser, and
which parts nobody sees. They work on pages that `pages/` has parsed.
"""
