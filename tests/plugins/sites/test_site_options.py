"""The options of an integration (plugins/sites/_site_options.py), before anything is built."""

from __future__ import annotations

from typing import Any

import pytest

import rehref
from rehref.cli.program import import_command
from rehref.plugins.sites._site_options import BuildOptionError, build_options, defaults


@pytest.fixture(autouse=True)
def nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(*arguments: object, **given: object) -> None:
        raise AssertionError("checked")

    monkeypatch.setattr(rehref, "check", check)


def test_options_are_taken_by_the_names_of_the_command_line() -> None:
    given = {"own_host": "www.h", "exclude": ["a", "b"], "external": True, "root_dir": "sub", "accept": [200, 403]}
    asked = build_options({**given, "fail": True})
    assert asked.given == {**{name: each for name, each in given.items() if name != "own_host"}, "own_hosts": ["www.h"]}
    assert asked.fails


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("exclud", "x", "did you mean exclude"),
        ("exclude", "(", "exclude: (: the expression"),
        ("select", "no-such", "there is no such code"),
        ("host", "nowhere", "there is no 'nowhere'"),
        ("site_url", "docs/", "cannot be a base"),
        ("accept", "2xx", "neither a status nor a range"),
        ("timeout", "soon", "is not a possible time"),
        ("max_concurrency", 0, "give 1 or more"),
        ("per_path_ignores", ["x"], "mapping"),
        ("own_host", 3, "must be a text or a list of texts"),
        ("external", "yes", "must be true or false"),
        ("index_files", 3, "of the wrong kind"),
        ("scope", "/", "there is no such option"),
    ],
)
def test_what_cannot_be_is_refused(name: str, value: Any, said: str) -> None:
    with pytest.raises(BuildOptionError, match=f"^{name}: ") as raised:
        build_options({name: value})
    assert said in str(raised.value)


def test_what_is_for_asking_servers_goes_with_external_only() -> None:
    assert build_options({"max_concurrency": 8}).given == {}
    assert build_options({"external": True, "max_concurrency": 8}).given == {"external": True, "max_concurrency": 8}
    with pytest.raises(BuildOptionError, match="max_concurrency"):
        build_options({"max_concurrency": 0})


def test_options_are_called_as_on_the_command_line() -> None:
    """Each is one of the command, but for `fail`."""
    of_command = {
        opt.lstrip("-").replace("-", "_")
        for each in import_command("check").params
        for opt in each.opts
        if opt.startswith("--")
    }
    assert defaults().keys() - of_command == {"fail", "compare_with"}


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, {}),
        ({"own_host": "a.example"}, {"own_hosts": ["a.example"]}),
        ({"exclude": ["a", "b"], "no_fragments": True}, {"exclude": ["a", "b"], "no_fragments": True}),
        ({"root_dir": "docs"}, {"root_dir": "docs"}),
        ({"fail": True, "max_findings": 3}, {}),
        ({"per_path_ignores": {"a/**": "missing-file"}}, {"per_path_ignores": {"a/**": "missing-file"}}),
    ],
)
def test_options_become_arguments(given: dict[str, Any], asked: dict[str, Any]) -> None:
    options = build_options(given)
    assert options.given == asked
    assert (options.fails, options.most) == (given.get("fail", False), given.get("max_findings", 100))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"fial": True}, "fial: there is no such option; did you mean fail?"),
        ({"jobs": 2}, "jobs: there is no such option"),
        ({"site_url": "example.org"}, "site_url: example.org: cannot be a base"),
        ({"host": "iis"}, "host: host: there is no 'iis'"),
        ({"per_path_ignores": ["a"]}, "per_path_ignores: has a value of the wrong kind"),
        ({"site_url": 3}, "site_url: has a value of the wrong kind"),
        ({"scripting": "yes"}, "scripting: must be true or false, not 'yes'"),
    ],
)
def test_what_cannot_be_is_said_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BuildOptionError) as raised:
        build_options(given)
    assert str(raised.value).startswith(said)
