"""The hooks of pre-commit (.pre-commit-hooks.yaml), in pre-commit and git themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from patience import PATIENCE
from plugins.sites.programs import EXAMPLES, ROOT, Ran, copied_project, pasted, replace, run

yaml = pytest.importorskip("yaml")
pytest.importorskip("pre_commit")
if shutil.which("git") is None:
    pytest.skip("git is not installed", allow_module_level=True)

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
CONFIG = ".pre-commit-config.yaml"
((EXAMPLE,),) = (
    each["hooks"] for each in yaml.safe_load((EXAMPLES / "pre-commit" / CONFIG).read_text("utf-8"))["repos"]
)
"""The hook of the example."""


class Repository(NamedTuple):
    """A git repository, and where pre-commit keeps what it installs."""

    folder: Path
    store: Path

    @property
    def environment(self) -> dict[str, str]:
        """What programs are run with: nothing of a repository around, or of the user's settings."""
        others = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        of_git = {
            f"GIT_{who}_{what}": f"{what}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        more = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PRE_COMMIT_HOME": str(self.store)}
        return others | of_git | more | {"PATH": path, "REHREF_NATIVE": "no", "NO_COLOR": "1"}

    def git(self, *words: str) -> Ran:
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr)

    def commit(self, message: str = "Change") -> Ran:
        assert self.git("add", "--all").status == 0
        return self.git("commit", "--message", message)


def made(folder: Path, store: Path) -> Repository:
    repository = Repository(folder, store)
    assert repository.git("init", "--quiet").status == 0
    return repository


def with_hook(tmp_path: Path, id: str, **more: object) -> Repository:
    """The example with a hook as it is declared, run from the source instead of an environment of its own."""
    shutil.copytree(EXAMPLES / "pre-commit", tmp_path / "site")
    (declared,) = [each for each in HOOKS if each["id"] == id]
    entry = declared["entry"].replace("rehref", f"{sys.executable} -m rehref", 1)
    own = {"repo": "local", "hooks": [{**declared, "entry": entry, "language": "system", **more}]}
    (tmp_path / "site" / CONFIG).write_text(yaml.safe_dump({"repos": [own]}), encoding="utf-8")
    repository = made(tmp_path / "site", tmp_path / "store")
    assert run(repository.folder, "pre_commit", "install", **repository.environment).status == 0
    return repository


def test_the_hooks_are_what_pre_commit_takes() -> None:
    assert run(ROOT, "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml").status == 0
    assert run(EXAMPLES / "pre-commit", "pre_commit", "validate-config", CONFIG).status == 0
    (repo,) = yaml.safe_load((EXAMPLES / "pre-commit" / CONFIG).read_text(encoding="utf-8"))["repos"]
    assert {each["id"] for each in repo["hooks"]} <= {each["id"] for each in HOOKS}


def test_pages_that_change_are_checked_against_the_site(tmp_path: Path) -> None:
    repository = with_hook(tmp_path, **EXAMPLE)
    assert repository.commit().status == 0
    replace(repository.folder / "site/index.html", "#breeze", "#gale")
    refused = repository.commit()
    assert refused.status == 1
    assert "site/index.html:4:28  error missing-fragment  a@href" in refused.said
    assert pasted("rehref check (changed pages)", "\n") in re.sub(r"[0-9.]+ s\)", "0.0 s)", refused.said)
    replace(repository.folder / "site/index.html", "#gale", "#breeze")
    (repository.folder / "site/notes.txt").write_text("No page.")
    passed = repository.commit()
    assert passed.status == 0
    assert "rehref check (changed pages)" in passed.said
    assert "Skipped" in passed.said


@pytest.mark.slow
def test_what_a_change_breaks_elsewhere_only_a_check_of_the_whole_site_finds(tmp_path: Path) -> None:
    changed = with_hook(tmp_path, **EXAMPLE)
    assert changed.commit().status == 0
    replace(changed.folder / "site/wind.html", 'id="breeze"', "")
    assert changed.commit().status == 0
    whole = with_hook(tmp_path / "whole", "rehref-check", args=["site"])
    assert whole.commit().status == 0
    replace(whole.folder / "site/wind.html", 'id="breeze"', "")
    refused = whole.commit()
    assert refused.status == 1
    assert "site/index.html:4:28  error missing-fragment  a@href" in refused.said


def test_the_page_names_what_asking_servers_needs() -> None:
    """pre-commit installs a repository without extras."""
    (named,) = re.findall(
        r"`additional_dependencies: \[(.*?)\]`", (ROOT / "docs/integrations.md").read_text(encoding="utf-8")
    )
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    needed = [
        each.partition(">=")[0] for each in extras["web"] if ";" not in each
    ]  # not what is for some systems alone
    assert named.split(", ") == needed


@pytest.mark.slow
def test_the_example_installs_rehref_from_a_repository_refuses_a_commit_and_takes_the_mended_one(
    tmp_path: Path,
) -> None:
    source = a_repository_of_this_project(tmp_path)
    revision = source.git("rev-parse", "HEAD").said.strip()
    shutil.copytree(EXAMPLES / "pre-commit", tmp_path / "site")
    replace(tmp_path / "site" / CONFIG, "https://git.example/rehref", str(source.folder))
    replace(tmp_path / "site" / CONFIG, "v0.1.0", revision)
    repository = made(tmp_path / "site", tmp_path / "store")
    environment = repository.environment | {"PYTHONPATH": ""}
    installed = run(repository.folder, "pre_commit", "install", "--install-hooks", **environment)
    if "No matching distribution found" in installed.said or "Could not find a version" in installed.said:
        pytest.skip("what rehref needs cannot be installed here: there is no package index")
    assert installed.status == 0, installed.said
    replace(repository.folder / "site/index.html", "wind.html", "winds.html")
    refused = repository.commit()
    assert refused.status == 1
    assert "site/index.html:4:28  error missing-file  a@href" in refused.said
    replace(repository.folder / "site/index.html", "winds.html", "wind.html")
    assert repository.commit().status == 0


def a_repository_of_this_project(folder: Path) -> Repository:
    repository = made(copied_project(folder / "source"), folder / "store")
    assert repository.commit("All").status == 0
    return repository
