"""`rehref links`: every reference of documents, its base and its target.

The command, and what `--parser all` does: compare what parser cores find.
"""
