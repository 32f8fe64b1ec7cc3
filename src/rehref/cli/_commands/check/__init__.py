"""`rehref check`: check the links of a static site.

This folder has the command and what only it needs: options, fixes (`--fix`), the explanation of one URL (`--why`),
`--watch`, and the source lines that reports show. `rehref.site` does the checking.
"""
