"""The repository of a project: one test for each rule of `rehref.site._grounds.repository`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.contexts import written
from growth import assert_proportional
from rehref.exceptions import OptionError
from rehref.site._grounds.repository import named_repository, repository_at

CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:o/wind.git\n\tfetch = +x\n'


@pytest.mark.parametrize(
    ("text", "url", "branch"),
    [
        ("https://github.com/o/r", "https://github.com/o/r", ""),
        ("https://github.com/o/r/", "https://github.com/o/r", ""),
        ("git+https://token:x@github.com/o/r.git#x", "https://github.com/o/r", ""),
        ("ssh://git@github.com:22/o/r.git", "https://github.com/o/r", ""),
        ("git@gitlab.com:g/sub/r.git", "https://gitlab.com/g/sub/r", ""),
        ("https://www.github.com/o/r/tree/feature/x", "https://github.com/o/r", "feature/x"),
        ("https://gitlab.example.org/g/r/-/tree/dev", "https://gitlab.example.org/g/r", "dev"),
        ("https://o.github.io/r/x", None, ""),
        ("https://github.com/sponsors/o", None, ""),
        ("https://github.com/o", None, ""),
        ("https://codeberg.org/o/r", None, ""),
        ("../wind.git", None, ""),
        ("", None, ""),
    ],
)
def test_the_url_of_a_repository_in_any_form(text: str, url: str | None, branch: str) -> None:
    found = repository_at(text)
    assert (found and found.url, found.refs if found else ()) == (url, (branch,) if branch else ())


@pytest.mark.parametrize(
    ("name", "content", "url"),
    [
        ("pyproject.toml", '[project.urls]\n"Source Code" = "https://github.com/o/a"', "https://github.com/o/a"),
        ("pyproject.toml", '[project.urls]\nHomepage = "https://a.org"\nRepository = "https://github.com/o/a"', None),
        ("pyproject.toml", '[tool.poetry]\nrepository = "https://github.com/o/a"', None),
        ("pyproject.toml", '[tool.poetry.urls]\n"Bug Tracker" = "https://github.com/o/a/issues"', None),
        ("pyproject.toml", '[project.urls]\nA = "https://github.com/orgs/o/x"\nHome = "https://github.com/o/a"', None),
        ("package.json", '{"repository": "o/a"}', None),
        ("package.json", '{"repository": "gitlab:o/a"}', "https://gitlab.com/o/a"),
        ("package.json", '{"repository": {"type": "git", "url": "git://github.com/o/a.git"}}', None),
        ("Cargo.toml", '[package]\nrepository = "https://github.com/o/a"', None),
        ("Cargo.toml", '[workspace.package]\nrepository = "https://github.com/o/a"', None),
        ("pyproject.toml", '[project]\nurls = ["https://github.com/o/a"]', "https://github.com/o/wind"),  # of git
        ("package.json", "[]", "https://github.com/o/wind"),
        ("README", "", "https://github.com/o/wind"),
    ],
)
def test_manifests_take_precedence_over_git(tmp_path: Path, name: str, content: str, url: str | None) -> None:
    written(tmp_path, {name: content, ".git/config": CONFIG})
    assert named_repository(tmp_path, None, "").url == (url or "https://github.com/o/a")
    assert named_repository(tmp_path, "https://github.com/o/b", "").url == "https://github.com/o/b"


@pytest.mark.parametrize(
    ("files", "refs"),
    [
        ({}, ("HEAD",)),
        ({"HEAD": "ref: refs/heads/main\n"}, ("HEAD", "main", "master")),
        ({"HEAD": "ref: refs/heads/try/it\n"}, ("HEAD", "try/it", "main", "master")),
        ({"HEAD": "0123456789\n"}, ("HEAD", "0123456789", "main", "master")),  # of a pull request, in CI
        (
            {"HEAD": "ref: refs/heads/try\n", "refs/remotes/origin/HEAD": "ref: refs/remotes/origin/dev\n"},
            ("dev", "HEAD", "try"),
        ),
    ],
)
def test_the_branch_of_links_and_those_of_the_working_tree(
    tmp_path: Path, files: dict[str, str], refs: tuple[str, ...]
) -> None:
    written(tmp_path, {".git/config": CONFIG, **{f".git/{name}": text for name, text in files.items()}})
    assert named_repository(tmp_path, None, "").refs == refs
    assert named_repository(tmp_path, "https://github.com/o/r/tree/v2", "").refs == ("v2", *refs)
    written(tmp_path, {"pyproject.toml": '[project.urls]\nHome = "https://github.com/o/wind/tree/v1/backend"'})
    assert named_repository(tmp_path, None, "").refs == refs


def test_the_root_is_where_git_is_and_a_worktree_has_its_configuration_elsewhere(tmp_path: Path) -> None:
    written(tmp_path, {"a/.git/config": CONFIG, "a/docs/x.md": "", "b/docs/x.md": ""})
    written(tmp_path, {"a/.git/worktrees/b/HEAD": "ref: refs/heads/main\n", "a/.git/worktrees/b/commondir": "../..\n"})
    written(tmp_path, {"b/.git": f"gitdir: {tmp_path}/a/.git/worktrees/b\n"})
    found = [named_repository(tmp_path / name, None, "") for name in ("a/docs", "b/docs", "b")]
    assert [one.folder for one in found] == ["docs/", "docs/", ""]
    assert [one.refs for one in found] == [("HEAD",), *[("HEAD", "main", "master")] * 2]


@pytest.mark.parametrize(
    ("remotes", "url"),
    [
        (["up https://github.com/o/a", "origin https://github.com/o/b"], "https://github.com/o/b"),
        (["up ../a.git", "fork git@github.com:o/c"], "https://github.com/o/c"),
        (["a/b ssh://git@gitlab.example.org:2222/g/sub/r.git"], "https://gitlab.example.org/g/sub/r"),
    ],
)
def test_another_remote_names_it_where_origin_does_not(tmp_path: Path, remotes: list[str], url: str) -> None:
    pairs = (remote.split(" ") for remote in remotes)
    config = "".join(f'[remote "{name}"]\n\tfetch = x\n\turl = {target}\n' for name, target in pairs)
    written(tmp_path, {".git/config": f'[core]\n{config}[branch "main"]\n\tremote = x\n'})
    assert named_repository(tmp_path, None, "").url == url


def test_without_git_the_root_is_where_a_manifest_is(tmp_path: Path) -> None:
    written(tmp_path, {"package.json": '{"repository": "o/a"}', "docs/sub/x.md": ""})
    found = named_repository(tmp_path / "docs" / "sub", None, "")
    assert (found.url, found.folder, found.refs) == ("https://github.com/o/a", "docs/sub/", ("HEAD",))


def test_the_manifest_nearest_above_a_named_file_counts(tmp_path: Path) -> None:
    said = {"packages/a": "o/a", "packages/b/sub": "o/sub", "": "o/root"}
    folder = written(
        tmp_path,
        {
            **{f"{where}/package.json".lstrip("/"): f'{{"repository": "{name}"}}' for where, name in said.items()},
            "packages/b/package.json": "{}",
            **{
                f"packages/{name}": "[x](x.md)\n"
                for name in ("a/README.md", "a/docs/i.md", "b/README.md", "b/sub/i.md")
            },
        },
    )

    (folder / ".git").mkdir()

    def found(where: str, *files: str) -> str:
        return named_repository(folder / where, None, "", files).url.removeprefix("https://github.com/")

    assert found("", "packages/a/README.md") == found("", "packages/a/docs/i.md") == "o/a"
    assert found("", "packages/b/sub/i.md", "packages/a/README.md") == "o/sub"
    assert found("", "packages/b/README.md") == found("packages/b") == found("") == "o/root"
    assert found("packages/a/docs", "i.md") == "o/a"
    (folder / "package.json").unlink()
    for place in ("npm", "github"):
        named = rehref.check(folder, files=[folder / "packages/a/README.md"], published_at=place)
        assert named.summary.documents == 1


def test_what_is_not_known_is_one_line_that_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^published_at pypi: no manifest \(repo.*; name it: own_repository"):
        rehref.check(tmp_path, published_at="pypi")
    with pytest.raises(OptionError, match=r"^own_repository auto: no manifest"):
        rehref.check(tmp_path, own_repository="auto")
    with pytest.raises(
        OptionError, match=r"^own_repository x: is not a repository of GitHub or GitLab; name it: own_repository https"
    ):
        rehref.check(tmp_path, own_repository="x")


@pytest.mark.parametrize(
    ("name", "content"),
    [("package.json", "{"), ("Cargo.toml", "a = "), ("pyproject.toml", "\x00"), ("package.json", "[" * 200_000)],
)
def test_a_manifest_that_is_malformed_is_one_line(tmp_path: Path, name: str, content: str) -> None:
    written(tmp_path, {name: content})
    with pytest.raises(OSError, match=rf"{re.escape(name)}: is not (?:JSON|TOML): [^\n]*; correct it$"):
        rehref.check(tmp_path, own_repository="auto")


@pytest.mark.parametrize("piece", ["\n", " ", '[remote "origin"]\n'])
def test_the_configuration_of_git_is_read_in_linear_time(tmp_path: Path, piece: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        written(
            tmp_path, {".git/config": f'[remote "origin"]\n{piece * size}', "package.json": '{"repository": "o/r"}'}
        )
        return lambda: named_repository(tmp_path, None, "")

    assert_proportional(prepare, 6_000)


def own(folder: Path, markdown: str, **options: Any) -> tuple[list[tuple[str, str]], int]:
    pytest.importorskip("pyromark", reason="needs the package pyromark")
    written(folder, {".git/config": CONFIG, ".git/HEAD": "ref: refs/heads/main", "README.md": markdown})
    written(folder, {"docs/a b.md": "# Sail\n", "docs/x.py": "1\n2\n"})
    result = rehref.check(folder, **{"own_repository": "auto", "dialect": "github", **options})
    return [(one.code, one.reference) for one in result.findings], result.summary.skipped


@pytest.mark.parametrize(
    "reference",
    [
        "https://github.com/o/wind/blob/main/docs/a%20b.md#sail",
        "http://www.github.com/O/Wind/tree/main/docs",
        "https://github.com/o/wind/tree/HEAD",
        "https://github.com/o/wind/raw/main/docs/x.py",
        "https://raw.githubusercontent.com/o/wind/main/docs/x.py",
        "https://raw.githubusercontent.com/o/wind/refs/heads/main/docs/x.py",
        "https://github.com/o/wind/blob/main/docs/a%20b.md?plain=1#L1",
        "https://github.com/o/wind/blob/main/docs/x.py#L1-L2",
        "https://github.com/o/wind/edit/main/README.md",
    ],
)
def test_links_to_the_own_repository_are_checked_in_the_folder(tmp_path: Path, reference: str) -> None:
    assert own(tmp_path, f"[a]({reference})") == ([], 0)
    assert own(tmp_path, f"[a]({reference})", own_repository=None)[1] == 1


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("https://github.com/o/wind/blob/main/docs/none.md", "missing-file"),
        ("https://raw.githubusercontent.com/o/wind/HEAD/none.png", "missing-file"),
        ("https://github.com/o/wind/blob/main/docs/a%20b.md#none", "missing-fragment"),
    ],
)
def test_what_the_folder_lacks_is_a_finding(tmp_path: Path, reference: str, code: str) -> None:
    assert own(tmp_path, f"[a]({reference})")[0] == [(code, reference)]


@pytest.mark.parametrize(
    "reference",
    [
        "https://github.com/o/wind/blob/v1/docs/none.md",  # another branch
        "https://github.com/o/wind/blob/main2/docs/none.md",
        "https://github.com/o/wind/issues",
        "https://github.com/o/windy/blob/main/none.md",
        "https://github.com/o/wind/commits/main/none.md",  # of a file that may have gone
    ],
)
def test_other_branches_and_pages_of_the_forge_are_skipped_and_counted(tmp_path: Path, reference: str) -> None:
    assert own(tmp_path, f"[a]({reference})") == ([], 1)


def test_the_name_of_a_branch_is_encoded(tmp_path: Path) -> None:
    own(tmp_path, "")
    found = named_repository(tmp_path, None, "")._replace(refs=("fix #1",))
    blob = "https://github.com/o/wind/blob/fix%20%231"
    assert found.uri_of("a b.md") == f"{blob}/a%20b.md"
    assert found.as_remap().pattern.search(f"{blob}/a%20b.md")


def test_in_a_folder_of_the_repository_only_links_below_it_are_checked(tmp_path: Path) -> None:
    own(tmp_path, "")
    blob = "https://github.com/o/wind/blob/main"
    written(tmp_path, {"docs/y.md": f"[a]({blob}/none) [b]({blob}/docs/none) [c]({blob}/docs/x.py) [d]({blob}/docsy)"})
    result = rehref.check(tmp_path / "docs", own_repository="auto")
    assert [one.reference for one in result.findings] == [f"{blob}/docs/none"]
    assert result.summary.skipped == 2
