"""Where a folder is on the web, and on which host, if no option says so.

The modules read a bounded sample of the files, compare the evidence in them (canonical links, sitemaps, paths from the
root), and return a `SitePlace` if the evidence agrees.
"""
