"""Comparing two states of a site: which URLs and ids a change loses, and where they went.

`opening.py` and `states.py` read a state, `contract.py` keeps what it promises, `urls.py` and `ids.py` match the two,
`broken.py` has the links that only the change broke, and `redirects.py` writes rules for hosts. All yield the values in
`changes.py`, and `api.py` puts them together.
"""
