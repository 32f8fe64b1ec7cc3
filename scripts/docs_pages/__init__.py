"""The pages of the documentation site that are made from the code: each module makes the Markdown of one kind.

What is made here is never committed: it comes from the code whenever the site is built.
"""
