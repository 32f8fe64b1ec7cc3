"""`rehref links`: list every reference of documents, with its base and its target.

This folder has the command, the comparison of parser cores (`--parser all`), the inventory page (`--format html`), and
output into a folder (`-o DIR`).
"""
