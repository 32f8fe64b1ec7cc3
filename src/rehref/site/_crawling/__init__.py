"""Pages of a server (`rehref check --external URL…`): fetched first, then checked like the files of a folder.

This folder decides which URLs to fetch and what to keep. `rehref.web` sends the requests.
"""
