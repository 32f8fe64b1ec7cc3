"""The plugin of MkDocs (`rehref.plugins.sites.mkdocs`), by the name that it had."""

from rehref.plugins.sites.mkdocs import RehrefPlugin

__all__ = ["RehrefPlugin"]
