"""The checks: one module for each thing that rehref checks, and `all_checks.py` with a row for each.

`collect` takes what a check needs from a page while the page is in memory; `findings` gets these facts of all pages,
and the site, and returns findings. A check does not know the others. `docs/adding-checks.md` shows how to add one.
"""
