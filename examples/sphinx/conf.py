"""Sphinx reads this."""

project = "Kites"
extensions = ["rehref.integrations.sphinx"]
html_baseurl = "https://kites.example/kites/"
exclude_patterns = ["_build"]

rehref_exclude = r"^https://kites\.example/kites/shop/"
