"""How links are shown, and what parser cores disagree about: one module for each format, and a row in `formats.py`.

What comes in are a document's name, its base and its links; what goes out is text, document by document.
"""
