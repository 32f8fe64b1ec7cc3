"""The files that hosts read redirects from: a module for each format, with its reader and its writer.

`all_formats.py` has a row for each format; `placeholders.py` compiles the paths and targets of rules for all of them,
and `changed_rules.py` changes files that consist of lines. `refresh_pages.py` writes pages for hosts that read no such
file.
"""
