"""Links to other sites: what their servers are asked, and what the answers mean for a link (`--external`).

How servers are asked is the business of `rehref.web`, which knows of no link; no server is asked from anywhere else.
"""
