"""What an answer means for the links that lead to its URL. No other module decides that.

A message says how old an answer is if it is from an earlier run. It names the host, shows a URL at most without its
password, and puts a server's text in quotes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

from rehref.site._series import editions, is_another_edition
from rehref.site.check_options import ACCEPTED
from rehref.site.findings import WebVerdict
from rehref.uri.components import mask_text, split
from rehref.web.answers import LEADS_NOWHERE, PERMANENT, Answer, Failure

REDIRECTED: Final = "web-redirected"
"""The code of a URL that has moved for good."""
MOVED_FOR_NOW: Final = "web-moved-for-now"
"""The code of a URL that redirects for now."""

_BY_STATUS: Final[Mapping[int, str]] = {
    401: "web-forbidden",
    403: "web-forbidden",
    404: "web-not-found",
    407: "web-forbidden",
    410: "web-not-found",
    429: "web-too-many-requests",
    451: "web-forbidden",
    999: "web-forbidden",
}
_BY_CLASS: Final[Mapping[int, str]] = {4: "web-client-error", 5: "web-server-error"}
_BY_FAILURE: Final[Mapping[Failure, tuple[str, str]]] = {
    "private-address": ("web-private-address", "was not asked"),
    "unknown-host": ("web-unknown-host", "cannot be found"),
    "no-connection": ("web-no-connection", "cannot be reached"),
    "timeout": ("web-timeout", "does not answer in time"),
    "tls": ("web-tls", "fails to make a secure connection"),
    "bad-response": ("web-bad-response", "sends a response that cannot be read"),
    "too-large": ("web-too-large", "sends a larger response than is read"),
    "challenge": ("web-forbidden", "answers with a test that only browsers pass, not with the page"),
    "robots": ("web-robots", "was not asked, because of its robots.txt"),
    **dict.fromkeys(LEADS_NOWHERE, ("web-redirect-loop", "leads nowhere")),
    "bad-redirect": ("web-bad-response", "leads nowhere"),
}
_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
_HOME = re.compile(r"/?(?:[a-z]{2}(?:[-_][a-z]{2,4})?/?)?(?:index\.[a-z]+|home)?", re.IGNORECASE).fullmatch
_LOGIN = re.compile(
    r"(?:^|[/._-])(?:log-?_?in|sign-?_?in|sso|oauth2?|saml2?|auth|authenticate|consent|captcha)(?:$|[/._-])",
    re.IGNORECASE,
).search
_ERROR = re.compile(
    r"(?:^|[/._-])(?:40[0-9]|410|50[0-9]|(?:page-?_?)?not-?_?found|errors?|gone|expired|unavailable)(?:$|[/._-])",
    re.IGNORECASE,
).search
_SESSION = re.compile(r";[a-z]*sess[a-z]*=|;sid=|/\(S\(", re.IGNORECASE).search
"""A session in a path: `;jsessionid=…`, `;phpsessid=…`, `/(S(…))/`."""


def verdict_of(answer: Answer, accepted: Sequence[range] = ACCEPTED) -> WebVerdict | None:
    """Return what an answer means.

    The status takes precedence over a failure, unless that is a challenge: a page that was not found is missing, even
    if the body of the answer could not be read. With no status, or an accepted one, the failure says what is wrong
    (`_BY_FAILURE`).
    """
    is_challenge = answer.failure == "challenge"
    if answer.status is not None and not is_accepted(answer.status, accepted) and not is_challenge:
        message = f"{_host(answer.final)} {_answers(answer, answer.status)}{_redirected_clause(answer)}"
        return WebVerdict(_code_of(answer.status), message, status=answer.status)
    if answer.failure is not None and not _is_accepted_redirection(answer, accepted):
        code, what = _BY_FAILURE[answer.failure]
        detail = f": {mask_text(answer.detail)}" if answer.detail else ""
        return WebVerdict(code, f"{_host(answer.final or answer.url)} {what}{detail}{_redirected_clause(answer)}")
    return _moved(answer, accepted)


def is_accepted(status: int | None, accepted: Sequence[range]) -> bool:
    """Whether a status is one of the accepted ones."""
    return status is not None and any(status in each for each in accepted)


def _is_accepted_redirection(answer: Answer, accepted: Sequence[range]) -> bool:
    """Whether the answer stops at a redirection, since no more are followed, and the status of that one is accepted."""
    return (
        answer.failure == "too-many-redirects" and bool(answer.hops) and is_accepted(answer.hops[-1].status, accepted)
    )


def _code_of(status: int) -> str:
    """The code of a status that is not accepted: of its row in `_BY_STATUS`, else of its class.

    One large site answers 999 to programs.
    """
    return _BY_STATUS.get(status) or _BY_CLASS.get(status // 100, "web-bad-response")


def _moved(answer: Answer, accepted: Sequence[range]) -> WebVerdict | None:
    """The verdict on redirections to a URL that is fine.

    If all those that are not accepted are permanent (301, 308), the new URL is the suggestion; one with a user name is
    not suggested. If one redirection is temporary, the old URL stays.
    """
    hops = [hop for hop in answer.hops if not is_accepted(hop.status, accepted)]
    if not hops:
        return None
    final, answers = answer.final, _answers(answer, hops[0].status)
    if any(hop.status not in PERMANENT for hop in hops):
        return WebVerdict(MOVED_FOR_NOW, f"{_host(answer.url)} {answers}, and leads to {mask_text(final)}")
    message = f"{_host(answer.url)} {answers}: it has moved to {mask_text(final)}"
    if split(final).has_userinfo:
        return WebVerdict(REDIRECTED, message)
    return WebVerdict(REDIRECTED, message, final, not _may_be_another(answer.url, final))


def _may_be_another(old: str, new: str) -> bool:
    """Whether a new URL may lead to another resource than the old one, so that it is not sure.

    That is: a home page that the old URL was not; a page for logging in, or for an error; one with another query, or
    without the old one's, or with a session in its path; one on another host whose path does not have the old one's
    last name, as when a domain was sold; or another language or version, in the host or the path (`site/_series.py`),
    since a server chooses it for the one who asks. Names count as a whole: /e is not in /welcome. A home page has no
    name, so one on another host is not sure.
    """
    before, after = split(old), split(new)
    old_host, new_host = before.host.lower(), after.host.lower()
    is_home = _HOME(after.path) is not None and not after.query and _HOME(before.path) is None
    is_login = _LOGIN(f"{new_host}{after.path}") is not None and _LOGIN(f"{old_host}{before.path}") is None
    is_error = _ERROR(after.path) is not None and _ERROR(before.path) is None
    is_session = _SESSION(after.path) is not None
    is_other_host = old_host.removeprefix("www.") != new_host.removeprefix("www.")
    is_elsewhere = is_other_host and not _has_name_of(before.path, after.path)
    is_edition = is_another_edition(unquote(before.path), unquote(after.path), "")
    is_edition = is_edition or _editions_of_host(old_host) != _editions_of_host(new_host)
    is_other_query = (after.query or "") != (before.query or "")
    return any((is_home, is_login, is_error, is_session, is_edition, is_other_query, is_elsewhere))


def _editions_of_host(host: str) -> frozenset[str]:
    """The languages and versions in the name of a host; the last label may be a country's domain."""
    return editions(host.split(".")[:-1])


def _has_name_of(old: str, new: str) -> bool:
    """Whether a path has the last name of another one, regardless of the extension."""
    names = [segment.partition(".")[0] for segment in new.split("/")]
    last = old.rstrip("/").rpartition("/")[2].partition(".")[0]
    return last != "" and last in names


def _answers(answer: Answer, status: int) -> str:
    """A clause: the server answers with a status; or it answered so, and when, if that was more than a moment ago."""
    seconds = time.time() - answer.checked_at if answer.from_cache else 0.0
    size, unit = next((each for each in _UNITS if seconds >= each[0]), (0, ""))
    if size == 0:
        return f"answers {_shown(status)}"
    number = int(seconds / size)
    return f"answered {_shown(status)} {number} {unit}{'' if number == 1 else 's'} ago"


def _shown(status: int) -> str:
    """A status for people, with the reason phrase of the standard."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _host(url: str) -> str:
    """The host of a URL, with its port, without the userinfo."""
    return (split(url).authority or "").rpartition("@")[2]


def _redirected_clause(answer: Answer) -> str:
    """Where redirections have led, as a clause; "" if there were none."""
    return f", at {mask_text(answer.final)}" if answer.hops and answer.final != answer.url else ""
