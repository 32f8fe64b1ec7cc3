"""Every code there is: of problems (of a link), of findings (of `rehref check`) and of diagnostics (of a container).

1. A code is short and fixed, for programs: what it is called here is what every report, option and document calls it.
2. One row says all of it: how severe it is, in one sentence what it means, and what to do about it. The message of a
   single problem says more about that one, and is made where it is found.
3. Problems and findings share their names, since a problem becomes a finding when a folder is checked. Diagnostics have
   names of their own: "unreadable" is one of both.
4. Severity: what counts as broken ("error"), what is doubtful ("warning"), what is merely of note ("info").
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.lint_codes import ROWS
from rehref.web_codes import ROWS as WEB_ROWS

Severity: TypeAlias = Literal["error", "warning", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
"""All of them, the worst first."""


class Code(NamedTuple):
    """A row. `sentence`: what it means; `help`: why that matters, and what to do.

    `on_request`: it is reported only if it, or a group of it, is selected, or an option asks for what finds it.
    """

    name: str
    sentence: str
    help: str
    severity: Severity = "warning"
    on_request: bool = False


PROBLEMS: Final = (
    Code(
        "no-base",
        "The reference is relative, and there is no base.",
        "Nothing says what the reference is relative to. Say where the document is from, or write an absolute URI.",
    ),
    Code(
        "unresolvable",
        "The reference is no URL.",
        "The URL Standard's parser rejects it, so that a browser goes nowhere. Correct the reference.",
        "error",
    ),
    Code(
        "unknown-entity",
        "The reference holds an entity that is not known.",
        "Nothing in the XML document says what the entity stands for, so that nothing tells where the reference leads. "
        "Declare the entity, or write out what it stands for.",
    ),
    Code(
        "browser-differs",
        "Browsers go elsewhere.",
        "By RFC 3986 the target is another one than browsers make of the reference. Write it so that both agree.",
    ),
    Code(
        "not-a-uri",
        "The reference breaks the grammar of URIs.",
        "A character stands where RFC 3986 does not allow it. Percent-encode it.",
    ),
    Code(
        "non-ascii",
        "The reference has characters outside ASCII.",
        "It is an IRI (RFC 3987), which browsers take; where a URI is wanted, percent-encode them, and write a host as "
        "IDNA has it.",
        "info",
    ),
    Code(
        "hyphen-at-break",
        "A hyphen stands where the URI meets the end of a line.",
        "It may have been put there to break the line (RFC 3986, appendix C). Write the URI in one line.",
        "info",
    ),
    Code(
        "white-space-in-reference",
        "White space stands inside the reference.",
        "TAB, LF and CR are removed before the reference is read. Remove them.",
    ),
    Code(
        "leaves-document",
        "The reference seems to mean this document, and the base leads away.",
        "Because of the base element, # and what follows is looked for in another document. Write the document's name "
        "before it.",
    ),
    Code(
        "above-root",
        "The reference goes up more levels than there are.",
        "There are more .. in the path than levels to go up. Take away those that are too many.",
    ),
    Code(
        "password-in-uri",
        "The reference shows a password.",
        "Whoever can read the document can read the password. Remove it, and change it.",
    ),
    Code(
        "suspicious-port",
        "The port is not for this, or none at all.",
        "The port belongs to another service, or does not exist; browsers may refuse it. Correct the number.",
    ),
    Code(
        "misleading-userinfo",
        "What stands before the @ looks like the host.",
        "People take it for the host, which is what follows the @. Remove it, unless the host is the one meant.",
    ),
    Code(
        "rare-ip-address",
        "The host is an IP address in a rare form.",
        "Browsers read an address in it that people do not see. Write it with four decimal numbers.",
    ),
    Code(
        "suspicious-escape",
        "The path holds an escape that servers may misread.",
        "An encoded NUL, or an encoded slash beside .., leads elsewhere once it is decoded too early. Write the path "
        "without.",
    ),
    Code(
        "encoding-undeclared",
        "Nothing says which encoding the document is in.",
        "The target may not have been found because the page was read in another encoding than it was written in. "
        'Write <meta charset="utf-8"> at the beginning of its head.',
    ),
    Code(
        "base-without-href",
        "A base element without href stands before this one.",
        "A document is to have one base element. Put the target of the one on the other.",
    ),
    Code(
        "base-repeated",
        "Another base element came first.",
        "Only the first base element with an href counts. Remove this one.",
    ),
    Code(
        "base-late",
        "References stand before the base element.",
        "The base applies to them too, but a browser may have read them without. Put the base element first.",
    ),
    Code(
        "base-relative",
        "The base is itself relative.",
        "The base changes with the place where the document lies. Write it in full, unless that is wanted.",
    ),
    Code(
        "base-not-hierarchical",
        "This cannot be a base, or nothing can be relative to it.",
        "It is rejected, or browsers resolve only fragments against it. Write an absolute http or https URI.",
    ),
    Code(
        "base-in-body",
        "The base element stands in the body.",
        "The HTML Standard has it in the head. Put it there, before everything that has a URL.",
    ),
)
"""What is odd about a link; `docs/problems.md` explains each at length. Severities are those of `rehref check`."""

FINDINGS: Final = (
    Code(
        "missing-file",
        "The target is not among the files.",
        "The reference leads to a file that the folder does not have. Correct the reference, or add the file.",
        "error",
    ),
    Code(
        "missing-fragment",
        "The target has no such fragment.",
        "The file is there, but nothing in it has this id (or, of an a element, this name). Correct the fragment, or "
        "give the element the id.",
        "error",
    ),
    Code(
        "missing-endpoint",
        "No file is at the address that something is sent to.",
        "A form or a ping is sent there, which a program of the server may answer. If a page is meant, correct the "
        "address.",
    ),
    Code(
        "missing-index",
        "The folder has no index file.",
        "The reference leads to a folder, for which the server needs an index file. Add one, or name a file.",
        "error",
    ),
    Code(
        "case-mismatch",
        "The file's name has other capital letters.",
        "Most servers tell upper and lower case apart, even where the disk this was written on does not. Write the "
        "reference as the file is spelled.",
        "error",
    ),
    Code(
        "escapes-site",
        "The reference leads out of the site.",
        "The target is on the same host, but above the prefix the site is published under. A reference that begins "
        "with / needs the prefix.",
        "error",
    ),
    Code(
        "dangling-link",
        "The target is a symbolic link that leads nowhere.",
        "The file is a symbolic link, and what it leads to does not exist. Repair the symbolic link.",
        "error",
    ),
    Code(
        "leaves-folder",
        "The target is a symbolic link out of the folder.",
        "The file is a symbolic link to something outside the folder, which is not there once the site is published. "
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
        "text-fragment",
        "The target does not have the text.",
        "The text fragment (:~:text=) looks for words that the page does not have. Correct the words.",
        "error",
        on_request=True,
    ),
    Code(
        "missing-from-site",
        "The sitemap lists a page that is not there.",
        "Remove the page from the sitemap, or add the file.",
        "error",
        on_request=True,
    ),
    Code(
        "not-in-sitemap",
        "The sitemap does not list this page.",
        "Search engines may not find the page. Add it to the sitemap.",
        on_request=True,
    ),
    Code(
        "no-site-url",
        "A sitemap can only be checked if the site's URL is known.",
        "A sitemap lists URLs in full. Say --site-url, so that they can be looked for in the folder.",
        on_request=True,
    ),
    Code(
        "no-sitemap",
        "The site has no sitemap.",
        "There is no sitemap*.xml in the folder's root, and robots.txt names none. Add one, or leave out --sitemap.",
        on_request=True,
    ),
    Code(
        "not-well-formed",
        "The document is XML, and not well-formed.",
        "Browsers show an error in its place, and feed readers stop there. Correct what stands at that place.",
    ),
    Code(
        "other-format",
        "The file is no document, whatever its name says.",
        "It begins as an image, an archive, a PDF file or the like does, so none of it was read. Give it a name that "
        "says what it is.",
    ),
    Code(
        "unreadable",
        "The file cannot be read.",
        "None of its links were checked. See to the permissions of the file or folder.",
        "error",
    ),
    Code(
        "file-uri",
        "The reference leads to a file on a disk.",
        "On the web it leads to the disk of whoever follows it, where the file is not. Write a relative reference.",
        "error",
    ),
    Code(
        "invalid-mailto",
        "The mailto: URI has no address, or one that is none.",
        "A program for mail cannot send anything there. Write an address (RFC 6068), such as mailto:anna@example.org.",
    ),
    Code(
        "invalid-tel",
        "The tel: URI has no number, or one that is none.",
        "A telephone may not dial it. Write digits (RFC 3966), without spaces and letters: tel:+49-30-1234567.",
    ),
    Code(
        "empty-reference",
        "There is no reference where the HTML Standard has one.",
        "Browsers load nothing for it, or the page itself once more. Write the reference, or remove the attribute.",
    ),
    Code(
        "dropped-candidate",
        "Browsers drop this candidate of a srcset.",
        "Its descriptors are not valid, or one before it has the same: it is never chosen, so it is not looked up. "
        "Correct the descriptors; a space in a URL is written %20.",
    ),
    Code(
        "duplicate-id",
        "A link leads to an id that several elements have.",
        "It leads to the first of them; the others cannot be reached. Give each its own.",
    ),
    Code(
        "orphan",
        "No page leads to this one.",
        "Nobody finds the page by following links. Link to it, or remove it.",
        on_request=True,
    ),
    Code(
        "local-address",
        "The reference leads to the reader's own computer.",
        "What is at localhost, 127.0.0.1 or [::1] is there for whoever wrote the page, and for nobody else. Write the "
        "address that the world knows.",
    ),
    Code(
        "redirect-not-read",
        "A rule for redirections is not understood.",
        "What the rule does is not known here, so links that need it may be reported as broken. Write it in another "
        "way, or leave out the links it is for.",
    ),
    Code(
        "redirects-not-used",
        "The host does not read this file of redirections.",
        "Links that need its rules are reported as broken. Name the host that reads it (--host), or remove the file.",
        "info",
    ),
)
"""What `rehref check` finds besides; `docs/checking.md` lists them."""


LINT: Final = (
    *(Code(*row, on_request=True) for row in ROWS),
    Code(
        "web-moved-for-now",
        "The server redirects, for the time being.",
        "It redirects with 302, 303 or 307, so the URL is to be used as it is. Reported with --external only.",
        "info",
        on_request=True,
    ),
)
"""What is not wrong, but worth a look; `docs/checking.md` lists it."""

WEB: Final = tuple(Code(*row, on_request=True) for row in WEB_ROWS)
"""What servers answer, if they are asked (`--external`); `docs/external.md` lists it."""

DIAGNOSTICS: Final = (
    Code(
        "truncated",
        "It ends before its end: a file that was cut off, a body that is too short, a boundary that never comes.",
        "What comes before the end was read. Save it again, all of it.",
        "error",
    ),
    Code(
        "damaged",
        "It is not as its format has it.",
        "What can be distinguished was read. Save it again, or repair it with a tool for that format.",
        "error",
    ),
    Code(
        "too-large",
        "It is beyond a bound.",
        "It was not unpacked, since whoever made it may mean harm. Allow more with --max-size if you trust it.",
        "error",
    ),
    Code(
        "unsupported",
        "It cannot be read here: encrypted, in an unknown coding, of a type that cannot be read, or a package is "
        "missing.",
        "It was left as it is. Save it without encryption, or install what the message names.",
        "error",
    ),
    Code(
        "unreadable",
        "It cannot be read, for another reason, which the message says.",
        "See to what the message says, and try again.",
        "error",
    ),
    Code(
        "kept",
        "It was read, and stays as it is, since a change could not be written back.",
        "Unpack the container, and rewrite the file.",
        "error",
    ),
    Code(
        "stale",
        "It was read, and something that depends on it is no longer right: an index, a hash, a signature.",
        "Make the index, the hash or the signature anew.",
        "error",
    ),
    Code(
        "odd",
        "It is not as it should be, and was read all the same.",
        "There is nothing to do.",
        "info",
    ),
    Code(
        "fault",
        "rehref failed at it, and should not.",
        "Report it as a fault of rehref, with the file if you can.",
        "error",
    ),
)
"""What cannot be read or written in a container; `docs/containers.md` lists them."""

DiagnosticCode: TypeAlias = Literal[
    "truncated", "damaged", "too-large", "unsupported", "unreadable", "kept", "stale", "odd", "fault"
]
"""The names of `DIAGNOSTICS`, for type checkers."""

CODES: Final[Mapping[str, Code]] = MappingProxyType({row.name: row for row in (*PROBLEMS, *FINDINGS, *LINT, *WEB)})
"""Problems and findings by their names (rule 3)."""
