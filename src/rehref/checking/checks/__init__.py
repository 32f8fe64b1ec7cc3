"""One module for each thing that is checked beside the links of pages.

Each finds its own documents in the site, and gives findings.
In come the site, and what was read of its pages; a check knows no other one.
"""
