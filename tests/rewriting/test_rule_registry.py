"""The registry of rules: its rows are true, and a new row is all that the command line needs."""

from __future__ import annotations

import inspect

import pytest

import rehref
from rehref.rewriting.built_in_rules import RULES, TEMPLATE, RuleEntry


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_row_names_a_public_rule_and_its_keyword_arguments(rule: RuleEntry) -> None:
    made = rule.load()
    assert made is getattr(rehref, rule.type_name)
    parameters = inspect.signature(made).parameters
    for option in rule.options:
        assert option.name in parameters or (rule.name == TEMPLATE and option.name == "set")
