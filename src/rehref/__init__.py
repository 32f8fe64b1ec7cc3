"""rehref: every reference of a document, the base it is relative to and why, resolved, reported and rewritten.

The public names are those in `__all__`. Each is loaded when it is first used, so that importing this package costs
almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehref._version import __version__

if TYPE_CHECKING:
    from rehref.api import iter_links, links, rewrite, rewrite_into
    from rehref.base import Base
    from rehref.checking.api import check
    from rehref.checking.model import Cause, CheckResult, Finding, Summary
    from rehref.containers.parts import ContainerError, Diagnostic
    from rehref.documents.link import Link, Problem
    from rehref.rewriting.rules.absolute import Absolute
    from rehref.rewriting.rules.mapping import Mapping
    from rehref.rewriting.rules.offline import Offline
    from rehref.rewriting.rules.relative import Relative
    from rehref.rewriting.rules.template import Template
    from rehref.uri.components import Components, split
    from rehref.uri.normalization import equivalent, normalize
    from rehref.uri.relativize import relativize
    from rehref.uri.resolver import Resolver, resolve
    from rehref.uri.same_document import is_same_document
    from rehref.uri.uris_in_text import find_uris
    from rehref.uri.whatwg import ResolutionError

_HOMES = {
    "Absolute": "rehref.rewriting.rules.absolute",
    "Base": "rehref.base",
    "Cause": "rehref.checking.model",
    "CheckResult": "rehref.checking.model",
    "Components": "rehref.uri.components",
    "ContainerError": "rehref.containers.parts",
    "Finding": "rehref.checking.model",
    "Link": "rehref.documents.link",
    "Mapping": "rehref.rewriting.rules.mapping",
    "Offline": "rehref.rewriting.rules.offline",
    "Problem": "rehref.documents.link",
    "Relative": "rehref.rewriting.rules.relative",
    "ResolutionError": "rehref.uri.whatwg",
    "Resolver": "rehref.uri.resolver",
    "Summary": "rehref.checking.model",
    "Template": "rehref.rewriting.rules.template",
    "Diagnostic": "rehref.containers.parts",
    "check": "rehref.checking.api",
    "equivalent": "rehref.uri.normalization",
    "find_uris": "rehref.uri.uris_in_text",
    "is_same_document": "rehref.uri.same_document",
    "iter_links": "rehref.api",
    "links": "rehref.api",
    "normalize": "rehref.uri.normalization",
    "relativize": "rehref.uri.relativize",
    "resolve": "rehref.uri.resolver",
    "rewrite": "rehref.api",
    "rewrite_into": "rehref.api",
    "split": "rehref.uri.components",
}

__all__ = [
    "Absolute",
    "Base",
    "Cause",
    "CheckResult",
    "Components",
    "ContainerError",
    "Diagnostic",
    "Finding",
    "Link",
    "Mapping",
    "Offline",
    "Problem",
    "Relative",
    "ResolutionError",
    "Resolver",
    "Summary",
    "Template",
    "__version__",
    "check",
    "equivalent",
    "find_uris",
    "is_same_document",
    "iter_links",
    "links",
    "normalize",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_into",
    "split",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rehref' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
