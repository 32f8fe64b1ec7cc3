"""`rehref check`: the links of a static site, and what is wrong with them.

The command, and what only it needs: its options for the checker, fixes (`--fix`), one URL explained (`--why`), and the
lines of documents that reports show. What is checked, and how, is in `rehref.checking`.
"""
