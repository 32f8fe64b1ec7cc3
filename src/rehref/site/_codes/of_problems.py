"""The codes of problems (`rehref.site.codes.PROBLEMS`): name, meaning, what to do, and the severity of some."""

from __future__ import annotations

from typing import Final

PROBLEM_ROWS: Final = (
    (
        "no-base",
        "The reference is relative, and there is no base.",
        "Nothing says what the reference is relative to. Give the document's URI, or write an absolute URI.",
    ),
    (
        "unresolvable",
        "The reference is not a valid URL.",
        "The URL Standard's parser rejects it, so the link does nothing in a browser. Correct the reference.",
        "error",
    ),
    (
        "uncertain-base",
        "Another style sheet decides where the reference leads.",
        "It is in a custom property, and url() there is relative to the style sheet that uses the property. Write an "
        "absolute URL, or declare the property where it is used.",
        "info",
    ),
    (
        "unknown-entity",
        "The reference contains an entity that is not declared.",
        "The XML document does not say what the entity stands for, so the target is not known. Declare the entity, or "
        "write out its text.",
    ),
    (
        "browser-differs",
        "Browsers resolve the reference to a different target.",
        "RFC 3986 and the URL Standard give different targets. Write the reference so that both agree.",
    ),
    (
        "not-a-uri",
        "The reference breaks the grammar of URIs.",
        "It has a character that RFC 3986 does not allow there. Percent-encode the character; but in place of a \\ in "
        "the path write /, as browsers read it.",
    ),
    (
        "non-ascii",
        "The reference has characters outside ASCII.",
        "It is an IRI (RFC 3987), which browsers accept. Where a URI is required, percent-encode these characters, and "
        "write the host in its IDNA form (xn--).",
        "info",
    ),
    (
        "hyphen-at-break",
        "The URI has a hyphen at the end of a line.",
        "The hyphen may have been added to break the line (RFC 3986, appendix C). Write the URI in one line.",
        "info",
    ),
    (
        "white-space-in-reference",
        "There is white space inside the reference.",
        "TAB, LF and CR are removed before the reference is parsed. Remove them.",
    ),
    (
        "leaves-document",
        "The reference seems to mean this document, but the base makes it lead to another.",
        "Because of the base element, browsers look for the fragment in another document. Write the document's name "
        "before the #.",
    ),
    (
        "above-root",
        "The reference goes up more levels than there are.",
        "The path has more .. than there are levels to go up. Remove the .. that are too many.",
    ),
    (
        "password-in-uri",
        "The reference contains a password.",
        "Everyone who can read the document can read the password. Remove it, and change the password.",
    ),
    (
        "suspicious-port",
        "The port belongs to another service, or does not exist.",
        "Browsers may refuse to connect to it. Correct the number.",
    ),
    (
        "misleading-userinfo",
        "The userinfo (the text before the @) looks like a host.",
        "People take it for the host, but the host follows the @. Remove it, unless you mean that host.",
    ),
    (
        "rare-ip-address",
        "The host is an IP address in a rare form.",
        "Browsers read it as an address that people do not recognize. Write it as four decimal numbers.",
    ),
    (
        "suspicious-escape",
        "The path contains an escape that servers may misread.",
        "An encoded NUL, or an encoded slash next to .., leads elsewhere if a server decodes it too early. Write the "
        "path without it.",
    ),
    (
        "encoding-undeclared",
        "Nothing says which encoding the document is in.",
        "The target may be missing only because the page was not read in the encoding that it was written in. "
        'Write <meta charset="utf-8"> at the beginning of its head.',
    ),
    (
        "base-without-href",
        "A base element without href precedes this one.",
        "A document should have one base element. Move the target attribute of the first to this one.",
    ),
    (
        "base-repeated",
        "Another base element came first.",
        "Only the first base element with an href counts. Remove this one.",
    ),
    (
        "base-late",
        "There are references before the base element.",
        "The base applies to them too, but a browser may have resolved them without it. Put the base element first.",
    ),
    (
        "base-relative",
        "The base is itself relative.",
        "The base changes when the document is moved. Write it in full, unless that is intended.",
    ),
    (
        "base-not-hierarchical",
        "This cannot be a base, or nothing can be relative to it.",
        "Browsers reject it, or resolve only fragments against it. Write an absolute http or https URI.",
    ),
    (
        "base-blocked",
        "A Content Security Policy forbids the base.",
        "Browsers resolve references as if the base element were not there. Name the base in the policy (base-uri).",
    ),
    (
        "base-in-body",
        "The base element is in the body.",
        "The HTML Standard allows it in the head only. Put it there, before every element that has a URL.",
    ),
)
