"""The codes that are reported only on request, or only by another command: name, meaning, and what to do.

`LINT_ROWS`: what is not wrong, but worth a look: warnings, reported only if they are selected. `WEB_ROWS`: what servers
answer, reported only with `--external`. `COMPARED_ROWS`: what a change of a site loses. The latter two have a severity
each.
"""

from __future__ import annotations

from typing import Final

LINT_ROWS: Final = (
    (
        "hash-link",
        "The link leads to # alone.",
        "It leads to the top of the page, and is often a forgotten placeholder. Write the target, or make it a button.",
    ),
    (
        "missing-slash",
        "The link leads to a folder, but does not end in a slash.",
        "Servers redirect to the URL with the slash, which takes time; where they do not, relative links of the index "
        "page lead elsewhere. Write the slash.",
    ),
    (
        "no-favicon",
        "The page has no icon.",
        "No link element names one (rel=icon), and there is no favicon.ico, which browsers then request. Add either.",
    ),
    (
        "empty-open-graph",
        "An Open Graph property has no content.",
        "Programs that show a preview of the page find nothing there. Fill it in, or remove the element.",
    ),
    (
        "protocol-relative",
        "The reference begins with //.",
        "It takes the scheme of its page, and so fails in a page opened from a disk. Write https:// instead of //.",
    ),
    (
        "own-http",
        "The link leads to the site itself by http:, but the site is on https:.",
        "Readers are redirected, or load the page without encryption. Write https:, or leave out scheme and host.",
    ),
    (
        "http-link",
        "The link leads to http:.",
        "Others can read and change what is sent that way. Write https:, if the other site supports it.",
    ),
    (
        "mixed-content",
        "A page on https: loads something by http:.",
        "Browsers block it, or load it by https: (Mixed Content, W3C). Write https:.",
    ),
    (
        "no-integrity",
        "A script or style sheet of another site has no integrity.",
        "A person who changes the file there changes this page. Add integrity with its digest, and crossorigin "
        "(Subresource Integrity, W3C), or copy the file.",
    ),
    (
        "blank-to-http",
        "The link opens an http: page in a new window.",
        "Others can change that page while it is sent. Write https:, or leave out the target attribute.",
    ),
)

WEB_ROWS: Final = (
    (
        "web-not-found",
        "The server says that there is nothing at the URL.",
        "It answers 404 or 410. Correct the link, link to a copy in a web archive, or remove the link.",
        "error",
    ),
    (
        "web-client-error",
        "The server rejects the request.",
        "It answers with another status from 400 to 499. Open the URL in a browser; if it works there, accept the "
        "status with --accept, or leave the URL out with --exclude.",
        "error",
    ),
    (
        "web-forbidden",
        "The server does not give rehref access to the URL.",
        "It answers 401, 403, 407, 451 or 999: to all programs, to users who are not logged in, or to some countries; "
        "or with a test that only browsers pass (Cloudflare, Anubis, AWS WAF). "
        "Only a person can see whether the link is right. Give --netrc or --header, or --accept 200..=299,403.",
        "warning",
    ),
    (
        "web-server-error",
        "The server reports an error of its own.",
        "It answers with a status from 500 to 599, also to repeated requests. Try again another day.",
        "error",
    ),
    (
        "web-too-many-requests",
        "The server asks for fewer requests.",
        "It answers 429, also to repeated requests, so it is not known whether the link is right. Send requests more "
        "slowly (--host-request-interval, --host-concurrency), and with a cache.",
        "warning",
    ),
    (
        "web-unknown-host",
        "The name of the host has no address.",
        "The name is misspelled, or no longer registered. Correct the link, or remove it.",
        "error",
    ),
    (
        "web-no-connection",
        "The server cannot be reached.",
        "It refuses the connection, or closes it before it answers. Try again another day.",
        "error",
    ),
    (
        "web-timeout",
        "The server does not answer in time.",
        "The response did not arrive completely within --timeout. Try again another day, or allow more time.",
        "error",
    ),
    (
        "web-tls",
        "No secure connection can be made.",
        "The certificate has expired, is for another host or not from a trusted authority, or the server's TLS version "
        "is too old. Browsers show a warning. To trust your own certificate, give --ca-file.",
        "error",
    ),
    (
        "web-bad-response",
        "The server's response cannot be used.",
        "It is not HTTP, is incomplete or damaged, redirects to no URL of http or https, or has a status that says "
        "nothing about the page. Open the URL in a browser.",
        "error",
    ),
    (
        "web-too-large",
        "The page is too large to check its fragments.",
        "It exists, but exceeds a limit, so rehref did not look for fragments in it. There is nothing to do.",
        "info",
    ),
    (
        "web-redirected",
        "The URL has moved permanently.",
        "The server redirects with 301 or 308, which asks for the new URL from now on. Write the new URL; --fix does "
        "so where it is sure.",
        "warning",
    ),
    (
        "web-redirect-loop",
        "The redirects lead in a circle.",
        "They lead back, or are more than --max-redirects allows. Correct the link.",
        "error",
    ),
    (
        "web-private-address",
        "The host has an address that is not public.",
        "No request was sent: public readers cannot reach it, and a page must not make rehref send requests into your "
        "own network. Give --allow-private to allow it.",
        "warning",
    ),
    (
        "web-robots",
        "The site's robots.txt excludes the URL.",
        "No request was sent because of --robots. Open the URL in a browser.",
        "info",
    ),
)

COMPARED_ROWS: Final = (
    (
        "url-gone",
        "The new state of the site does not answer this URL.",
        "Links to it from other sites find nothing. Redirect it to where its content is now (--write-redirects), or "
        "keep it.",
        "error",
    ),
    (
        "id-gone",
        "The page has no such id any more.",
        "Links to it end at the top of the page. Keep the old id beside the new one.",
        "error",
    ),
    ("url-moved", "The URL is redirected for good.", "There is nothing to do.", "info"),
    ("id-moved", "The page of the id is redirected, and the id is there too.", "There is nothing to do.", "info"),
    (
        "newly-broken",
        "The link is broken, and was not before.",
        "Only the change broke it. Correct the reference, or what it refers to.",
        "error",
    ),
    (
        "page-hollow",
        "The page has kept its URL, but lost nearly all of its text.",
        "Readers find a page without what they came for. Say there where it is now, or redirect the page.",
        "warning",
    ),
    (
        "id-changed",
        "The id is at another place of the page, and another id has its content.",
        "Links to it lead to something else now. Give the section its old id back.",
        "warning",
    ),
)
"""What a change of a site loses (`rehref compare`); no check finds it."""
