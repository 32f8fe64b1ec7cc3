"""The grammars of URI references: validators that say what is wrong, and where.

Here are that of RFC 2396, and the addresses in a host (`ip_addresses`), which it shares with that of RFC 3986
(`uri._grammar.grammar_of_3986`). `uri.validation` is for callers who name the grammar they want.
"""
