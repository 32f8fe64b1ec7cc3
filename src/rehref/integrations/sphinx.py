"""The extension of Sphinx (`rehref.plugins.sites.sphinx`), by the name that is in `conf.py`."""

from rehref.plugins.sites.sphinx import setup

__all__ = ["setup"]
