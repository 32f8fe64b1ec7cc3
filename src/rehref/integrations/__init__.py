"""Names that other programs load plugins by: `rehref.integrations.sphinx` and `rehref.integrations.mkdocs`.

The plugins themselves are in `rehref.plugins.sites`. These names are in configurations, so they stay.
"""
