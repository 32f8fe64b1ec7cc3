"""The files of a site, and the map from a URI to the file that a host serves for it.

`SiteContext` is made once for a folder, from `CheckOptions` and the rules of `_hosts/`; all later steps ask it instead
of the disk. No page is parsed here.
"""
