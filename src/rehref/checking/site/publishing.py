"""The places at which a document is published (`--published-at`), and what references are relative to at each.

1. One document, several retrieval URIs (RFC 3986 §5.1.3). What each place does with a reference that is not whole:

   | place | documents | base of `docs/a.md` | base of `/docs/a.md` | source |
   |---|---|---|---|---|
   | GitHub | all | the file, `blob/BRANCH/PATH` | the root of the repository | its manual, "About READMEs" |
   | GitLab | all | the file, `-/blob/BRANCH/PATH` | the root of the repository | its `repository_link_filter.rb` |
   | PyPI | the readme | its page there | pypi.org | `readme_renderer` 46 leaves references as they are |
   | npm | `README.md` | `directory` of `repository`, in `blob/HEAD` | the same | npm's manual, `marky-markdown` |
   | crates.io | the readme | its folder, in `blob/HEAD` | the same | `SanitizeUrl` in its `crates_io_markdown` |
   | a URL | `README.md` | the URL | its host | RFC 3986 §5.2 |

   npm and crates.io need `repository` in the manifest. Without it, they have nothing there, as PyPI has not; and they
   never look up a `srcset`. PyPI drops one.
2. The readme is the one that a manifest names, in the folder or in one above a named file; without a manifest in the
   folder, its `README.md`. One that a program may compose (`dynamic`) is not known. Only Markdown counts.
3. Cargo copies a readme from above a package into it, and so does what is relative to it.
4. A forge has the folder as it is: what is right there is decided as for any other document.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.base import clean
from rehref.checking.options import CheckOptions
from rehref.checking.site.files import Files
from rehref.checking.site.repository import Repository, manifest, named_repository, value_at
from rehref.documents.link import Link
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.exceptions import OptionError
from rehref.uri.resolver import Resolver

_FOLLOWED: Final = frozenset({("a", "href"), ("img", "src")})
_SOURCE: Final = ("source", "srcset")


class PublishingPlace(NamedTuple):
    """A place that shows documents. `label`: for people.

    `manifest`: the file that says which document is there, "" if all are; `page`: the URI of a page of the place.
    `shown`: the elements and attributes whose references are followed there.
    """

    label: str
    manifest: str = ""
    page: str = ""
    shown: frozenset[tuple[str, str]] = _FOLLOWED | {_SOURCE}


PLACES: Final[Mapping[str, PublishingPlace]] = {
    "github": PublishingPlace("GitHub"),
    "gitlab": PublishingPlace("GitLab"),
    "pypi": PublishingPlace("PyPI", "pyproject.toml", "https://pypi.org/project/-/", _FOLLOWED),
    "npm": PublishingPlace("npm", "package.json", "https://www.npmjs.com/package/-"),
    "crates": PublishingPlace("crates.io", "Cargo.toml", "https://crates.io/crates/-"),
}
"""The places that an option can name."""
_LINES = re.compile(r"L[0-9]+(?:C[0-9]+)?(?:-L?[0-9]+(?:C[0-9]+)?)?")
"""Fragments of forges that name lines of a file."""
_README: Final = "README.md"
_NAMED: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "pypi": (
        ("project", "readme"),
        ("project", "readme", "file"),
        ("tool", "poetry", "readme"),
        ("tool", "setuptools", "dynamic", "readme", "file"),
    ),
    "crates": (("package", "readme"),),
}
"""Where the manifests of places name the readme."""
_REPOSITORY: Final = {"npm": ("repository",), "crates": ("package", "repository")}
"""Where they name the repository, at places that look up references there."""


class Publication(NamedTuple):
    """A document at a place. `root`: the URI on the forge below which the place looks up references; "": it does not."""

    place: PublishingPlace
    root: str

    def target(self, link: Link) -> str | None:
        """Return the target of a relative reference at the place (rule 1); None if the place does not follow it."""
        if (link.element, link.attribute) not in self.place.shown:
            return None
        reference, is_looked_up = clean(link.reference), self.root and link.attribute != "srcset"
        return Resolver(self.root)(reference.lstrip("/")) if is_looked_up else Resolver(self.place.page)(reference)


class Published(NamedTuple):
    """A document that is at several places: its repository, and where else it is."""

    repository: Repository
    elsewhere: Sequence[Publication]


def with_repository(
    folder: Path, options: CheckOptions, files: Files
) -> tuple[CheckOptions, Mapping[str, Published]]:
    """Return the options, by which links to the own repository are checked in the folder, and where documents are.

    That is for documents that are at several places, by their paths. Raises `FileError`, `OptionError`.
    """
    places, named = options.published_at, options.own_repository
    if not places and named is None:
        return options, {}
    repository = named_repository(folder, named, f"--published-at {','.join(places)}")
    elsewhere: dict[str, list[Publication]] = defaultdict(list)
    for name in places:
        place = PLACES.get(name, PublishingPlace(name, page=name))
        found = dict(_documents(folder, options, files, name, place, repository)) if place.page else {}
        for path, publication in found.items():
            elsewhere[path].append(publication)
        if not place.page and place.label != repository.forge:
            remedy = "name the one there with --own-repository"
            raise OptionError(f"--published-at {name}", f"the repository is {repository.url}", remedy)
        if place.page and not found:
            what = f"no Markdown file of {folder} is known to be shown there as it is"
            raise OptionError(f"--published-at {name}", what, f"name the readme in its manifest, or leave {name} out")
    rules, fragments = (*options.remap, repository.as_remap()), (*options.script_ids, _LINES)
    published = {path: Published(repository, each) for path, each in elsewhere.items()}
    return options._replace(remap=rules, script_ids=fragments), published


def _documents(
    folder: Path, options: CheckOptions, files: Files, name: str, place: PublishingPlace, repository: Repository
) -> Iterator[tuple[str, Publication]]:
    """Yield the paths of the documents at a place that is not a forge (rule 2). Raises `FileError`."""
    above = (each for file in options.files or () for each in accumulate(file.split("/"), "{}/{}".format))
    for package in ("", *dict.fromkeys(f"{each}/" for each in above)):
        path = package + place.manifest
        said = manifest(folder, path) if path in files.paths else {}
        readme = _readme(name, said) if said or not package else ""
        wanted = posixpath.normpath(package + readme).lower() if readme else ""
        for document in (each for each in files.paths if each.lower() == wanted):
            if files.types.of(document) == MARKDOWN_TYPE:
                yield document, Publication(place, _root(name, said, repository, package, readme))


def _readme(name: str, said: Mapping[str, Any]) -> str:
    """Return the path of the readme that a manifest names, from its folder; "" if there is none, or it is not known."""
    named = [each for keys in _NAMED.get(name, ()) if (each := value_at(said, *keys)) is not None]
    texts = (each[0] if isinstance(each, list) and len(each) == 1 else each for each in named)
    is_without = named or "project" in said or said.get("private") is True or ("workspace" in said and "package" not in said)
    return next((text for text in texts if isinstance(text, str)), "" if is_without else _README)


def _root(name: str, said: Mapping[str, Any], repository: Repository, package: str, readme: str) -> str:
    """Return the URI on the forge below which an index looks up references; "": it does not (rule 1)."""
    own = value_at(said, *_REPOSITORY.get(name, ("",)))
    if own is None:
        return ""
    below = repository.folder + package + ("" if readme.startswith("../") else posixpath.dirname(readme))  # rule 3
    below = posixpath.normpath("/" + (str(value_at(own, "directory") or "") if name == "npm" else below)).strip("/")
    return repository.uri_of(f"{below}/" if below else "", ref="HEAD")
