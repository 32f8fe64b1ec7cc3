"""The GitHub action (action.yml): its metadata, and its steps, run as a runner runs them.

- Of a runner there is what these steps need: inputs and their defaults, `${{ … }}` with plain names in `env`, `if`
  with one comparison, the files that a step writes outputs and environment variables to, and bash with its options.
- rehref is the one of the source; a slow test installs it as the action does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from patience import PATIENCE
from plugins.sites.programs import EXAMPLES, ROOT, copied_project, pasted, run

yaml = pytest.importorskip("yaml")
if shutil.which("bash") is None:
    pytest.skip("bash is not installed", allow_module_level=True)

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
PAGE = "<a href=gone.html>1</a>\n<a href='index.html#no'>2</a><a href=index.html>3</a>"


class Job(NamedTuple):
    """What became of a job: `status` of the step that failed, 0 if none did."""

    status: int
    said: str
    outputs: Mapping[str, str]
    used: list[tuple[str, Mapping[str, str]]]


def evaluated(text: str, values: Mapping[str, str]) -> str:
    """A text of the metadata with its expressions evaluated."""
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: values[found[1]], text)


def applies(condition: str | None, values: Mapping[str, str]) -> bool:
    if condition is None:
        return True
    found = re.fullmatch(r"([\w.-]+) (==|!=) '(\w*)'", condition)
    assert found is not None
    return (values[found[1]] == found[3]) == (found[2] == "==")


def of_file(file: Path) -> dict[str, str]:
    """What a step wrote: `NAME=VALUE`, a line each."""
    return dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())


def job(workspace: Path, temp: Path, installed: bool = False, **inputs: str) -> Job:
    """Run the steps of the action. `installed`: install rehref as they say; else it is that of the source."""
    temp.mkdir()
    values = {f"inputs.{name}": given.get("default", "") for name, given in ACTION["inputs"].items()}
    values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
    values["github.action_path"] = str(copied_project(temp / "action") if installed else ROOT)
    environment = os.environ | {"RUNNER_TEMP": str(temp), "REHREF_NATIVE": "no"}
    if not installed:
        environment["REHREF_BIN"] = str(stand_in(temp))
    else:
        environment.pop("PYTHONPATH", None)
    said, status, used = "", 0, []
    for number, step in enumerate(STEPS):
        if not applies(step.get("if"), values) or (step["name"] == "Install rehref" and not installed):
            continue
        if "uses" in step:
            used.append((step["uses"], {name: evaluated(text, values) for name, text in step["with"].items()}))
            continue
        script, output, exported = (temp / f"{number}-{name}" for name in ("script", "output", "env"))
        script.write_text(step["run"], encoding="utf-8")
        output.touch()
        exported.touch()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=workspace,
            env=environment
            | {name: evaluated(text, values) for name, text in step.get("env", {}).items()}
            | {"GITHUB_OUTPUT": str(output), "GITHUB_ENV": str(exported)},
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        said += done.stdout + done.stderr
        values |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in of_file(output).items()}
        environment |= of_file(exported)
        status = done.returncode
        if status:
            break
    outputs = {
        name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: values.get(found[1], ""), given["value"])
        for name, given in ACTION["outputs"].items()
    }
    return Job(status, said, outputs, used)


def stand_in(temp: Path) -> Path:
    """A folder with the two programs of an environment in which rehref is installed."""
    folder = temp / "bin"
    folder.mkdir()
    for name, words in (("python", ""), ("rehref", " -m rehref")):
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "work" / "public").mkdir(parents=True)
    (tmp_path / "work" / "public" / "index.html").write_text(PAGE)
    return tmp_path / "work"


def test_the_metadata_fits_its_schema() -> None:
    """The schema is that of SchemaStore, as check-jsonschema has it."""
    pytest.importorskip("check_jsonschema")
    assert run(ROOT, "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml").status == 0


def test_the_example_of_a_workflow_fits_its_schema_and_the_inputs() -> None:
    pytest.importorskip("check_jsonschema")
    file = EXAMPLES / "github-action" / "links.yml"
    assert run(ROOT, "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(file)).status == 0
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["links"]["steps"]
    (given,) = [step["with"] for step in steps if "rehref" in step.get("uses", "")]
    assert given.keys() <= ACTION["inputs"].keys()
    assert {name for name, each in ACTION["inputs"].items() if each.get("required")} <= given.keys()


def test_the_page_lists_all_inputs() -> None:
    page = (ROOT / "docs/integrations.md").read_text(encoding="utf-8")
    assert (
        "".join(
            f"| `{name}` | {given['description']}{default_of(given)} |\n" for name, given in ACTION["inputs"].items()
        )
        in page
    )


def default_of(given: Mapping[str, Any]) -> str:
    return f" Default: `{given['default']}`." if given.get("default") else ""


def test_nothing_given_is_written_into_a_script() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 3
    assert [script for script in scripts if "${{" in script or "eval" in script] == []


def test_broken_links_fail_the_job_and_are_reported(workspace: Path, tmp_path: Path) -> None:
    done = job(workspace, tmp_path / "temp", folder="public", site_url="https://kites.example/")
    assert done.status == 1
    assert "::error file=public/index.html,line=1,col=9,endColumn=18,title=missing-file::" in done.said
    assert pasted("::error ", "\n") in done.said
    assert done.outputs == {"broken": "2", "warnings": "0", "report": "rehref.sarif"}
    results = json.loads((workspace / "rehref.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["missing-file", "missing-fragment"]
    assert done.used == [("actions/setup-python@v6", {"python-version": "3.13"})]


def test_mended_links_pass(workspace: Path, tmp_path: Path) -> None:
    (workspace / "public/index.html").write_text("<a href=index.html>3</a>")
    done = job(workspace, tmp_path / "temp", folder="public", python_version="")
    assert (done.status, done.outputs["broken"], done.used) == (0, "0", [])


def test_options_and_what_is_asked_for(workspace: Path, tmp_path: Path) -> None:
    done = job(
        workspace,
        tmp_path / "temp",
        folder="public",
        arguments="--exclude=gone\\.html\r\n\n--warn\nmissing-fragment",
        sarif_file="out of it.sarif",
        upload_sarif="true",
        category="links",
    )
    assert done.status == 0
    assert done.outputs == {"broken": "0", "warnings": "1", "report": "out of it.sarif"}
    assert done.used[1:] == [
        ("github/codeql-action/upload-sarif@v4", {"sarif_file": "out of it.sarif", "category": "links"})
    ]


def test_a_report_is_uploaded_before_the_job_fails_or_it_does_not_fail_at_all(workspace: Path, tmp_path: Path) -> None:
    done = job(workspace, tmp_path / "temp", folder="public", upload_sarif="true")
    assert (done.status, len(done.used)) == (1, 2)
    done = job(workspace, tmp_path / "again", folder="public", fail="false")
    assert (done.status, done.outputs["broken"]) == (0, "2")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "inputs",
    [
        {"folder": "gone"},
        {"folder": "public", "arguments": "--exclude=("},
        {"folder": "public", "arguments": "--no-such-option", "fail": "false"},
        {"folder": ""},
        {"folder": "--help"},
    ],
)
def test_what_cannot_be_checked_fails_always(workspace: Path, tmp_path: Path, inputs: dict[str, str]) -> None:
    done = job(workspace, tmp_path / "temp", upload_sarif="true", **inputs)
    assert done.status == 2
    assert len(done.used) == 1


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "text", ['public"; touch pwned; "', "$(touch pwned)", "`touch pwned`", "public; touch pwned", "a\nbroken=0\nb", "*"]
)
@pytest.mark.parametrize("name", ["folder", "site_url", "arguments", "sarif_file"])
def test_nothing_given_becomes_a_command(workspace: Path, tmp_path: Path, name: str, text: str) -> None:
    done = job(workspace, tmp_path / "temp", **({"folder": "public"} | {name: text}))
    assert done.status in (1, 2)
    assert done.outputs["broken"] in ("2", "")
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.slow
def test_the_action_installs_rehref_from_its_own_checkout(workspace: Path, tmp_path: Path) -> None:
    done = job(workspace, tmp_path / "temp", installed=True, folder="public")
    if "No matching distribution found" in done.said or "Could not find a version" in done.said:
        pytest.skip("what rehref needs cannot be installed here: there is no package index")
    assert (done.status, done.outputs["broken"]) == (1, "2"), done.said
    assert list((tmp_path / "temp/rehref").glob("lib/python*/site-packages/rehref"))


def test_a_change_is_compared_with_what_was_published(workspace: Path, tmp_path: Path) -> None:
    old = workspace / "published"
    shutil.copytree(workspace / "public", old)
    (old / "wind.html").write_text("<title>Wind</title>")
    (workspace / "public" / "index.html").write_text("<a href=index.html>1</a>")
    found = job(workspace, tmp_path / "temp", folder="public", compare_with="published")
    assert found.status == 1
    assert "title=url-gone::wind.html: gone" in found.said
    assert job(workspace, tmp_path / "again", folder="public", compare_with="public").status == 0
