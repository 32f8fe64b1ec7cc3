"""rehref: find every reference of a document, say what it is relative to and why, resolve, report and rewrite it.

The public names are those in `__all__`. Each is loaded when it is first used, so importing this package costs almost
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehref._version import __version__

if TYPE_CHECKING:
    from rehref.api import iter_links, iter_pages, links, rewrite, rewrite_into
    from rehref.containers.parts import ContainerError, Diagnostic
    from rehref.documents.base import Base, Problem, Rejected
    from rehref.documents.link import Link, Page
    from rehref.documents.reading import UnknownMediaTypeError
    from rehref.exceptions import (
        CustomAttributeError,
        NoBaseWarning,
        OptionError,
        ParserError,
        RehrefError,
        ResolutionError,
        SourceResemblesPathWarning,
    )
    from rehref.plugins.compare.changes import Change, Comparison, ComparisonSummary, Tally
    from rehref.plugins.compare.comparing import compare
    from rehref.plugins.mv.moving import Move, move
    from rehref.rewriting.built_in_rules import Absolute, Relative, Template
    from rehref.rewriting.mapping import Mapping
    from rehref.rewriting.offline_rule import Offline
    from rehref.rewriting.rule import DROP, DocumentRule, Drop, Rule
    from rehref.site.check import check
    from rehref.site.findings import Cause, CheckResult, ExternalLink, Finding, SitePlace, Summary, UnwrittenRedirect
    from rehref.text.encoding import UnknownEncodingError
    from rehref.uri.components import Authority, Components, Violation, split, split_authority, unsplit
    from rehref.uri.normalization import equivalent, normalize
    from rehref.uri.resolver import (
        Explanation,
        Profile,
        Relativizer,
        Resolver,
        explain,
        is_same_document,
        relativize,
        resolve,
    )
    from rehref.uri.syntaxes import Kind
    from rehref.uri.validation import Grammar, is_valid, violations
    from rehref.uri.written_uris import FoundUri, expand_suffix, find_uris

_HOMES = {
    "Absolute": "rehref.rewriting.built_in_rules",
    "Authority": "rehref.uri.components",
    "Base": "rehref.documents.base",
    "Cause": "rehref.site.findings",
    "Change": "rehref.plugins.compare.changes",
    "CheckResult": "rehref.site.findings",
    "Comparison": "rehref.plugins.compare.changes",
    "ComparisonSummary": "rehref.plugins.compare.changes",
    "Components": "rehref.uri.components",
    "ContainerError": "rehref.containers.parts",
    "CustomAttributeError": "rehref.exceptions",
    "DROP": "rehref.rewriting.rule",
    "Diagnostic": "rehref.containers.parts",
    "DocumentRule": "rehref.rewriting.rule",
    "Drop": "rehref.rewriting.rule",
    "Explanation": "rehref.uri.resolver",
    "ExternalLink": "rehref.site.findings",
    "Finding": "rehref.site.findings",
    "FoundUri": "rehref.uri.written_uris",
    "Grammar": "rehref.uri.validation",
    "Kind": "rehref.uri.syntaxes",
    "Link": "rehref.documents.link",
    "Mapping": "rehref.rewriting.mapping",
    "Move": "rehref.plugins.mv.moving",
    "NoBaseWarning": "rehref.exceptions",
    "Offline": "rehref.rewriting.offline_rule",
    "OptionError": "rehref.exceptions",
    "Page": "rehref.documents.link",
    "ParserError": "rehref.exceptions",
    "Problem": "rehref.documents.base",
    "Profile": "rehref.uri.resolver",
    "RehrefError": "rehref.exceptions",
    "Rejected": "rehref.documents.base",
    "Relative": "rehref.rewriting.built_in_rules",
    "Relativizer": "rehref.uri.resolver",
    "ResolutionError": "rehref.exceptions",
    "Resolver": "rehref.uri.resolver",
    "Rule": "rehref.rewriting.rule",
    "SitePlace": "rehref.site.findings",
    "SourceResemblesPathWarning": "rehref.exceptions",
    "Summary": "rehref.site.findings",
    "Tally": "rehref.plugins.compare.changes",
    "Template": "rehref.rewriting.built_in_rules",
    "UnknownEncodingError": "rehref.text.encoding",
    "UnknownMediaTypeError": "rehref.documents.reading",
    "UnwrittenRedirect": "rehref.site.findings",
    "Violation": "rehref.uri.components",
    "check": "rehref.site.check",
    "compare": "rehref.plugins.compare.comparing",
    "equivalent": "rehref.uri.normalization",
    "expand_suffix": "rehref.uri.written_uris",
    "explain": "rehref.uri.resolver",
    "find_uris": "rehref.uri.written_uris",
    "is_same_document": "rehref.uri.resolver",
    "is_valid": "rehref.uri.validation",
    "iter_links": "rehref.api",
    "iter_pages": "rehref.api",
    "links": "rehref.api",
    "move": "rehref.plugins.mv.moving",
    "normalize": "rehref.uri.normalization",
    "relativize": "rehref.uri.resolver",
    "resolve": "rehref.uri.resolver",
    "rewrite": "rehref.api",
    "rewrite_into": "rehref.api",
    "split": "rehref.uri.components",
    "split_authority": "rehref.uri.components",
    "unsplit": "rehref.uri.components",
    "violations": "rehref.uri.validation",
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
    "NoBaseWarning",
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
