"""What each code of a finding means, and what to do about it: for formats that explain.

1. A rule has a short sentence, and help: why it matters and how to mend it.
2. Codes that are not listed here (a newer one) have a rule made of their name, so that no format fails on them.
3. The codes of links (`docs/problems.md`, where they are explained at length) are warnings when checking.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple


class Rule(NamedTuple):
    """What a code means: `short`, one sentence; `help`: what to do."""

    short: str
    help: str


RULES = MappingProxyType(
    {
        "missing-file": Rule(
            "The target is not among the files.",
            "The reference leads to a file that the folder does not have. Correct the reference, or add the file.",
        ),
        "missing-fragment": Rule(
            "The target has no such fragment.",
            "The file is there, but nothing in it has this id (or, of an a element, this name). Correct the fragment, "
            "or give the element the id.",
        ),
        "case-mismatch": Rule(
            "The file's name has other capital letters.",
            "Most servers tell upper and lower case apart, even where the disk this was written on does not. Write the "
            "reference as the file is spelled.",
        ),
        "escapes-site": Rule(
            "The reference leads out of the site.",
            "The target is on the same host, but above the prefix the site is published under. A reference that begins "
            "with / needs the prefix.",
        ),
        "missing-index": Rule(
            "The folder has no index file.",
            "The reference leads to a folder, for which the server needs an index file. Add one, or name a file.",
        ),
        "dangling-link": Rule(
            "The target is a symbolic link that leads nowhere.",
            "The file is a symbolic link, and what it leads to does not exist. Mend the symbolic link.",
        ),
        "leaves-folder": Rule(
            "The target is a symbolic link out of the folder.",
            "The file is a symbolic link to something outside the folder, which is not there once the site is "
            "published. Copy it into the folder.",
        ),
        "redirect-loop": Rule(
            "The redirects lead in a circle.",
            "The server would redirect without end. Correct the redirect rules.",
        ),
        "refresh-loop": Rule(
            "The page refreshes lead in a circle.",
            "A browser would go from page to page without end. Correct the refresh of one of them.",
        ),
        "redirect-not-read": Rule(
            "A rule for redirections is not understood.",
            "What the rule does is not known here, so links that need it may be told as broken. Write it in another "
            "way, or leave out the links it is for.",
        ),
        "unreadable": Rule(
            "The file cannot be read.",
            "None of its links were checked. See to the permissions of the file or folder.",
        ),
        "not-well-formed": Rule(
            "The document is XML, and not well-formed.",
            "Browsers show an error in its place, and feed readers stop there. Correct what stands at that place.",
        ),
        "other-format": Rule(
            "The file is no document, whatever its name says.",
            "It begins as an image, an archive, a PDF file or the like does, so none of it was read. Give it a name "
            "that says what it is.",
        ),
        "duplicate-id": Rule(
            "Another element of the document has the same id.",
            "A fragment leads to the first element with the id; the others cannot be reached. Give each its own.",
        ),
        "orphan": Rule(
            "No page leads to this one.",
            "Nobody finds the page by following links. Link to it, or remove it.",
        ),
        "not-in-sitemap": Rule(
            "The sitemap does not list this page.",
            "Search engines may not find the page. Add it to the sitemap.",
        ),
        "missing-from-site": Rule(
            "The sitemap lists a page that is not there.",
            "Remove the page from the sitemap, or add the file.",
        ),
        "no-site-url": Rule(
            "A sitemap can only be checked if the site's URL is known.",
            "A sitemap lists URLs in full. Say --site-url, so that they can be looked for in the folder.",
        ),
        "no-sitemap": Rule(
            "The site has no sitemap.",
            "There is no sitemap*.xml in the folder's root, and robots.txt names none. Add one, or leave out "
            "--sitemap.",
        ),
        "text-fragment": Rule(
            "The target does not have the text.",
            "The text fragment (:~:text=) looks for words that the page does not have. Correct the words.",
        ),
        "no-base": Rule(
            "The reference is relative, and there is no base.",
            "Nothing says what the reference is relative to. Say where the document is from, or write an absolute URI.",
        ),
        "unresolvable": Rule(
            "The reference is no URL.",
            "The URL Standard's parser rejects it, so that a browser goes nowhere; or it holds an XML entity that "
            "is not known. Correct the reference.",
        ),
        "browser-differs": Rule(
            "Browsers go elsewhere.",
            "By RFC 3986 the target is another one than browsers make of the reference. Write it so that both agree.",
        ),
        "not-a-uri": Rule(
            "The reference breaks the grammar of URIs.",
            "A character stands where RFC 3986 does not allow it. Percent-encode it.",
        ),
        "non-ascii": Rule(
            "The reference has characters outside ASCII.",
            "It is an IRI (RFC 3987), which browsers take; where a URI is wanted, percent-encode them, and write a "
            "host as IDNA has it.",
        ),
        "hyphen-at-break": Rule(
            "A hyphen stands where the URI meets the end of a line.",
            "It may have been put there to break the line (RFC 3986, appendix C). Write the URI in one line.",
        ),
        "white-space-in-reference": Rule(
            "White space stands inside the reference.",
            "TAB, LF and CR are removed before the reference is read. Remove them.",
        ),
        "encoding-undeclared": Rule(
            "Nothing says which encoding the document is in.",
            "The target may not have been found because the page was read in another encoding than it was written in. "
            'Write <meta charset="utf-8"> at the beginning of its head.',
        ),
        "leaves-document": Rule(
            "The reference seems to mean this document, and the base leads away.",
            "Because of the base element, # and what follows is looked for in another document. Write the document's "
            "name before it.",
        ),
        "above-root": Rule(
            "The reference goes up more levels than there are.",
            "There are more .. in the path than levels to go up. Take away those that are too many.",
        ),
        "password-in-uri": Rule(
            "The reference shows a password.",
            "Whoever can read the document can read the password. Remove it, and change it.",
        ),
        "suspicious-port": Rule(
            "The port is not for this, or none at all.",
            "The port belongs to another service, or does not exist; browsers may refuse it. Correct the number.",
        ),
        "misleading-userinfo": Rule(
            "What stands before the @ looks like the host.",
            "People take it for the host, which is what follows the @. Remove it, unless the host is the one meant.",
        ),
        "rare-ip-address": Rule(
            "The host is an IP address in a rare form.",
            "Browsers read an address in it that people do not see. Write it with four decimal numbers.",
        ),
        "suspicious-escape": Rule(
            "The path holds an escape that servers may misread.",
            "An encoded NUL, or an encoded slash beside .., leads elsewhere once it is decoded too early. Write the "
            "path without.",
        ),
        "base-without-href": Rule(
            "A base element without href stands before this one.",
            "A document is to have one base element. Put the target of the one on the other.",
        ),
        "base-repeated": Rule(
            "Another base element came first.",
            "Only the first base element with an href counts. Remove this one.",
        ),
        "base-late": Rule(
            "References stand before the base element.",
            "The base applies to them too, but a browser may have read them without. Put the base element first.",
        ),
        "base-relative": Rule(
            "The base is itself relative.",
            "The base changes with the place where the document lies. Write it in full, unless that is wanted.",
        ),
        "base-not-hierarchical": Rule(
            "This cannot be a base, or nothing can be relative to it.",
            "It is rejected, or browsers resolve only fragments against it. Write an absolute http or https URI.",
        ),
        "base-in-body": Rule(
            "The base element stands in the body.",
            "The HTML Standard has it in the head. Put it there, before everything that has a URL.",
        ),
    }
)


def rule(code: str) -> Rule:
    """The rule of a code (rule 2)."""
    words = code.replace("-", " ") or "problem"
    return RULES.get(code) or Rule(f"{words[0].upper()}{words[1:]}.", "See the message.")
