"""The codes of what servers answer (`rehref check --external`): name, meaning, what to do, and severity.

They are reported only with `--external` (`rehref.codes.WEB`).
"""

from __future__ import annotations

from typing import Final

ROWS: Final = (
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
        "It answers 401, 403, 407, 451 or 999: to all programs, to users who are not logged in, or to some countries. "
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
