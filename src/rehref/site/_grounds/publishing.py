"""The places at which a document is published (`--published-at`), and what references are relative to at each.

One document, several retrieval URIs (RFC 3986 §5.1.3). npm and crates.io need `repository` in the manifest. Without it,
they have nothing there, as PyPI has not; and they never look up a `srcset`. PyPI drops one.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.documents.base import clean
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.exceptions import OptionError
from rehref.site._grounds.files import Files
from rehref.site._grounds.forge_pages import LINES
from rehref.site._grounds.repository import Repository, manifest, named_repository, value_at
from rehref.site._grounds.source_signs import path_in_repository
from rehref.site.check_options import CheckOptions
from rehref.uri.resolver import Resolver

_LOOKED_UP: Final = frozenset({("a", "href"), ("img", "src")})
_SHOWN: Final = _LOOKED_UP | {("source", "srcset")}


class PublishingPlace(NamedTuple):
    """What a place does with a reference that is not whole.

    | place | documents | base of `docs/a.md` | base of `/docs/a.md` | source | |---|---|---|---|---| | GitHub | all |
    the file, `blob/BRANCH/PATH` | the root of the repository | its manual, "About READMEs" | | GitLab | all | the file,
    `-/blob/BRANCH/PATH` | the root of the repository | its `repository_link_filter.rb` | | PyPI | the readme | its page
    there | pypi.org | `readme_renderer` 46 leaves references as they are | | npm | `README.md` | `directory` of
    `repository`, in `blob/HEAD` | the same | npm's manual, `marky-markdown` | | crates.io | the readme | its folder, in
    `blob/HEAD` | the same | `SanitizeUrl` in its `crates_io_markdown` | | a URL | `README.md` | the URL | its host |
    RFC 3986 §5.2 |
    """

    label: str
    page: str = ""
    manifest: str = ""
    readmes: tuple[str, ...] = ()
    repository: str = ""
    shown: frozenset[tuple[str, str]] = _SHOWN

    def target(self, link: Link, root: str) -> str | None:
        """Return the target of a relative reference of a document (`Publication`); None if it is not followed there."""
        names, reference = (link.element, link.attribute), clean(link.reference)
        if root and names in _LOOKED_UP:
            return Resolver(root)(reference.lstrip("/"))
        return Resolver(self.page)(reference) if names in self.shown else None


_OF_PYTHON = ("project.readme", "project.readme.file", "tool.poetry.readme", "tool.setuptools.dynamic.readme.file")
PLACES: Final[Mapping[str, PublishingPlace]] = {
    "github": PublishingPlace("GitHub"),
    "gitlab": PublishingPlace("GitLab"),
    "pypi": PublishingPlace("PyPI", "https://pypi.org/project/-/", "pyproject.toml", _OF_PYTHON, "", _LOOKED_UP),
    "npm": PublishingPlace("npm", "https://www.npmjs.com/package/-", "package.json", (), "repository"),
    "crates": PublishingPlace(
        "crates.io", "https://crates.io/crates/-", "Cargo.toml", ("package.readme",), "package.repository"
    ),
}
"""The places that an option can name."""


class Publication(NamedTuple):
    """A document that is at several places: its repository, and where else it is.

    Each place has the URI on the forge below which it looks up references, "" if it does not.
    """

    repository: Repository
    elsewhere: Sequence[tuple[PublishingPlace, str]]


def with_repository(
    folder: Path, options: CheckOptions, files: Files
) -> tuple[CheckOptions, Mapping[str, Publication]]:
    """Return the options, by which links to the own repository are checked in the folder, and where documents are.

    That is for documents that are at several places, by their paths. Raises `FileError`, `OptionError`.
    """
    places, named = options.published_at, options.own_repository
    if not places and named is None:
        return options, {}
    repository = named_repository(folder, named, f"--published-at {','.join(places)}", options.files or ())
    elsewhere: dict[str, list[tuple[PublishingPlace, str]]] = defaultdict(list)
    for name in places:
        place = PLACES.get(name, PublishingPlace(name, name))
        found = _documents(folder, options, files, place, repository) if place.page else {}
        if not found and place.label != repository.forge:
            what = f"no Markdown file of {folder} is known to be shown there as it is"
            remedy = f"name the readme in its manifest, or leave {name} out"
            if not place.page:
                what, remedy = f"the repository is {repository.url}", "name the one there with --own-repository"
            raise OptionError(f"--published-at {name}", what, remedy)
        for path, root in found.items():
            elsewhere[path].append((place, root))
    rules, fragments = (*options.remap, repository.as_remap()), (*options.script_ids, LINES)
    published = {path: Publication(repository, each) for path, each in elsewhere.items()}
    return options._replace(remap=rules, script_ids=fragments), published


def _documents(
    folder: Path, options: CheckOptions, files: Files, place: PublishingPlace, repository: Repository
) -> dict[str, str]:
    """Return the documents at a place that is not a forge, each with its root. Raises `FileError`.

    The readme is the one that a manifest names, in the folder, else in the nearest above it in the repository, or in a
    folder above a named file; without a manifest in the folder or above, its `README.md`. One that a program may
    compose (`dynamic`) is not known. Only Markdown counts.
    """
    found = {}
    there = {path.lower(): path for path in sorted(files.paths) if files.types.of(path) == MediaType.MARKDOWN}
    above = (each for file in options.files or () for each in accumulate(file.split("/"), "{}/{}".format))
    nearest, said_above = ("", {}) if place.manifest in files.paths else _above(folder, place.manifest)
    for package in (nearest, *dict.fromkeys(f"{each}/" for each in above)):
        path = package + place.manifest
        said = manifest(folder, path) if path in files.paths else said_above if package == nearest else {}
        readme = _readme(place, said) if said or package == nearest else ""
        at = posixpath.relpath(f"/{repository.folder}{package}{readme}", f"/{repository.folder}")
        document = there.get(at.lower()) if readme else None
        if document is not None:
            found[document] = _root(place, said, repository, package, readme)
    return found


def _above(folder: Path, name: str) -> tuple[str, Mapping[str, Any]]:
    """Return the way to the nearest folder above that has a manifest, and what that says. Raises `FileError`."""
    root, below = path_in_repository(folder)
    for levels in range(1, below.count("/") + 1):
        place = posixpath.normpath(f"{below}{'../' * levels}")
        if (root / place / name).is_file():
            return "../" * levels, manifest(root, f"{place}/{name}")
    return "", {}


def _readme(place: PublishingPlace, said: Mapping[str, Any]) -> str:
    """Return the path of the readme that a manifest names, from its folder; "" if there is none, or it is not known."""
    named = [each for path in place.readmes if (each := value_at(said, path)) is not None]
    texts = (each[0] if isinstance(each, list) and len(each) == 1 else each for each in named)
    is_workspace = "workspace" in said and "package" not in said
    is_without = named or is_workspace or "project" in said or said.get("private") is True
    return next((text for text in texts if isinstance(text, str)), "" if is_without else "README.md")


def _root(place: PublishingPlace, said: Mapping[str, Any], repository: Repository, package: str, readme: str) -> str:
    """Return the URI on the forge below which a place looks up references; "": it does not."""
    own = value_at(said, place.repository)
    if own is None:
        return ""
    # Cargo copies a readme from above a package into it, and so does what is relative to it
    below = repository.folder + package + ("" if readme.startswith("../") else posixpath.dirname(readme))
    below = str(value_at(own, "directory") or "") if place.label == "npm" else below
    below = posixpath.normpath(f"/{below}").strip("/")
    return repository.uri_of(f"{below}/" if below else "", ref="HEAD")
