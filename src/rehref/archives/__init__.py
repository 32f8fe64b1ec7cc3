"""Work on many documents at once, for the command line and for Spark.

`processing` reads the links of a file or of a piece of one, and `rewriting` rewrites a file; neither knows about
processes or clusters. `pieces` divides the work, `running` (links) and `rewriting_many` do it in a pool of processes,
and `manifest` records which pieces are finished. `targets` are the files that rewritten documents are written to.
"""
