"""The grammars of URI references: validators that say what is wrong, and where.

RFC 3986 and RFC 2396 have a module each, and share the addresses in a host (`ip_addresses`). `uri.validation` is for
callers who name the grammar they want.
"""
