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

   npm and crates.io need `repository` in the manifest. Without it, they have nothing there, as PyPI has not.
2. The readme is the one that a manifest names, in the folder or in one above a named file; without a manifest in the
   folder, its `README.md`. One that a program may compose (`dynamic`) is not known. Only Markdown counts.
3. Cargo copies a readme from above a package into it, and so does what is relative to it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.checking.options import CheckOptions
from rehref.checking.site.files import Files
from rehref.checking.site.repository import Repository, manifest, named_repository, text_at, value_at
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.exceptions import OptionError
from rehref.uri.resolver import Resolver


class PublishingPlace(NamedTuple):
    """A place that shows documents. `label`: for people.

    `manifest`: the file that says which document is there, "" if all are; `page`: the URI of a page of the place.
    """

    label: str
    manifest: str = ""
    page: str = ""


PLACES: Final[Mapping[str, PublishingPlace]] = {
    "github": PublishingPlace("GitHub"),
    "gitlab": PublishingPlace("GitLab"),
    "pypi": PublishingPlace("PyPI", "pyproject.toml", "https://pypi.org/project/-/"),
    "npm": PublishingPlace("npm", "package.json", "https://www.npmjs.com/package/-"),
    "crates": PublishingPlace("crates.io", "Cargo.toml", "https://crates.io/crates/-"),
}
"""The places that an option can name."""
_LINES = re.compile(r"L[0-9]+(?:C[0-9]+)?(?:-L?[0-9]+(?:C[0-9]+)?)?")
"""Fragments of forges that name lines of a file."""
_README: Final = "README.md"


class Publication(NamedTuple):
    """A document at a place. `base`: what references are relative to; `root`: those that begin with a slash, "" if the
    host is.
    """

    label: str
    base: str
    root: str

    def target(self, reference: str) -> str:
        """Return the target of a relative reference at the place."""
        if self.root and reference.startswith("/"):
            return Resolver(self.root)(f".{reference}")
        return Resolver(self.base)(reference)


def with_repository(
    folder: Path, options: CheckOptions, files: Files
) -> tuple[CheckOptions, Mapping[str, Sequence[Publication]]]:
    """Return the options, by which links to the own repository are checked in the folder, and where documents are.

    That is for documents that are at several places, by their paths; the first place is the forge. Raises `FileError`,
    `OptionError`.
    """
    places, named = options.published_at, options.own_repository
    if not places and named is None:
        return options, {}
    repository = named_repository(folder, named, f"--published-at {','.join(places)}")
    published: dict[str, list[Publication]] = {}
    for name in places:
        place = PLACES.get(name, PublishingPlace(name, page=name))
        if place.page:
            found = _documents(folder, options, files, name, place, repository)
            for path, publication in found.items():
                own = Publication(repository.forge, repository.uri_of(repository.folder + path), repository.uri_of(""))
                published.setdefault(path, [own]).append(publication)
        elif place.label != repository.forge:
            remedy = "name the one there with --own-repository URL"
            raise OptionError(f"--published-at {name}", f"the repository is {repository.url}", remedy)
    rules, fragments = (*options.remap, repository.as_remap()), (*options.script_ids, _LINES)
    return options._replace(remap=rules, script_ids=fragments), published


def _documents(
    folder: Path, options: CheckOptions, files: Files, name: str, place: PublishingPlace, repository: Repository
) -> dict[str, Publication]:
    """Return the documents at a place that is not a forge, by their paths (rule 2).

    Raises `FileError`, `OptionError`.
    """
    found = {}
    above = (each for file in options.files or () for each in accumulate(file.split("/"), "{}/{}".format))
    for package in ("", *dict.fromkeys(f"{each}/" for each in above)):
        path = package + place.manifest
        said = manifest(folder, path) if path in files.paths else {}
        readme = _readme(name, said) if said or not package else ""
        wanted = posixpath.normpath(package + readme).lower() if readme else ""
        for document in (each for each in files.paths if each.lower() == wanted):
            if files.types.of(document) == MARKDOWN_TYPE:
                root = _root(name, said, repository, package, readme)
                found[document] = Publication(place.label, root or place.page, root)
    if not found:
        what = f"no Markdown file of {folder} is known to be shown there as it is"
        raise OptionError(f"--published-at {name}", what, f"name the readme in its manifest, or leave {name} out")
    return found


def _readme(name: str, said: Mapping[str, Any]) -> str:
    """Return the path of the readme that a manifest names, from its folder; "" if there is none, or it is not known."""
    if name == "npm":
        return "" if said.get("private") is True else _README
    if name == "crates":
        is_without = value_at(said, "package", "readme") is False or (bool(said) and "package" not in said)
        return "" if is_without else text_at(said, "package", "readme") or _README
    own = text_at(said, "project", "readme") or text_at(said, "project", "readme", "file")
    own = own or text_at(said, "tool", "poetry", "readme")
    files = value_at(said, "tool", "setuptools", "dynamic", "readme", "file")
    names = files if isinstance(files, list) else [files]
    if not own and len(names) == 1 and isinstance(names[0], str):
        own = names[0]
    return own or ("" if "project" in said else _README)


def _root(name: str, said: Mapping[str, Any], repository: Repository, package: str, readme: str) -> str:
    """Return the URI on the forge below which an index looks up references; "": it does not (rule 1)."""
    own = value_at(said, "package", "repository") if name == "crates" else value_at(said, "repository")
    if name not in ("npm", "crates") or own is None:
        return ""
    folder = repository.folder + package + ("" if readme.startswith("../") else posixpath.dirname(readme))  # rule 3
    folder = posixpath.normpath("/" + (text_at(own, "directory") if name == "npm" else folder)).strip("/")
    return repository.uri_of(f"{folder}/" if folder else "", "HEAD")
