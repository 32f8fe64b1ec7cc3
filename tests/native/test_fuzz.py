"""The fuzzer compares something, finds what differs, and says how to find it again."""

from __future__ import annotations

from itertools import count, islice
from random import Random

import pytest

import rehref
from native.comparing import BoundResolver, Coverage, Sample, Setting, differs, shortened
from native.fuzz import fuzz, main, run, samples, summary
from rehref._native import TWIN
from rehref.documents._table.twin_rows import TwinRows
from rehref.documents.options import ReadOptions
from rehref.text.encoding import Source

pytestmark = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")

AGAINST = BoundResolver("http://h.example/a/", None, "rfc3986", False, False, False)
SETTINGS = [Setting(AGAINST, [(rehref.Absolute(), False), (rehref.Relative(), False)])]
PAGE = Source(b'<title>t</title><p><a href="x">x</a><a href=" y">y</a><img src="z">', "utf-8")


def test_the_same_seed_gives_the_same_documents() -> None:
    one, other = ([sample.source for sample in islice(samples(Random("7-1")), 50)] for _ in range(2))
    assert one == other
    assert [sample.source for sample in islice(samples(Random("7-2")), 50)] != one


def test_what_the_twin_makes_alone_is_counted() -> None:
    coverage = Coverage()
    assert differs(Sample(PAGE, ReadOptions(), SETTINGS, by_tree=True, in_public=True, watched=True), coverage) is None
    assert (coverage.cases, coverage.documents, coverage.refused) == (2, 1, 0)
    assert coverage.links == {"url": 3}
    assert (coverage.handed["url"], coverage.references) == (0, 6)
    assert "by the twin alone" in summary(coverage)


def test_what_the_twin_does_not_read_is_no_case() -> None:
    source = Source(b"<p><frameset><frame src=x>", "utf-8")
    coverage = Coverage()
    assert (
        differs(Sample(source, ReadOptions(), SETTINGS, by_tree=True, in_public=False, watched=True), coverage) is None
    )
    assert (coverage.cases, coverage.documents, coverage.refused) == (0, 1, 1)


def test_a_difference_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    right = TwinRows.links

    def wrong(self: TwinRows, *arguments: object, **options: object) -> object:
        found = right(self, *arguments, **options)  # type: ignore[arg-type]
        assert found is not None
        return ([link._replace(target=None) if link.element == "img" else link for link in some] for some in found)

    monkeypatch.setattr(TwinRows, "links", wrong)
    sample = Sample(PAGE, ReadOptions(), SETTINGS, by_tree=False, in_public=False, watched=False)
    found = differs(sample, Coverage())
    assert found is not None
    assert found.what == "a link"
    short, again = shortened(sample, found.what)
    assert again.what == found.what
    assert short.source.data == b"<img src=z>"
    assert len(short.settings[0].rules) == 1


def test_what_is_raised_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: TwinRows, *arguments: object, **options: object) -> object:
        raise IndexError("3")

    monkeypatch.setattr(TwinRows, "links", wrong)
    found = differs(Sample(PAGE, ReadOptions(), SETTINGS, by_tree=False, in_public=False, watched=False), Coverage())
    assert found is not None
    assert found.what == "raising IndexError"


def test_it_ends_at_the_first_difference_and_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(self: TwinRows, *arguments: object, **options: object) -> object:
        return iter(())

    monkeypatch.setattr(TwinRows, "links", wrong)
    assert main(["--cases", "1000000", "--seed", "5", "--jobs", "1"]) == 1
    assert "--seed 5 --batch 0" in capsys.readouterr().out


def test_it_ends_with_the_cases_asked_for() -> None:
    total, difference = fuzz((run(3, batch) for batch in count()), seconds=None, cases=10)
    assert difference is None
    assert 10 <= total.cases <= 250 * 3 * 5
