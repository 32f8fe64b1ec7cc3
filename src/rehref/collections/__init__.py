"""Whole collections: what is done with many documents, whoever has it done (the command line, Spark).

`processing` reads the links of a file, or of a piece of one; `rewriting` writes one anew. Both know nothing of
processes and clusters. `pieces` divides the work, `running` does it in a pool of processes, `manifest` remembers what
is done.
"""
