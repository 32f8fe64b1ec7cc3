"""The codes of what servers answer (`rehref check --external`): name, what it means, what to do, and how severe it is.

Nothing of it is reported unless servers are asked (`rehref.codes.WEB`).
"""

from __future__ import annotations

from typing import Final

ROWS: Final = (
    (
        "web-not-found",
        "The server says that there is nothing at the URL.",
        "It answers 404 or 410. Correct the link, name a copy that an archive has, or remove the link.",
        "error",
    ),
    (
        "web-client-error",
        "The server refuses the request as wrong.",
        "It answers with another status from 400 to 499. Open the URL in a browser; if it works there, name the status "
        "with --accept, or leave the URL out with --exclude.",
        "error",
    ),
    (
        "web-forbidden",
        "Something is there, but not for us.",
        "The server answers 401, 403, 407, 451 or 999: to programs, to those who are not logged in, or to some "
        "countries. Whether the link is right, only a person can see. Say --netrc or --header, or "
        "--accept 200..=299,403.",
        "warning",
    ),
    (
        "web-server-error",
        "The server fails.",
        "It answers with a status from 500 to 599, after repetitions too. Ask again another day.",
        "error",
    ),
    (
        "web-too-many-requests",
        "The server wants to be asked less often.",
        "It answers 429, after repetitions too: whether the link is right is not known. Ask more slowly "
        "(--host-request-interval, --host-concurrency), and with a cache.",
        "warning",
    ),
    (
        "web-unknown-host",
        "The name of the host has no address.",
        "The name is mistyped, or nobody has it any more. Correct the link, or remove it.",
        "error",
    ),
    (
        "web-no-connection",
        "The server cannot be reached.",
        "It refuses the connection, or ends it before it has answered. Ask again another day.",
        "error",
    ),
    (
        "web-timeout",
        "The server does not answer in time.",
        "Nothing came, or not all of it, in the time that --timeout gives. Ask again another day, or allow more.",
        "error",
    ),
    (
        "web-tls",
        "No secure connection can be made.",
        "The certificate has expired, is for another host or by nobody who is trusted, or the server speaks no TLS "
        "that is. Browsers warn of it. A certificate of your own is trusted with --ca-file.",
        "error",
    ),
    (
        "web-bad-response",
        "What the server answers cannot be used.",
        "It is not HTTP, is cut off or damaged, or has a status that says nothing of the page. Open the URL in a "
        "browser.",
        "error",
    ),
    (
        "web-too-large",
        "The page is too large to be looked at.",
        "It is there; its fragments were not looked for, since it is beyond a bound. There is nothing to do.",
        "info",
    ),
    (
        "web-redirected",
        "The URL has moved for good.",
        "The server redirects with 301 or 308: it asks to use the new URL from now on. Write that; --fix does so where "
        "it is sure.",
        "warning",
    ),
    (
        "web-redirect-loop",
        "The redirections lead in a circle, or nowhere.",
        "They lead back, are more than --max-redirects allows, or lead to what is no web page. Correct the link.",
        "error",
    ),
    (
        "web-private-address",
        "The host has an address that is not public.",
        "It was not asked: links from outside cannot reach it, and who writes a page must not make others ask their "
        "own network. Say --allow-private if you mean to.",
        "warning",
    ),
    (
        "web-robots",
        "The server asks programs not to ask for the URL.",
        "Its robots.txt says so, so it was not asked (--robots). Look at it yourself.",
        "info",
    ),
)
