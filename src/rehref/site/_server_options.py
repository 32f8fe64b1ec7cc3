"""The options about servers, each a row of `GivenOfServers`: how they are asked, and which of their pages are checked.

Names are those of lychee if it has the option.
"""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final, TypedDict

from rehref.option_rows import FilePath, Option, Statuses
from rehref.web.asking_options import WebOptions

MOST_PAGES: Final = 10_000
"""How many pages are fetched by default."""
ELSEWHERE: Final = "Links to other sites, with --external"
PAGES: Final = "Pages of a server, with --external URL"

_WEB: Final = WebOptions()
_elsewhere = partial(Option, group=ELSEWHERE, commands=("check",))
_pages = partial(Option, group=PAGES, commands=("check",), about="pages")


class GivenOfServers(TypedDict, total=False):
    """The rows."""

    accept: Annotated[
        Statuses,
        _elsewhere(
            "The statuses that are fine, such as 200..=299,403 (.. without = excludes the last one). Default: "
            "100..=103,200..=299.",
            "STATUSES",
            found="counts",
        ),
    ]
    timeout: Annotated[
        str | float,
        _elsewhere(
            "How long one response may take, such as 20s.", "TIME", default=_WEB.timeout, least=0.001, found="counts"
        ),
    ]
    max_redirects: Annotated[
        int, _elsewhere("How many redirections to follow.", "N", default=_WEB.max_redirects, found="counts")
    ]
    max_retries: Annotated[
        int,
        _elsewhere(
            "How often to retry a request after 429, 503 and the like.", "N", default=_WEB.max_retries, found="asks"
        ),
    ]
    max_concurrency: Annotated[
        int, _elsewhere("How many requests to send at once.", "N", default=_WEB.max_concurrency, least=1, found="asks")
    ]
    host_concurrency: Annotated[
        int,
        _elsewhere(
            "How many requests to send to one host at once.", "N", default=_WEB.host_concurrency, least=1, found="asks"
        ),
    ]
    host_request_interval: Annotated[
        str | float,
        _elsewhere("The least time between requests to one host.", "TIME", default=_WEB.host_interval, found="asks"),
    ]
    header: Annotated[
        Sequence[str],
        _elsewhere(
            "A header field to send, to one host (https://HOST NAME: VALUE) or, if it is not secret, to all hosts that "
            "links lead to. (--headers of other commands is a file of the header fields of a document.)",
            "[URL ]NAME: VALUE",
            is_secret=True,
            found="asks",
        ),
    ]
    user_agent: Annotated[str, _elsewhere("The User-Agent to send.", "TEXT", default=_WEB.user_agent, found="asks")]
    cookie_jar: Annotated[
        FilePath, _elsewhere("A file of cookies to send, in Netscape's format.", "FILE", is_secret=True, found="asks")
    ]
    netrc: Annotated[
        FilePath,
        _elsewhere(
            "A file of user names and passwords for hosts. The variable REHREF_NETRC may hold such lines, too.",
            "FILE",
            is_secret=True,
            found="asks",
        ),
    ]
    insecure: Annotated[bool, _elsewhere("Do not verify certificates.", found="asks")]
    ca_file: Annotated[
        FilePath, _elsewhere("A file of certificates (PEM) to trust besides the system's.", "FILE", found="asks")
    ]
    robots: Annotated[bool, _elsewhere("Do not request what robots.txt disallows.", found="counts")]
    allow_private: Annotated[
        bool,
        _elsewhere("Also ask hosts with addresses that are not public: localhost, private networks.", found="asks"),
    ]
    cache: Annotated[
        FilePath,
        _elsewhere(
            "The file that keeps answers from run to run. Default: rehref/web.sqlite in the folder for caches.",
            "FILE",
            in_python="The file that keeps answers from run to run. Without it, none are kept.",
            found="writes",
            makes_folder=True,
        ),
    ]
    no_cache: Annotated[bool, _elsewhere("Do not use or keep answers of other runs.", found="counts")]
    cache_age: Annotated[
        Sequence[str],
        _elsewhere(
            "How long answers count, such as 2d or 404=6h; a plain number is seconds. Default: success a week, "
            "redirections a day, errors an hour or not at all.",
            "[STATUSES=]AGE",
            found="counts",
        ),
    ]
    recursive: Annotated[
        bool,
        _pages("With --external URL: also check the pages that its pages link to. Follows robots.txt.", found="asks"),
    ]
    scope: Annotated[
        Sequence[str],
        _pages(
            "With --recursive: read pages at or below this URL, which may be relative: / is the whole host. Default: "
            "the folder of each URL.",
            "URL",
            found="asks",
        ),
    ]
    depth: Annotated[
        int | None, _pages("With --recursive: read pages that are at most this many links away.", "N", found="counts")
    ]
    max_pages: Annotated[
        int, _pages("With --recursive: fetch at most this many pages.", "N", default=MOST_PAGES, least=1, found="asks")
    ]
    no_robots: Annotated[bool, _pages("With --recursive: do not follow robots.txt.", found="asks")]
