"""Pages of a server (`rehref check --external URL…`): fetched, and then checked as the documents of a folder are.

What is asked for and kept is decided here; how servers are asked, in `rehref.web`; what an answer means, in
`rehref.checking.external`.
"""
