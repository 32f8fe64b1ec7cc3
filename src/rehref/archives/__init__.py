"""Work on many documents at once, on archives, and on copies that browsers open from a disk.

`links_of_many` reads the links of a file or of a piece of one, and `rewriting_files` rewrites a file; neither knows
about processes or clusters. `pieces` divides the work, `_write_links` and `_rewriting_many` do it in a pool of
processes, and `_run_manifest` records which pieces are finished. `_unpacking` makes files of archives, `_copies` makes
them work.
"""
