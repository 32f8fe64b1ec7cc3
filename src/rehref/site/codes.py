"""All codes: of problems (of a link), of findings (of `rehref check`) and of diagnostics (of a container).

A code is short and never changes, for programs: every report, option and document uses its name in these tables. One
row says everything about a code. Problems and findings share their names. Diagnostics have names of their own:
"unreadable" is one of each. A group is a name for several codes: the table, the name and the severity of a code decide
its groups; no group lists codes one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.containers.parts import DIAGNOSTIC_ROWS
from rehref.site._codes.of_problems import PROBLEM_ROWS
from rehref.site._codes.on_request import COMPARED_ROWS, LINT_ROWS, WEB_ROWS

Severity: TypeAlias = Literal["error", "warning", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
"""All severities, the worst first."""


class Code(NamedTuple):
    """A row. `sentence`: what it means; `help`: why that matters, and what to do.

    Severity: what counts as broken ("error"), what is doubtful ("warning"), what is only worth knowing ("info").
    `on_request`: it is reported only if it or one of its groups is selected, or if an option turns its check on.
    `check`: the check that finds it, if that is made only for its codes (`rehref.site._checks.all_checks`).
    """

    name: str
    sentence: str
    help: str
    severity: Severity = "warning"
    on_request: bool = False
    check: str = ""


PROBLEMS: Final = tuple(Code(*row) for row in PROBLEM_ROWS)
"""What is unusual about a link; `docs/problems.md` explains each. Severities are those of `rehref check`."""

FINDINGS: Final = (
    Code(
        "missing-file",
        "The target file does not exist.",
        "The reference leads to a file that the folder does not have. Correct the reference, or add the file.",
        "error",
    ),
    Code(
        "missing-fragment",
        "The target has no such fragment.",
        "The file exists, but no element in it has this id (and no a element this name). Correct the fragment, or give "
        "the element the id.",
        "error",
    ),
    Code(
        "script-fragments",
        "Links ask for fragments of a page that its scripts may make.",
        "Nothing can be said of these fragments without running the scripts. Say which are right (--script-ids), or "
        "give the page elements with these ids.",
    ),
    Code(
        "missing-endpoint",
        "There is no file at the address that a form or a ping is sent to.",
        "A program on the server may answer there. If a page is meant, correct the address.",
    ),
    Code(
        "missing-index",
        "The folder has no index file.",
        "The reference leads to a folder, and the server needs an index file to show it. Add one, or link to a file.",
        "error",
    ),
    Code(
        "case-mismatch",
        "The reference and the file's name differ in upper and lower case.",
        "Most servers distinguish upper and lower case, even if the author's disk does not. Spell the reference as "
        "the file is spelled.",
        "error",
    ),
    Code(
        "place-dependent",
        "The reference is right at one place where the document is published, and not at another.",
        "A relative reference leads elsewhere on each place (--published-at). Write the whole URL of the file on the "
        "forge.",
        "error",
    ),
    Code(
        "escapes-site",
        "The reference leads out of the site.",
        "The target is on the same host, but outside the prefix that the site is published under. A reference that "
        "begins with / needs the prefix.",
        "error",
    ),
    Code(
        "dangling-link",
        "The target is a symbolic link to nothing.",
        "The file is a symbolic link, and the file that it names does not exist. Repair the symbolic link.",
        "error",
    ),
    Code(
        "leaves-folder",
        "The target is a symbolic link out of the folder.",
        "The file is a symbolic link to something outside the folder, which is missing once the site is published. "
        "Copy it into the folder.",
        "error",
    ),
    Code(
        "redirect-loop",
        "The redirects lead in a circle.",
        "The server would redirect without end. Correct the redirect rules.",
        "error",
    ),
    Code(
        "refresh-loop",
        "The page refreshes lead in a circle.",
        "A browser would go from page to page without end. Correct the refresh of one of them.",
        "error",
    ),
    Code(
        "integrity-mismatch",
        "The hash does not match, so browsers refuse what it is for.",
        "The integrity, or the Content-Security-Policy of the page, has the hash of other bytes. Write the hash of "
        "what is there now, or restore what was there.",
        "error",
    ),
    Code(
        "text-fragment",
        "The target page does not have the text.",
        "The text fragment (:~:text=) names words that are not on the page. Correct the words.",
        "error",
        on_request=True,
        check="text_fragments",
    ),
    Code(
        "missing-from-site",
        "The sitemap lists a page that is not there.",
        "Remove the page from the sitemap, or add the file.",
        "error",
        on_request=True,
        check="sitemap",
    ),
    Code(
        "not-in-sitemap",
        "The sitemap does not list this page.",
        "Search engines may not find the page. Add it to the sitemap.",
        on_request=True,
        check="sitemap",
    ),
    Code(
        "no-site-url",
        "A sitemap can only be checked if the site's URL is known.",
        "A sitemap lists absolute URLs. Give --site-url, so that rehref can look for them in the folder.",
        on_request=True,
        check="sitemap",
    ),
    Code(
        "no-sitemap",
        "The site has no sitemap.",
        "There is no sitemap*.xml in the folder's root, and robots.txt names none. Add one, or leave out --sitemap.",
        on_request=True,
        check="sitemap",
    ),
    Code(
        "not-well-formed",
        "The XML document is not well-formed, the notebook is not JSON, or the text is not MDX.",
        "Browsers show an error instead of XML, feed readers stop at that place, programs refuse such MDX, and of a "
        "notebook nothing was read. Correct it there.",
    ),
    Code(
        "other-format",
        "The file is not a document, although its name says so.",
        "It begins like an image, an archive, a PDF file or the like, so it was not read. Give it a name with the "
        "right extension.",
    ),
    Code(
        "unreadable",
        "The file cannot be read.",
        "None of its links were checked. Look at the permissions of the file or folder, or do what the message says.",
        "error",
    ),
    Code(
        "file-uri",
        "The reference leads to a file on a disk.",
        "On the web it leads to the disk of the reader, who does not have the file. Write a relative reference.",
        "error",
    ),
    Code(
        "unknown-scheme",
        "The scheme of the reference is misspelt.",
        "No program opens it, and a common scheme is one letter away. Correct it.",
        "error",
    ),
    Code(
        "suspicious-host",
        "The host of the reference is probably not meant as one.",
        "The scheme is there twice (http://http://), or a host without a dot follows two slashes (//images/). Write "
        "one scheme, and one slash before a path.",
    ),
    Code(
        "invalid-mailto",
        "The mailto: URI has no address, or an invalid one.",
        "Mail programs cannot send anything to it. Write an address (RFC 6068), such as mailto:anna@example.org.",
    ),
    Code(
        "invalid-tel",
        "The tel: URI has no number, or an invalid one.",
        "Telephones may not dial it. Write digits (RFC 3966), without spaces and letters: tel:+49-30-1234567.",
    ),
    Code(
        "empty-reference",
        "There is no reference where the HTML Standard requires one.",
        "Browsers load nothing, or the page itself once more. Write the reference, or remove the attribute.",
    ),
    Code(
        "dropped-candidate",
        "Browsers drop this candidate of a srcset.",
        "Its descriptors are invalid, or an earlier candidate has the same. Browsers never choose it, so its target "
        "was not checked. Correct the descriptors; write a space in a URL as %20.",
    ),
    Code(
        "duplicate-id",
        "A link leads to an id that several elements have.",
        "It leads to the first of them; links cannot reach the others. Give each element its own id.",
    ),
    Code(
        "orphan",
        "No other page links to this one.",
        "Nobody finds the page by following links. Link to it, or remove it.",
        on_request=True,
        check="orphans",
    ),
    Code(
        "unadded-slash",
        "The host does not add the slash to the path of this folder.",
        "The relative references of its index page are then resolved beside the folder, and lead elsewhere. Write the "
        "slash, let the host add it (trailingSlash in vercel.json), or write paths from the root in that page.",
    ),
    Code(
        "template-file",
        "The file is a template, not a page.",
        "Its references with template syntax ({{ … }}) lead somewhere only when a program replaces that, so they are "
        "not checked. If the file is meant to be a page, the program that should have made it did not.",
        "info",
    ),
    Code(
        "local-address",
        "The reference leads to the reader's own computer.",
        "Only the author reaches what is at localhost, 127.0.0.1 or [::1]; for others it is their own computer. Write "
        "the public address.",
    ),
    Code(
        "redirect-not-read",
        "This redirect rule is not understood.",
        "Links that need the rule may be reported as broken. Write it in another way, or leave out these links "
        "(--exclude).",
    ),
    Code(
        "redirects-not-used",
        "The host does not read this file of redirect rules.",
        "Links that need its rules are reported as broken. Name the host that reads it (--host), or remove the file.",
        "info",
    ),
)
"""What `rehref check` finds in addition; `docs/checking-codes.md` lists them."""

_OF_PAGES: Final = ("no-favicon", "empty-open-graph")
LINT: Final = (
    *(Code(*row, on_request=True, check="lint_pages" if row[0] in _OF_PAGES else "lint_links") for row in LINT_ROWS),
    Code(
        "web-moved-for-now",
        "The server redirects temporarily.",
        "It redirects with 302, 303 or 307, so the URL remains right. Reported with --external only.",
        "info",
        on_request=True,
        check="external",
    ),
)
"""What is not wrong, but worth a look; `docs/checking-codes.md` lists it."""

WEB: Final = tuple(Code(*row, on_request=True, check="external") for row in WEB_ROWS)
"""What servers answer to requests (`--external`); `docs/external-answers.md` lists it."""

DIAGNOSTICS: Final = tuple(Code(*row) for row in DIAGNOSTIC_ROWS)
"""What cannot be read or written in a container; `docs/containers.md` lists them."""

COMPARED: Final = tuple(Code(*row) for row in COMPARED_ROWS)
"""What `rehref compare` finds; `docs/comparing.md` lists it."""

CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {row.name: row for row in (*PROBLEMS, *FINDINGS, *LINT, *WEB, *COMPARED)}
)
"""Problems and findings by their names."""


class Group(NamedTuple):
    """Several codes under one name. `broad`: they are not about one subject."""

    name: str
    summary: str
    codes: tuple[str, ...]
    broad: bool = False


def _group(name: str, summary: str, rows: Iterable[Code], *, broad: bool = False) -> Group:
    return Group(name, summary, tuple(row.name for row in rows), broad)


COMPARE: Final = "compare"
"""The group of what `rehref compare` finds, and no check."""


def _default() -> Iterator[Code]:
    return (row for row in CODES.values() if not row.on_request and row not in COMPARED)


def _of_severity(severity: Severity) -> Iterator[Code]:
    return (row for row in _default() if row.severity == severity)


GROUPS: Final[Mapping[str, Group]] = MappingProxyType(
    {
        group.name: group
        for group in (
            _group(
                "default",
                "what is reported if nothing is selected",
                _default(),
                broad=True,
            ),
            _group("all", "all codes", CODES.values(), broad=True),
            _group("errors", "the codes of `default` with severity `error`", _of_severity("error"), broad=True),
            _group("warnings", "the codes of `default` with severity `warning`", _of_severity("warning"), broad=True),
            _group("notes", "the codes of `default` with severity `info`", _of_severity("info"), broad=True),
            _group("problems", "what is unusual about a link or a base", PROBLEMS),
            _group("base", "about `base` elements", (row for row in PROBLEMS if row.name.startswith("base-"))),
            _group("lint", "what is not wrong, but worth a look", LINT),
            _group("web", "what servers answer to requests (`--external`)", WEB),
            _group(COMPARE, "what `rehref compare` finds", COMPARED),
        )
    }
)
"""Every group, by its name."""


def members(name: str) -> tuple[str, ...]:
    """The codes that `name`, of a code or of a group, stands for. Raises `KeyError` for other names."""
    return (name,) if name in CODES else GROUPS[name].codes
