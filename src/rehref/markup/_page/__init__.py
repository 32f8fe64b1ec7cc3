"""What else the cores know of a page, for those who ask for it.

These are its titles, scripts, templates and texts, the names in it, what comes first in it, and where something may be
put into it. Each question is a reading of its own, by the same tokenizer and tree construction that find the places.
"""
