"""Comparing two states of a site: which URLs and ids a change loses, and where they went.

`_sides` and `_states` read a state, `_contract` keeps what it promises, `_urls` and `_compared_ids` match the two,
`_newly_broken` has the links that only the change broke, and `_carried_redirects` writes rules for hosts. All yield the
values in `changes`, and `comparing` puts them together.
"""
