"""Web hosts: how each one maps a path to a file, and what configuration files change about that.

The modules parse `_redirects`, `_headers`, `.htaccess`, `netlify.toml` and `vercel.json` line by line, and decide
which rule applies to a path. They take a folder and its list of files, and parse no pages. `docs/adding-checks.md`
shows how to add a host.
"""
