"""rehref in the programs that build sites: a check of what was built, reported where it was written.

One module for each program (for Sphinx also `doctrees`), the only ones that import it; what they have in common is in
the others.
"""
