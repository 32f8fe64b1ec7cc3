"""`rehref rewrite`: rewrite the references of documents, and change nothing else.

This folder has the command and what only it needs: the choice of a rule, the places where results go, the summary,
mirrored folders (`--to offline`), and archives as folders of files (`--unpack`).
"""
