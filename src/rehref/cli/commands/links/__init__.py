"""`rehref links`: lists every reference of documents, with its base and its target.

The folder has the command, the comparison of parser cores (`--parser all`), the inventory page (`--format html`), and
output into a folder (`-o DIR`).
"""
