"""What answers of servers mean for the links that lead to their URLs (site/_external/verdicts.py)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest

from rehref.site._external.verdicts import WebVerdict, verdict_of
from rehref.site.codes import CODES
from rehref.web.answers import Answer, Failure, Hop

URL = "https://example.org/a/page.html"


def verdict_on(answer: Answer, *accepted: range) -> WebVerdict:
    """The verdict on an answer that is not fine."""
    verdict = verdict_of(answer, accepted) if accepted else verdict_of(answer)
    assert verdict is not None
    return verdict


def moved(to: str, *statuses: int, old: str = URL) -> WebVerdict:
    return verdict_on(Answer(old, 200, final=to, hops=tuple(Hop(old, status, to) for status in statuses)))


@pytest.mark.parametrize("status", [200, 201, 204, 206, 299])
def test_success_is_fine(status: int) -> None:
    assert verdict_of(Answer(URL, status, final=URL)) is None


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "web-client-error"),
        (401, "web-forbidden"),
        (403, "web-forbidden"),
        (404, "web-not-found"),
        (405, "web-client-error"),
        (407, "web-forbidden"),
        (410, "web-not-found"),
        (418, "web-client-error"),
        (429, "web-too-many-requests"),
        (451, "web-forbidden"),
        (500, "web-server-error"),
        (503, "web-server-error"),
        (599, "web-server-error"),
        (999, "web-forbidden"),
        (300, "web-bad-response"),
        (304, "web-bad-response"),
        (700, "web-bad-response"),
    ],
)
def test_each_status_has_a_code(status: int, code: str) -> None:
    verdict = verdict_on(Answer(URL, status, final=URL))
    assert verdict.code == code
    assert f"example.org answers {status}" in verdict.message


@pytest.mark.parametrize("failure", get_args(Failure))
def test_each_failure_has_a_code(failure: Failure) -> None:
    verdict = verdict_on(Answer(URL, failure=failure, detail="why https://u:secret@h/"))
    assert verdict.code in CODES
    assert verdict.code.startswith("web-")
    assert "example.org" in verdict.message
    assert "secret" not in verdict.message
    assert "why" in verdict.message


def test_a_failure_of_the_body_counts_though_the_status_is_fine() -> None:
    verdict = verdict_on(Answer(URL, 200, "timeout", final=URL))
    assert verdict.code == "web-timeout"


@pytest.mark.parametrize("failure", ["timeout", "too-large", "bad-response"])
def test_the_status_counts_though_the_body_failed(failure: Failure) -> None:
    verdict = verdict_on(Answer(URL, 404, failure, final=URL))
    assert verdict.code == "web-not-found"
    accepted = verdict_on(Answer(URL, 404, failure, final=URL), range(404, 405))
    assert accepted.code == f"web-{failure}"


def test_what_is_accepted_is_fine_and_nothing_else() -> None:
    accepted = (range(200, 201), range(403, 404))
    assert verdict_of(Answer(URL, 403, final=URL), accepted) is None
    other = verdict_on(Answer(URL, 204, final=URL), *accepted)
    assert other.code == "web-bad-response"


def test_redirections_that_are_accepted_are_fine_even_if_not_followed() -> None:
    hops = (Hop(URL, 301, "https://example.org/b"),)
    assert verdict_of(Answer(URL, 200, final="https://example.org/b", hops=hops), (range(200, 400),)) is None
    stopped = Answer(URL, failure="too-many-redirects", final=URL, hops=hops)
    assert verdict_of(stopped, (range(200, 400),)) is None
    assert verdict_of(stopped) is not None


def test_a_permanent_redirection_is_a_suggestion() -> None:
    new = "https://www.example.org/b/page.html"
    for statuses in ((301,), (308,), (301, 308)):
        assert moved(new, *statuses) == WebVerdict(
            "web-redirected",
            f"example.org answers {statuses[0]} {'Moved Permanently' if statuses[0] == 301 else 'Permanent Redirect'}: "
            f"it has moved to {new}",
            new,
            sure=True,
        )


@pytest.mark.parametrize("statuses", [(302,), (303,), (307,), (301, 302), (307, 308)])
def test_one_that_is_for_the_time_being_is_none(statuses: tuple[int, ...]) -> None:
    verdict = moved("https://example.org/b", *statuses)
    assert (verdict.code, verdict.moved_to) == ("web-moved-for-now", None)


def test_a_redirection_to_what_is_broken_is_broken() -> None:
    verdict = verdict_of(
        Answer(URL, 404, final="https://example.org/b", hops=(Hop(URL, 301, "https://example.org/b"),))
    )
    assert verdict is not None
    assert verdict.code == "web-not-found"
    assert verdict.message == "example.org answers 404 Not Found, at https://example.org/b"


@pytest.mark.parametrize(
    "to",
    [
        *("https://example.org/", "https://example.org", "https://example.org/en/", "https://example.org/de-at"),
        *("https://example.org/index.html", "https://example.org/login"),
        "https://login.example.org/a/page.html",
        "https://example.org/accounts/sign-in/",
        "https://example.org/b?session=12",
        "https://sold.example/lander",
    ],
)
def test_what_may_be_another_page_is_not_sure(to: str) -> None:
    verdict = moved(to, 301)
    assert (verdict.moved_to, verdict.sure) == (to, False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("http://a.example/", "http://b.example/"),
        ("http://a.example", "https://www.b.example/welcome"),
        ("http://a.example/e", "http://b.example/welcome"),
        ("http://a.example/a/art", "http://b.example/start/here"),
        ("http://a.example/viewtopic.php?t=123", "http://a.example/forum/"),
        ("http://a.example/x?t=1", "http://a.example/x"),
        ("http://a.example/x", "http://a.example/404.html"),
        ("http://a.example/x", "http://a.example/not-found"),
        ("http://a.example/x", "http://a.example/page_not_found.aspx"),
        ("http://a.example/x", "http://a.example/error/missing"),
        ("http://a.example/x", "http://a.example/errors/404"),
        ("http://a.example/x", "http://a.example/x;jsessionid=0A1B"),
        ("http://a.example/x", "http://a.example/(S(lit3py55t21z5v55vlm25s55))/x"),
    ],
)
def test_neither_is_what_has_not_the_name_or_the_query_of_the_old_one(old: str, new: str) -> None:
    verdict = moved(new, 301, old=old)
    assert (verdict.moved_to, verdict.sure) == (new, False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("http://a.example/docs/x", "http://a.example/en-us/docs/x"),
        ("http://a.example/proj/", "http://a.example/proj/en/latest/"),
        ("http://a.example/proj", "http://a.example/proj/stable"),
        ("http://a.example/docs/x", "http://a.example/docs/v2.1/x"),
        ("http://a.example/docs/v1/x", "http://a.example/docs/v2/x"),
        ("http://a.example/fr/x", "http://a.example/x"),
        ("http://a.example/", "http://a.example/de/"),
        ("http://a.example/x", "http://en.a.example/x"),
        ("http://a.example/%40anna/x", "http://a.example/x"),
    ],
)
def test_neither_is_another_language_or_version(old: str, new: str) -> None:
    verdict = moved(new, 301, old=old)
    assert (verdict.moved_to, verdict.sure) == (new, False)


def test_a_country_s_domain_is_not_a_language() -> None:
    assert moved("http://www.a.de/x", 301, old="http://www.a.example/x").sure


def test_a_home_page_or_login_that_moves_is_sure() -> None:
    for old, new in (
        ("http://example.org/", "https://example.org/"),
        ("http://example.org/login", "https://example.org/login"),
        ("http://example.org/a?x=1", "https://example.org/a?x=1"),
        ("http://example.org/docs/page.html", "https://docs.example.org/page/"),
        ("http://example.org/old/x", "https://www.example.org/new"),
        ("http://old.example/404.html", "https://old.example/404.html"),
        ("http://example.org/?x=1", "https://example.org/?x=1"),
    ):
        verdict = moved(new, 301, old=old)
        assert verdict.sure


def test_a_url_with_a_password_is_not_suggested() -> None:
    verdict = moved("https://u:secret@example.org/b", 301)
    assert verdict.moved_to is None
    assert "secret" not in verdict.message


@pytest.mark.parametrize(
    ("seconds", "ago"), [(70, "1 minute"), (1_250, "20 minutes"), (7_300, "2 hours"), (200_000, "2 days")]
)
def test_what_is_known_from_before_is_said_to_be(seconds: float, ago: str) -> None:
    verdict = verdict_on(
        Answer(URL, 404, final=URL, checked_at=datetime.now(tz=UTC).timestamp() - seconds, from_cache=True)
    )
    assert verdict.message == f"example.org answered 404 Not Found {ago} ago"
