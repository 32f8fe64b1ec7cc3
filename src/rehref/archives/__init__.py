"""Work on many documents at once, on archives, and on copies that browsers open from a disk.

`links_of_many` reads the links of a file or of a piece of one, and `rewriting_files` rewrites a file to one of
`targets_of_rewriting`; neither knows about processes or clusters. `pieces` divides the work, `many_files` does it in a
pool of processes, and `_run_manifest` records which pieces are finished. `offline_copies` makes copies: `_unpacking`
makes files of archives, `_copies` makes them work.
"""
