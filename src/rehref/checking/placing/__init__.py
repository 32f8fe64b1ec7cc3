"""Where a folder is on the web, and on which host, where no option says so: inferred from what its files say.

A few files are read beforehand, each bounded; what they say is weighed, and taken if it is clear, else not.
In come a folder, the paths of its files and the profiles of `hosting/`; out comes a `SitePlace`.
"""
