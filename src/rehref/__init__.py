"""rehref: find every reference of a document, say what it is relative to and why, resolve, report and rewrite it.

The public names are those in `__all__`. Each is loaded when it is first used, so importing this package costs almost
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehref._version import __version__

if TYPE_CHECKING:
    from rehref.api import iter_links, iter_pages, links, rewrite, rewrite_into
    from rehref.base import Base, Rejected
    from rehref.checking.api import check
    from rehref.checking.hosting.written_redirects import UnwrittenRedirect
    from rehref.checking.model import Cause, CheckResult, ExternalLink, Finding, SitePlace, Summary
    from rehref.comparing.api import compare
    from rehref.comparing.changes import Change, Comparison, ComparisonSummary, Tally
    from rehref.containers.parts import ContainerError, Diagnostic
    from rehref.documents.custom_attributes import CustomAttributeError
    from rehref.documents.link import Link, Page, Problem
    from rehref.documents.reading import UnknownMediaTypeError
    from rehref.exceptions import OptionError, ParserError, RehrefError, SourceResemblesPathWarning
    from rehref.moving.api import Move, move
    from rehref.rewriting.contract import DROP, DocumentRule, Drop, Rule
    from rehref.rewriting.rules.absolute import Absolute
    from rehref.rewriting.rules.mapping import Mapping
    from rehref.rewriting.rules.offline import Offline
    from rehref.rewriting.rules.relative import Relative
    from rehref.rewriting.rules.template import Template
    from rehref.syntaxes.registry import Kind
    from rehref.text.encoding import UnknownEncodingError
    from rehref.uri.components import Authority, Components, split, split_authority, unsplit
    from rehref.uri.explain import Explanation, explain
    from rehref.uri.grammar.rfc3986 import Violation
    from rehref.uri.grammar.validation import Grammar, is_valid, violations
    from rehref.uri.normalization import equivalent, normalize
    from rehref.uri.relativize import Relativizer, relativize
    from rehref.uri.resolver import Profile, Resolver, is_same_document, resolve
    from rehref.uri.suffix_references import expand_suffix
    from rehref.uri.uris_in_text import FoundUri, find_uris
    from rehref.uri.whatwg import ResolutionError

_HOMES = {
    "Absolute": "rehref.rewriting.rules.absolute",
    "Authority": "rehref.uri.components",
    "Base": "rehref.base",
    "Cause": "rehref.checking.model",
    "Change": "rehref.comparing.changes",
    "CheckResult": "rehref.checking.model",
    "Comparison": "rehref.comparing.changes",
    "ComparisonSummary": "rehref.comparing.changes",
    "Components": "rehref.uri.components",
    "ContainerError": "rehref.containers.parts",
    "CustomAttributeError": "rehref.documents.custom_attributes",
    "DROP": "rehref.rewriting.contract",
    "Diagnostic": "rehref.containers.parts",
    "DocumentRule": "rehref.rewriting.contract",
    "Drop": "rehref.rewriting.contract",
    "Explanation": "rehref.uri.explain",
    "ExternalLink": "rehref.checking.model",
    "Finding": "rehref.checking.model",
    "FoundUri": "rehref.uri.uris_in_text",
    "Grammar": "rehref.uri.grammar.validation",
    "Kind": "rehref.syntaxes.registry",
    "Link": "rehref.documents.link",
    "Mapping": "rehref.rewriting.rules.mapping",
    "Move": "rehref.moving.api",
    "Offline": "rehref.rewriting.rules.offline",
    "OptionError": "rehref.exceptions",
    "Page": "rehref.documents.link",
    "ParserError": "rehref.exceptions",
    "Problem": "rehref.documents.link",
    "Profile": "rehref.uri.resolver",
    "RehrefError": "rehref.exceptions",
    "Rejected": "rehref.base",
    "Relative": "rehref.rewriting.rules.relative",
    "Relativizer": "rehref.uri.relativize",
    "ResolutionError": "rehref.uri.whatwg",
    "Resolver": "rehref.uri.resolver",
    "Rule": "rehref.rewriting.contract",
    "SitePlace": "rehref.checking.model",
    "SourceResemblesPathWarning": "rehref.exceptions",
    "Summary": "rehref.checking.model",
    "Tally": "rehref.comparing.changes",
    "Template": "rehref.rewriting.rules.template",
    "UnknownEncodingError": "rehref.text.encoding",
    "UnknownMediaTypeError": "rehref.documents.reading",
    "UnwrittenRedirect": "rehref.checking.hosting.written_redirects",
    "Violation": "rehref.uri.grammar.rfc3986",
    "check": "rehref.checking.api",
    "compare": "rehref.comparing.api",
    "equivalent": "rehref.uri.normalization",
    "expand_suffix": "rehref.uri.suffix_references",
    "explain": "rehref.uri.explain",
    "find_uris": "rehref.uri.uris_in_text",
    "is_same_document": "rehref.uri.resolver",
    "is_valid": "rehref.uri.grammar.validation",
    "iter_links": "rehref.api",
    "iter_pages": "rehref.api",
    "links": "rehref.api",
    "move": "rehref.moving.api",
    "normalize": "rehref.uri.normalization",
    "relativize": "rehref.uri.relativize",
    "resolve": "rehref.uri.resolver",
    "rewrite": "rehref.api",
    "rewrite_into": "rehref.api",
    "split": "rehref.uri.components",
    "split_authority": "rehref.uri.components",
    "unsplit": "rehref.uri.components",
    "violations": "rehref.uri.grammar.validation",
}

__all__ = [
    "DROP",
    "Absolute",
    "Authority",
    "Base",
    "Cause",
    "Change",
    "CheckResult",
    "Comparison",
    "ComparisonSummary",
    "Components",
    "ContainerError",
    "CustomAttributeError",
    "Diagnostic",
    "DocumentRule",
    "Drop",
    "Explanation",
    "ExternalLink",
    "Finding",
    "FoundUri",
    "Grammar",
    "Kind",
    "Link",
    "Mapping",
    "Move",
    "Offline",
    "OptionError",
    "Page",
    "ParserError",
    "Problem",
    "Profile",
    "RehrefError",
    "Rejected",
    "Relative",
    "Relativizer",
    "ResolutionError",
    "Resolver",
    "Rule",
    "SitePlace",
    "SourceResemblesPathWarning",
    "Summary",
    "Tally",
    "Template",
    "UnknownEncodingError",
    "UnknownMediaTypeError",
    "UnwrittenRedirect",
    "Violation",
    "__version__",
    "check",
    "compare",
    "equivalent",
    "expand_suffix",
    "explain",
    "find_uris",
    "is_same_document",
    "is_valid",
    "iter_links",
    "iter_pages",
    "links",
    "move",
    "normalize",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_into",
    "split",
    "split_authority",
    "unsplit",
    "violations",
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
