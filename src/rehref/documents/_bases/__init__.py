"""Bases: which one counts, and what resolves against it.

`resolvers` has a resolver for each base of a document, and `bound_resolver` what one resolves; `base_policy` says
whether a Content Security Policy lets a `<base>` count.
"""
