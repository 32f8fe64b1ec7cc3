"""The grammars of URI references: validators that say what is wrong, and where.

`rfc3986` and `rfc2396` have a module each, and share the addresses in a host (`ip_addresses`). `validation` is for
callers who name the grammar they want.
"""
