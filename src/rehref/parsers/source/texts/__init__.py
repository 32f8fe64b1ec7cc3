"""The texts of documents: what pages show, the texts of hyperlinks, titles.

`visible_text` reads tag by tag, and is fast; `text_of_tree` is exact; `text_of_xml` reads XHTML.
"""
