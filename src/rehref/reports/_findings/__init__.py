"""The reports of `rehref check`: one module for each format.

A report takes a `CheckResult` and returns text. `places_shown.py` and `words_of_findings.py` have what formats share;
`docs/adding-checks.md` shows how to add a report.
"""
