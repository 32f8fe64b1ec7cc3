"""The repository of a project: where a forge shows the files of a folder (`--own-repository`).

1. An option names it; else the manifest of a package (`pyproject.toml`, `package.json`, `Cargo.toml`) in the folder or
   at the root of the repository; else git's configuration (the remote `origin`), which is read, never run.
2. The forge is GitHub or GitLab, as the first label of its host says: `OWNER/REPO/blob/BRANCH/PATH` for a file, `tree`
   for a folder, `raw` for its bytes; in GitLab all behind `/-/`. GitHub also has the bytes on another host.
3. New links have the branch that the option names (`…/tree/BRANCH`); else the default branch that git knows of; else
   the present one if its name is usual for that; else `HEAD`, which both forges read as the default branch.
4. Links with one of these, or with the present branch, are about the working tree. Others may differ from it.
5. A folder with `.git` is the root of a repository; without one, the folder that is checked is. A `.git` that is a file
   names the folder with the configuration: of a worktree, or of a submodule.
6. A manifest is an ordinary file of at most 1 MiB within the folder (`rehref.files.inside_folder`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.checking.target_map import Remap
from rehref.exceptions import OptionError, with_value
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import read_within

_MANIFESTS: Final = ("pyproject.toml", "package.json", "Cargo.toml")
_AUTO: Final = "auto"
_HEAD: Final = "HEAD"
_USUAL: Final = ("main", "master")
_MOST_LEVELS: Final = 16
_URL = re.compile(
    r"(?:(?:git\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?|[\w.-]+@)"
    r"(?P<host>(?:www\.)?(?:github|gitlab)\.[\w.-]+)(?::[0-9]+(?=/))?[/:](?P<path>[\w./~+-]+)",
    re.IGNORECASE,
).match
_SHORT = re.compile(r"\A(?:(github|gitlab):)?(?=\w[\w.-]*/[\w.-]+\Z)")  # npm's manual, "repository"
_ORIGIN = re.compile(r'\[remote "origin"\][^\[]*?^[ \t]*+url[ \t]*+=[ \t]*+"?([^\s"]+)', re.MULTILINE)
_LABELS: Final = ("source", "repository", "sourcecode", "code", "github", "gitlab", "homepage")
"""The labels of a Python package's URLs that may be its repository (packaging.python.org, "Well-known labels")."""


class Repository(NamedTuple):
    """A repository on a forge. `url`: its page, without a slash at the end. `branch`: that of links (rule 3).

    `refs`: what names the state of the working tree (rule 4). `folder`: the path of the checked folder in it, which
    ends in a slash, unless it is "".
    """

    url: str
    branch: str = ""
    refs: tuple[str, ...] = ()
    folder: str = ""

    @property
    def forge(self) -> str:
        """The forge, as people call it."""
        return "GitLab" if "gitlab" in self.url.split("/")[2] else "GitHub"

    def uri_of(self, path: str, ref: str = "") -> str:
        """Return the URI of a path in the repository, in a branch, by default that of links."""
        place = encode_path(f"{ref or self.branch}/{path}")
        return f"{self.url}{'/-' if self.forge == 'GitLab' else ''}/blob/{place}"

    def as_remap(self) -> Remap:
        """Return the rule by which links to its files are judged in the folder."""
        place = re.escape(self.url.partition("://")[2])
        raw = re.escape(f"raw.githubusercontent.com{self.url.removeprefix('https://github.com')}")
        refs = "|".join(re.escape(encode_path(ref)) for ref in self.refs)
        end = rf"/+{re.escape(encode_path(self.folder[:-1]))}" if self.folder else ""
        pattern = (
            rf"\A(?:(?i:https?://(?:www\.)?{place})/(?:-/)?(?:blob|tree|raw|blame|edit)/"
            rf"|(?i:https?://{raw})/(?:refs/heads/)?)(?:{refs}){end}(?:/+|\Z|(?=\?))"
        )
        return Remap(re.compile(pattern), "./")


def repository_at(text: str) -> Repository | None:
    """Return the repository that a URL names, of any kind that git has; None if it is not on a known forge."""
    found = _URL(text)
    if found is None:
        return None
    host, path = found["host"].lower().removeprefix("www."), found["path"].rstrip("/")
    project, _, rest = path.partition("/-/")
    if "gitlab" not in host:
        names = path.split("/", 2)
        project, rest = "/".join(names[:2]), "".join(names[2:])
    branch = rest.removeprefix("tree/") if rest.startswith("tree/") else ""
    if "/" not in project or project.startswith(("sponsors/", "orgs/")):
        return None
    return Repository(f"https://{host}/{project.removesuffix('.git')}", branch)


def named_repository(folder: Path, named: str | None, asking: str) -> Repository:
    """Return the repository of a folder. `named`: what the option says; `asking`: what else needs it (rule 1).

    Raises `OptionError` if it is not known, `FileError` for a file that should say it, and cannot be read.
    """
    real = Path(os.path.realpath(folder))
    places = [real, *real.parents][:_MOST_LEVELS]
    root = next((place for place in places if (place / ".git").exists()), real)
    below = real.relative_to(root).as_posix()
    origin, default, present = _said_by_git(root)
    if named is not None and named != _AUTO:
        found = repository_at(named)
        if found is None:
            remedy = "write such as https://github.com/OWNER/REPO"
            raise OptionError(with_value("--own-repository", named), "is not a repository of GitHub or GitLab", remedy)
    else:
        texts = (*_said_by_manifests(folder), *_said_by_manifests(root), origin)
        found = next((each for each in map(repository_at, texts) if each is not None), None)
    if found is None:
        what = "no manifest (repository) and no remote of git names a repository of GitHub or GitLab"
        raise OptionError("--own-repository auto" if named else asking, what, "say --own-repository URL")
    branch = found.branch or default or (present if present in _USUAL else _HEAD)
    refs = tuple(dict.fromkeys((branch, *filter(None, (default, present)), _HEAD)))
    return found._replace(branch=branch, refs=refs, folder="" if below == "." else f"{below}/")


def manifest(folder: Path, path: str) -> dict[str, Any]:
    """Return what the manifest at a path below the folder says; empty if there is none (rule 6). Raises `FileError`."""
    import json  # few checks need them
    import tomllib

    data = read_within(folder, folder / path)
    try:
        text = (data or b"").decode("utf-8-sig")
        said = {} if data is None else json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        language = "JSON" if path.endswith(".json") else "TOML"
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FileError(str(folder / path), f"is not {language}: {why}", "correct it") from error
    return said if isinstance(said, dict) else {}


def value_at(said: Any, *keys: str) -> Any:
    """Return the value at a path of keys; None if there is none."""
    for key in keys:
        said = said.get(key) if isinstance(said, dict) else None
    return said


def text_at(said: Any, *keys: str) -> str:
    """Return the text at a path of keys; "" if there is none."""
    value = value_at(said, *keys)
    return value if isinstance(value, str) else ""


def _said_by_manifests(folder: Path) -> Iterator[str]:
    """Yield the texts that may name the repository, the likeliest first. Raises `FileError`."""
    python, node, cargo = (manifest(folder, name) for name in _MANIFESTS)
    for urls in (value_at(python, "project", "urls"), value_at(python, "tool", "poetry")):
        by_label = {re.sub(r"[\W_]", "", label).lower(): label for label in urls} if isinstance(urls, dict) else {}
        yield from (text_at(urls, by_label[label]) for label in _LABELS if label in by_label)
    short = text_at(node, "repository") or text_at(node, "repository", "url")
    yield _SHORT.sub(lambda found: f"https://{found[1] or 'github'}.com/", short)
    yield text_at(cargo, "package", "repository") or text_at(cargo, "workspace", "package", "repository")


def _said_by_git(root: Path) -> tuple[str, str, str]:
    """Return the URL of `origin`, its default branch, and the present branch; each "" if it is not known (rule 5)."""
    git = root / ".git"
    if git.is_file():
        git = root / _text(root, git).removeprefix("gitdir:").strip()
    common = git / (_text(git, git / "commondir").strip() or ".")
    origin = _ORIGIN.search(_text(common, common / "config"))
    default = _text(common, common / "refs" / "remotes" / "origin" / _HEAD).partition("refs/remotes/origin/")[2]
    present = _text(git, git / _HEAD).partition("refs/heads/")[2]
    return "" if origin is None else origin[1], default.strip(), present.strip()


def _text(folder: Path, file: Path) -> str:
    return (read_within(folder, file) or b"").decode("utf-8", "replace")
