"""The one map from a URI to a file of the site: the files there are, what they are, and which of them a host serves.

`SiteContext` is made once for a folder, and asked by all that follows; the disk is not asked again.
In come a folder and `CheckOptions`, with the rules of `hosting/`; no page is parsed here.
"""
