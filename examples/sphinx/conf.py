"""Sphinx reads this."""

project = "Kites"
extensions = ["rehref.plugins.sites.sphinx"]
html_baseurl = "https://kites.example/kites/"
exclude_patterns = ["_build"]

rehref_exclude = r"^https://kites\.example/kites/shop/"
