"""Work on many documents at once, for the command line and for Spark.

`processing` reads the links of a file or of a piece of one, and `rewriting` writes a file anew; neither knows about
processes or clusters. `pieces` divides the work, `running` (links) and `rewriting_many` do it in a pool of processes,
and `manifest` records what is finished. `targets` are the files that take what is rewritten.
"""
