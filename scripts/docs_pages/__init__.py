"""The pages of the documentation site that are made from the code: each module makes the Markdown of one kind.

These pages are never committed: they are made from the code whenever the site is built.
"""
