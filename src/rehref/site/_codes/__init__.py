"""The rows of codes, apart from those of findings: texts for people, by what the codes are about.

`rehref.site.codes` makes the tables of them, and has the rows of what a check finds. A row has the name of a code, what
it means, what to do about it, and its severity, unless it is a warning.
"""
