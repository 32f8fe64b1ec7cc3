"""Comparing two states of a site: which URLs and ids a change loses, and where they went.

`_sides` opens a state (`rehref.site.states`), `_urls` and `_compared_ids` match two, and `_newly_broken` has the links
that only the change broke. All yield the values in `changes`, and `comparing` puts them together.
"""
