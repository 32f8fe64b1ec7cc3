"""`rehref rewrite`: writes documents with other references, and changes nothing else.

The folder has the command and what only it needs: the choice of a rule, the places where results go, the summary,
mirrored folders (`--to offline`), and archives as folders of files (`--unpack`).
"""
