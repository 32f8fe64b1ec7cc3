"""Work on many documents at once, for the command line and for Spark.

`processing` reads the links of a file or of a piece of one, and `rewriting` writes a file anew; neither knows about
processes or clusters. `pieces` divides the work, `running` does it in a pool of processes, and `manifest` records what
is finished.
"""
