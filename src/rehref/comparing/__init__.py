"""Comparing two states of a site: which URLs and ids a change loses, and where they went.

`states.py` reads a state, `contract.py` keeps what it promises, `urls.py` and `ids.py` match the two, `broken.py` has
the links that only the change broke, `redirects.py` writes rules for hosts, and `api.py` puts it all together.
"""
