"""What hosts do with the paths of a site: their profiles, and what the files in a folder tell them to do.

It knows `_redirects`, `.htaccess` and `_headers` line by line, the redirections in `netlify.toml` and
`vercel.json`, and which rule counts for a path.
In come a folder, the paths of its files and the URI of the site; no page is read here, and no target looked up.
"""
