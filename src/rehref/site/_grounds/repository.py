"""The repository of a project: where a forge shows the files of a folder (`--own-repository`), and which forge that is.

The forge is GitHub or GitLab, as the first label of its host says: `OWNER/REPO/blob/BRANCH/PATH` for a file, `tree` for
a folder, `raw` for its bytes; in GitLab all behind `/-/`. GitHub also has the bytes on another host. Git's
configuration is read, never run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from rehref.exceptions import OptionError, with_value
from rehref.files.file_documents import encode_path, read_within
from rehref.files.file_errors import FileError
from rehref.site._grounds.source_signs import MANIFESTS, path_in_repository
from rehref.site._target_map import Remap

_HEAD: Final = "HEAD"
_URL = re.compile(
    r"(?:(?:git\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?|[\w.-]+@)"
    r"(?P<host>(?:www\.)?(?:github|gitlab)\.[\w.-]+)(?::[0-9]+(?=/))?[/:](?P<path>[\w./~+-]+)",
    re.IGNORECASE,
).match
_SHORT = re.compile(r"\A(?:(github|gitlab):)?(?=\w[\w.-]*/[\w.-]+\Z)")  # npm's manual, "repository"
_ON_A_SERVER = re.compile(r"(?!file:)[\w+]+://|[\w.-]+@[\w.-]+:", re.IGNORECASE).match
_REMOTE = re.compile(r'\[remote "([^"\n]*)"\][^\[]*?^[ \t]*+url[ \t]*+=[ \t]*+"?([^\s"]+)', re.MULTILINE)


class Repository(NamedTuple):
    """A repository on a forge. `url`: its page, without a slash at the end.

    `refs`: what names the state of the working tree, first what new links have: the branch that the option names
    (`…/tree/BRANCH`); else the default branch that git knows of; else `HEAD`, which both forges read as the default
    branch. Where git does not know that, as in most checkouts of CI, the usual names of one count. Links with other
    names may differ from the working tree. `folder`: the path of the checked folder in it, which ends in a slash,
    unless it is "".
    """

    url: str
    refs: tuple[str, ...] = ()
    folder: str = ""

    @property
    def forge(self) -> str:
        """The forge, as people call it."""
        return "GitLab" if "gitlab" in self.url.split("/")[2] else "GitHub"

    def uri_of(self, path: str, view: str = "blob", ref: str = "") -> str:
        """Return the URI of a path in the repository, in a branch, by default that of new links."""
        place = encode_path(f"{ref or self.refs[0]}/{path}")
        return f"{self.url}{'/-' if self.forge == 'GitLab' else ''}/{view}/{place}"

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
    if "/" not in project or project.startswith(("sponsors/", "orgs/")):
        return None
    refs = (rest.removeprefix("tree/"),) if rest.startswith("tree/") else ()
    return Repository(f"https://{host}/{project.removesuffix('.git')}", refs)


def named_repository(folder: Path, named: str | None, asking: str, files: Iterable[str] = ()) -> Repository:
    """Return the repository of a folder. `named`: what the option says; `asking`: what else needs it.

    Without an option, it is named by the manifest of a package (`pyproject.toml`, `package.json`, `Cargo.toml`) that is
    nearest above a named file, or in the folder or above it, up to the root of the repository; else by git's
    configuration (the remote `origin`, else others). `files`: the paths of named files. Raises `OptionError` if it is
    not known, `FileError` for a file that should say it, and cannot be read.
    """
    root, below = path_in_repository(folder)
    git, common = _git_folders(root)
    default = _text(common, common / "refs" / "remotes" / "origin" / _HEAD).partition("refs/remotes/origin/")[2].strip()
    present = _text(git, git / _HEAD).strip().removeprefix("ref: refs/heads/")
    above = [folder / each for file in files for each in PurePosixPath(file).parents]
    above += [folder, *(each for each in Path(os.path.realpath(folder)).parents if each.is_relative_to(root))]
    manifests = (_said_by(each, name) for each in dict.fromkeys(above) for name in MANIFESTS)
    texts: Iterable[str] = chain(*manifests, _remotes(common))
    what = "no manifest (repository) and no remote of git names a repository of GitHub or GitLab"
    if named is not None and named != "auto":
        texts, what = [named], "is not a repository of GitHub or GitLab"
    found = next((each for each in map(repository_at, texts) if each is not None), None)
    if found is None:
        option = asking if named is None else with_value("--own-repository", named)
        raise OptionError(option, what, "name it: --own-repository https://github.com/OWNER/REPO")
    said = () if named in (None, "auto") else found.refs  # in a manifest, a folder follows
    usual = ("main", "master") if present and not default else ()
    refs = dict.fromkeys(filter(None, (*said, default, _HEAD, present, *usual)))
    return found._replace(refs=tuple(refs), folder=below)


def named_forge(folder: Path) -> tuple[str, Path] | None:
    """Return the dialect of the forge of a folder, and the file that names it. Raises nothing.

    It is for the ids of headings: the forge that git's configuration names, else the manifest that is nearest above the
    folder. A remote on another server decides, too: its ids are not known. A remote on a disk says nothing.
    """
    for file, text in _naming(folder):
        found = repository_at(text)
        if found is not None:
            return found.forge.lower(), file
        if file.name not in MANIFESTS and _ON_A_SERVER(text):
            break
    return None


def _naming(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the texts that may name a forge, each with its file. Raises nothing."""
    real = Path(os.path.realpath(folder))
    root = path_in_repository(real)[0]
    with suppress(FileError, OSError, ValueError):
        common = Path(os.path.normpath(_git_folders(root)[1]))
        yield from ((common / "config", url) for url in _remotes(common))
    for place in (real, *real.parents):
        for name in MANIFESTS if place.is_relative_to(root) else ():
            with suppress(FileError, OSError, ValueError):
                yield from ((place / name, text) for text in _said_by(place, name))


def manifest(folder: Path, path: str) -> dict[str, Any]:
    """Return what the manifest at a path below the folder says; empty if there is none. Raises `FileError`.

    A manifest is an ordinary file of at most 1 MiB within the folder (`rehref.files.file_documents`).
    """
    import json  # few checks need them
    import tomllib

    data = read_within(folder, folder / path)
    language, parse = ("JSON", json.loads) if path.endswith(".json") else ("TOML", tomllib.loads)
    try:
        said = {} if data is None else parse(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FileError(str(folder / path), f"is not {language}: {why}", "correct it") from error
    return said if isinstance(said, dict) else {}


def value_at(said: Any, path: str) -> Any:
    """Return the value at a path of keys with dots between them; None if there is none."""
    for key in path.split("."):
        said = said.get(key) if isinstance(said, dict) else None
    return said


def _said_by(folder: Path, name: str) -> Iterator[str]:
    """Yield the texts in a manifest that may name the repository, the likeliest first. Raises `FileError`."""
    said = manifest(folder, name)
    if name == "package.json":
        short = str(value_at(said, "repository.url") or value_at(said, "repository"))
        yield _SHORT.sub(lambda found: f"https://{found[1] or 'github'}.com/", short)
    elif name == "Cargo.toml":
        yield from (str(value_at(said, path)) for path in ("package.repository", "workspace.package.repository"))
    else:
        for path in ("project.urls", "tool.poetry", "tool.poetry.urls"):
            urls = value_at(said, path)
            yield from map(str, urls.values() if isinstance(urls, dict) else ())


def _git_folders(root: Path) -> tuple[Path, Path]:
    """Return git's folder, and the one with its configuration. Raises `FileError`.

    A `.git` that is a file names the folder with the configuration: of a worktree, or of a submodule.
    """
    git = root / ".git"
    if git.is_file():
        git = root / _text(root, git).removeprefix("gitdir:").strip()
    return git, git / (_text(git, git / "commondir").strip() or ".")


def _remotes(common: Path) -> Sequence[str]:
    """Return the URLs of the remotes, `origin` first. Raises `FileError`."""
    remotes = dict(_REMOTE.findall(_text(common, common / "config")))
    return [remotes[name] for name in sorted(remotes, key=lambda name: name != "origin")]


def _text(folder: Path, file: Path) -> str:
    return (read_within(folder, file) or b"").decode("utf-8", "replace")
