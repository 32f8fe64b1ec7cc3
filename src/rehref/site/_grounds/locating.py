"""From a target URI to the file of the site that it leads to.

The query is for servers and scripts, and does not change the file. The table of what the host serves is computed once.
An ordinary target needs one lookup in that table, any other takes time linear in its length; the disk is never read,
and no target is remembered.
"""

from __future__ import annotations

import posixpath
import re
from functools import cached_property
from itertools import accumulate

from rehref.site._grounds.files import NOT_PUBLISHED, Files
from rehref.site._grounds.serving import Located, of_link, served
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, Redirection, Redirects, is_absolute
from rehref.site._paths import LONGEST_PATH, decode_path, encode, folded, origin, shown
from rehref.site._target_map import TargetMap
from rehref.uri.components import Components, split

OUTSIDE = Located(None, "", "", outside=True)
"""The result for every target that is not on the site."""

_MOST_REDIRECTIONS = 20  # as in browsers
_MAY_BE_INDEX = re.compile(r"(?:index|default)\.(?:x?html?|xht|shtml?|php\d?|aspx?|jsp|cgi)", re.IGNORECASE).fullmatch
_NOT_PLAIN = frozenset("%?#")
_MADE_RELATIVE = re.compile(r"(?:.*/)?((?:file|https?|ftp):/.+)", re.IGNORECASE | re.DOTALL).fullmatch


class Locator:
    """Finds the files of a site."""

    def __init__(
        self,
        files: Files,
        site_uri: str,
        host: Host,
        *,
        root_dir: str | None = None,
        redirects: Redirects | None = None,
        target_map: TargetMap | None = None,
    ) -> None:
        """`site_uri`: the URI of the folder. `root_dir`: a folder below it ("" or "." for itself), see `root_folder`.

        Raises `ValueError` if `site_uri` has no scheme.
        """
        parts = split(site_uri)
        if parts.scheme is None:
            raise ValueError(f"not an absolute URI: {site_uri}")
        self._files = files
        self._host = host
        self._map = target_map or None
        self._redirects = Redirects(FoundRules()) if redirects is None else redirects
        self._directories = self._redirects.directories
        self._site = site_uri if site_uri.endswith("/") else site_uri + "/"
        self._beginning = len(self._site)
        self._scheme = parts.scheme
        self._authority = parts.authority
        self._origin = origin(parts)
        self._hostname = split(f"//{self._origin[1]}").host
        self._path = decode_path(parts.path if parts.path.endswith("/") else parts.path + "/")
        self._is_local = parts.scheme.lower() == "file"
        self.root_dir = None if root_dir is None else root_folder(root_dir, self._path if self._is_local else None)
        """The folder for paths that lead out of the site, named as in `Files`."""
        self._unlisted = frozenset(map(folded, (*files.unlisted, *(error.file for error in files.errors))))
        self._table = served(files, host, self._directories)
        # # paths that need neither decoding nor redirections
        self._plain = {path: located for path, located in self._table.items() if self._is_plain(path)}
        if len(self._plain) == len(self._table):
            self._plain = self._table

    def with_files(self, files: Files, redirects: Redirects | None = None) -> Locator:
        """Return the same for other files in the folder, and for other rules of the host, if given."""
        changed = Locator(files, self._site, self._host, redirects=redirects or self._redirects, target_map=self._map)
        changed.root_dir = self.root_dir
        return changed

    def locate(self, target: str) -> Located:
        """Find the file that a target leads to: a URI without its fragment. Never fails."""
        target = target if self._map is None else self._map(target)
        if target.startswith(self._site):
            found = self._plain.get(target[self._beginning :])
            if found is not None:
                return found
        return self._follow(target)

    def mapped(self, target: str) -> str:
        """Return the URI that is looked up for a target without its fragment (`_target_map.py`)."""
        return target if self._map is None else self._map(target)

    def uri_of(self, to: str) -> str:
        """Return the URI for `to`, a path from the root or a whole URI in the files of the host."""
        return self._target_of(Redirection(to, 301, ""))

    def locate_at_once(self, target: str) -> Located:
        """Return what a target leads to without redirections."""
        place = self._place(target)
        if isinstance(place, Located):
            return place
        found = self._file(place[0])
        return self._failure(place[0]) if found is None else found

    def page_at(self, to: str) -> str | None:
        """Return the file to which `to`, as in `uri_of`, leads without redirections; None if there is none."""
        found = self.locate_at_once(self.uri_of(to).partition("#")[0])
        return found.path if found.code == "" else None

    def step_from(self, target: str) -> Redirection | None:
        """Return the first redirection for a target, if any."""
        place = self._place(target)
        return None if isinstance(place, Located) else self._step(*place, self._file(place[0]))

    def rules_for(self, target: str) -> int:
        """Return how many rules `step_from` tries for a target at most."""
        place = self._place(target)
        return 0 if isinstance(place, Located) else self._redirects.rules_for(self._redirects.root + place[0])

    def has_file(self, path: str) -> bool:
        """Whether there is a file for a decoded path from the root, as in the files of the host."""
        return path.startswith(self._redirects.root) and self._file(path[len(self._redirects.root) :]) is not None

    def _is_plain(self, path: str) -> bool:
        return _NOT_PLAIN.isdisjoint(path) and not self._redirects.overrides(self._redirects.root + path)

    def _follow(self, target: str) -> Located:
        """Find the file of any target, through redirections.

        More than `_MOST_REDIRECTIONS`, or a repeated one, is a `redirect-loop`. The result has the last fragment that a
        redirection has.
        """
        seen = {target}
        step: Redirection | None = None
        fragment: str | None = None
        while True:
            place = self._place(target)
            if isinstance(place, Located):
                return _with_redirection(step, place)
            path, query = place
            found = self._file(path)
            next_step = None if step is not None and step.status < 300 else self._step(path, query, found)
            if next_step is None:
                found = _with_redirection(step, self._failure(path) if found is None else found)
                return found if fragment is None or found.code != "" else found._replace(fragment=fragment)
            step = next_step
            if step.to == "" or step.status >= 400:
                return Located(None, "missing-file", f"{step.where} answers it with the status {step.status}")
            if not is_absolute(step.to):
                message = (
                    f"{step.where} leads to {shown(step.to)}, which is neither a path from the root nor a whole URI"
                )
                return Located(None, "missing-file", message)
            target, has_fragment, ending = self._target_of(step).partition("#")
            target = self.mapped(target)
            if has_fragment and step.status >= 300:
                fragment = ending
            if target in seen or len(seen) > _MOST_REDIRECTIONS:
                return Located(None, "redirect-loop", f"the redirections go round in circles, through {step.where}")
            seen.add(target)

    def _step(self, path: str, query: str | None, found: Located | None) -> Redirection | None:
        """Return where a path below the folder leads on to; `found` is the file for it.

        Those redirections come first that take precedence over files. After a rewrite, only files are looked up.
        """
        step = self._redirects.find(self._redirects.root + path, query, exists=found is not None)
        if step is None and found is None and len(path) <= LONGEST_PATH:
            fallback = self._directories.fallback(self._through_links(path), self._files.paths, self._files.folders)
            step = None if fallback is None else Redirection(fallback.to, 200, fallback.where)
        return step

    def _place(self, target: str) -> Located | tuple[str, str | None]:
        """Return the decoded path of a target below the folder, and its query; or that it is outside.

        All targets that are not on the site are outside, and are not judged. One on the site's host, but not below its
        path, is `escapes-site`, and outside; outside alone if the folder is a part of what the host shows. With a
        `root_dir`, such a path is looked up below that folder instead. Without one, a path from the root of the disk
        that does not even share the first folder with the site's path is probably a mistake: the message then says what
        to do.
        """
        parts = split(target)
        if not self._is_here(parts):
            return OUTSIDE
        path = decode_path(parts.path) or "/"
        if not path.startswith("/"):
            return OUTSIDE
        if path.startswith(self._path):
            below = path[len(self._path) :]
        elif path + "/" == self._path:
            below = ""
        elif self.root_dir is not None:
            below = f"{self.root_dir}{path}".lstrip("/")
        elif self._host.is_part:
            return OUTSIDE
        else:
            message = f"{shown(path)} is not in {shown(self._path)}, where the site is"
            if self._is_local and path.split("/", 2)[1] != self._path.split("/", 2)[1]:
                message = f"{shown(path)} leads out of the folder; if / is the root of the site, say --root-dir ."
            return Located(None, "escapes-site", message, outside=True)
        return OUTSIDE if below.startswith(self._host.own_paths) else (below, parts.query)

    def _is_here(self, parts: Components) -> bool:
        """Whether a target is on the site's host: its scheme, host and port are those of the site (`_paths.py`)."""
        if parts.scheme == self._scheme and parts.authority == self._authority:
            return True
        authority = (parts.authority or "").lower()
        if authority != "" and self._hostname not in authority and "%" not in authority and authority.isascii():
            return False  # nearly all targets on other hosts
        return origin(parts) == self._origin

    def _target_of(self, step: Redirection) -> str:
        """Return the URI that a redirection leads to."""
        to = step.to
        if to.startswith("//"):
            return f"{self._scheme}:{to}"
        if not to.startswith("/"):
            return to
        if self._redirects.root == "/":
            return self._site + to[1:]
        return f"{self._scheme}://{self._authority}{to}"

    def _file(self, path: str) -> Located | None:
        """Return what the host serves for a path below the folder (`hosts.py`), without redirections.

        A path that differs from a file's only in case, or in Unicode normalization form, is a `case-mismatch`, even if
        the disk treats the two as equal; the result has the right file. On a host that ignores case, any case is right.
        A path without a file may have something else in its place (`directories.py`).
        """
        found = self._table.get(path)
        if found is None and self._files.links:
            path = self._through_links(path)
            found = self._table.get(path)
        if found is None and self._host.slash_after_file and path.endswith("/"):
            path = path[:-1]
            found = self._table.get(path)
        if found is None and not self._host.case_sensitive:
            spelling = self._spelling(path)
            if spelling is not None and spelling.lower() == path.lower():
                found = self._table[spelling]
        if found is None and self._unlisted and len(path) <= LONGEST_PATH:
            above = map(folded, accumulate(path.split("/"), "{}/{}".format))
            found = None if self._unlisted.isdisjoint(above) else Located(None, "", "", unlisted=path)
        return found

    def _through_links(self, path: str) -> str:
        """Return a path with its symbolic links to folders of the site replaced by these folders."""
        links = self._files.links
        if len(path) > LONGEST_PATH:
            return path
        end = path.find("/")
        while True:
            if end == -1:
                end = len(path)
            state = links.get(path[:end])
            if state is not None and state.folder is not None:
                # # the replacement has no links in it, so the search continues after it
                path = (state.folder + path[end:]).lstrip("/")
                end = len(state.folder)
            if end >= len(path):
                return path
            end = path.find("/", end + 1)

    def _failure(self, path: str) -> Located:
        """Return why there is no file.

        The target of a symbolic link that dangles or leaves the folder is `dangling-link`, `leaves-folder`. Otherwise
        it is a `missing-file`, except in a folder that could not be read, or is not listed: its content is unknown, so
        nothing is reported.
        """
        if len(path) > LONGEST_PATH:
            return Located(None, "missing-file", "the path is too long for a file")
        resolved = self._through_links(path) if self._files.links else path
        if self._files.links:
            end = 0
            while end != -1:
                end = resolved.find("/", end + 1)
                link = resolved if end == -1 else resolved[:end]
                state = self._files.links.get(link)
                if state is not None and state.code != "":
                    return of_link(link, state, None)
        if self._host.unknown is not None and self._host.unknown.fullmatch(resolved):
            return Located(None, "", "")
        spelling = self._spelling(resolved)
        if spelling is not None:
            return Located(self._table[spelling].path, "case-mismatch", _mismatch(resolved, spelling))
        folder = resolved.rstrip("/")
        if folder in self._files.folders:
            return Located(None, "missing-index", self._without_index(folder))
        if folder in self._files.paths:
            return Located(None, "missing-file", f"{shown(folder)} is a file, and has no slash after it")
        if not NOT_PUBLISHED.isdisjoint(path.split("/")):
            return Located(None, "missing-file", f"{shown(path)} is not published, as nothing in .git is")
        whole = _MADE_RELATIVE(path)
        if whole is not None:
            return Located(None, "missing-file", f"the URI {shown(whole[1])} was made relative, and is not a file")
        return Located(None, "missing-file", f"there is no file {shown(path)}")

    def _without_index(self, folder: str) -> str:
        """Return the message for a folder without an index file, with a file that may be meant as the index."""
        names = " or ".join(self._directories.index_names(folder, self._host.index_names)) or "index"
        where = shown(folder) or "of the site"
        other = self.other_indexes.get(folder)
        but = (
            ""
            if other is None
            else f", but there is {shown(other.rpartition('/')[2])}, which this host does not ask for"
        )
        return f"there is no {names} in the folder {where}{but}"

    @cached_property
    def other_indexes(self) -> dict[str, str]:
        """The folders with a file that may be meant as the index, each with it: `a/index.htm`, `a/INDEX.HTML`."""
        found: dict[str, str] = {}
        for path in sorted(self._files.paths):
            folder, _, name = path.rpartition("/")
            if _MAY_BE_INDEX(name):
                found.setdefault(folder, path)
        return found

    def _spelling(self, path: str) -> str | None:
        """Return the path in the table that differs only in case or normalization form; of several, in lower case."""
        return self._spellings.get(folded(path))

    @cached_property
    def _spellings(self) -> dict[str, str]:
        return {folded(spelling): spelling for spelling in sorted(self._table)}


def root_folder(root_dir: str, site_path: str | None) -> str:
    """Return a folder of a site, written in any way ("./a/", "/a"), as `Files` names it ("a"; "" for the site itself).

    `site_path`: where the site is on the disk, with slashes at both ends, if known: the text may be a path from the
    root of the disk.
    """
    path = posixpath.normpath(root_dir)
    if site_path is not None and f"{path}/".startswith(site_path):
        path = path[len(site_path) :]
    return "" if path == "." else path.strip("/")


def _with_redirection(step: Redirection | None, found: Located) -> Located:
    """Return what was found; if it is wrong, with the redirection that led to it."""
    if step is None or found.code == "":
        return found
    return Located(
        found.path, found.code, f"{step.where} leads to {shown(step.to)}: {found.message}", outside=found.outside
    )


def _mismatch(path: str, spelling: str) -> str:
    """Return how two paths differ that are equal when folded."""
    if path.casefold() != spelling.casefold():  # they look the same
        return f"it is spelt {encode(spelling)}, in another Unicode normalization form"
    return f"it is spelt {shown(spelling)}"
