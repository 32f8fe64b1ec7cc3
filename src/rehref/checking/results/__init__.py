"""What becomes of findings: what is left out of them, what is one mistake, what has one cause, several folders in one.

In come the findings of all checks, out goes what reports show; a baseline is what was found before.
"""
