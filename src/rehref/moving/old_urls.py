"""What keeps the old URLs of files that move: redirects in a file of the host, and aliases that generators know.

1. Each URL that led to a file, and that nothing answers after the move, is led to its new URL. Where a page says itself
   what its URL is, that stays. An id has no URL that a server could redirect.
2. Redirects are merged into the file as `rehref compare` does (`rehref.comparing.redirects`).
3. Aliases are keys of the front matter: `aliases` for Hugo, `redirect_from` for Jekyll, if its configuration names the
   plugin jekyll-redirect-from.
4. An alias is added to a list of plain lines, to one in brackets in one line, or as a new key; all other bytes stay.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rehref.checking.hosting.directories import Directories
from rehref.checking.pages.reading import read
from rehref.checking.placing.placing import find_host
from rehref.checking.site.locating import Locator
from rehref.checking.site.serving import served
from rehref.checking.site.site_context import SiteContext
from rehref.comparing.redirects import Redirect, with_redirects
from rehref.comparing.states import State
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.exceptions import OptionError
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.moving.model import Beside, CorrectedFile, MovePlan
from rehref.moving.plan import before_and_after

_FRONT = re.compile(rb"((?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n)((?:.*\n)*?)(?=\2[ \t]*\r?$)", re.MULTILINE).match
_KEYS: Final = {"hugo": b"aliases", "jekyll": b"redirect_from"}
_PLAIN = re.compile(r"/[A-Za-z0-9/._-]*").fullmatch


def redirected(context: SiteContext, plan: MovePlan, file: Path) -> MovePlan:
    """Return the plan, with redirects added to a file (rules 1, 2). Raises `FileError`, `OptionError`."""
    _refuse_unknown(context, plan, "--redirects")
    if not context.host.redirect_files:  # it will be the host that the file is for
        context = context._replace(host=find_host(context.folder, frozenset({file.name})).host)
    before, after = before_and_after(context, plan.move)
    now = _site(after)
    old, new = _addresses(_site(before)), _addresses(now)
    answered = {each for addresses in new.values() for each in addresses}
    moves = [
        Redirect(encode_path(each), encode_path(new[made][0]))
        for _, was, made in _pairs(context, plan)
        if made in new
        for each in old[was]
        if each not in answered
    ]
    state = State(str(context.folder), {}, {}, Counter(), now, uri=context.uri)
    at = {(context.folder / each.old_path).resolve(): each for each in plan.documents}
    there = at.get(file.resolve())
    found = with_redirects(file, state, moves, None if there is None else there.new)
    documents = [each if each is not there else each._replace(new=found.pop(file)) for each in plan.documents]
    beside = _beside(found)
    is_changed = bool(beside) or tuple(documents) != plan.documents
    more = len(moves) if is_changed else 0
    return plan._replace(documents=tuple(documents), beside=(*plan.beside, *beside), redirects=plan.redirects + more)


def aliased(context: SiteContext, plan: MovePlan) -> MovePlan:
    """Return the plan, with aliases in the pages that move (rules 1, 3, 4). Raises `FileError`, `OptionError`."""
    _refuse_unknown(context, plan, "--aliases")
    made_by = context.files.generator
    key = None if made_by is None else _KEYS.get(made_by.dialect)
    if made_by is None or key is None or (key == b"redirect_from" and "jekyll-redirect-from" not in made_by.text):
        raise OptionError("--aliases", "the generator of this folder is not known to have any", "say --redirects FILE")
    documents, pages = {each.old_path: each for each in plan.documents}, 0
    for path, was, made in _pairs(context, plan):
        if context.files.types.of(path) != MARKDOWN_TYPE:
            continue
        data = read(context, path)
        there = documents.get(path) or CorrectedFile(
            path, path if plan.move.is_done else plan.move.of(path), data, data, 0
        )
        new = _with_alias(there.new, key, _url(was), _url(made))
        if new is None:
            name = context.file_of(path)
            raise FileError(name, f"no alias {_url(was)} can be added to its front matter", "add it by hand")
        pages += new != there.new
        documents[path] = there._replace(new=new)
    changed = tuple(each for each in documents.values() if each.new != each.old)
    return plan._replace(documents=changed, redirects=plan.redirects + pages)


def _refuse_unknown(context: SiteContext, plan: MovePlan, option: str) -> None:
    """Raise `OptionError` if nothing has URLs that servers know."""
    if plan.move.old_id:
        raise OptionError(option, "an id moves, which no server knows", "leave it out")
    if context.files.types.has_sources and context.files.generator is None:
        raise OptionError(option, "it is not known where these sources are on the web", "name their --dialect")


def _pairs(context: SiteContext, plan: MovePlan) -> Iterator[tuple[str, str, str]]:
    """Yield the files that move: where each is now, and where it was and will be on the web."""
    before, after = before_and_after(context, plan.move)
    for path in sorted(before.files.paths):
        new = plan.move.of(path)
        was, made = before.files.page_of(path), after.files.page_of(new)
        if path != new and was is not None and made is not None and was != made:
            yield new if plan.move.is_done else path, was, made


def _site(context: SiteContext) -> SiteContext:
    """Return the context of the site that is made of a folder."""
    files = context.files
    paths = frozenset(filter(None, map(files.page_of, files.paths)))
    folders = frozenset("" if str(each) == "." else str(each) for path in paths for each in Path(path).parents)
    if files.generator is not None:
        files = files._replace(paths=paths, folders=folders, generator=None)
    host = context.host._replace(lists_folders=False, made_of=(), slash_after_file=False)
    locator = Locator(files, context.uri, host, redirects=context.redirects)
    return context._replace(files=files, host=host, locator=locator)


def _addresses(context: SiteContext) -> dict[str, list[str]]:
    """Return the paths that lead to each file, that of a folder first."""
    found = defaultdict[str, list[str]](list)
    directories = Directories() if context.redirects is None else context.redirects.directories
    for address, located in served(context.files, context.host, directories).items():
        if located.path is not None and located.code == "":
            found[located.path].append(address)
    return {path: sorted(each, key=lambda one: one != "" and not one.endswith("/")) for path, each in found.items()}


def _beside(files: dict[Path, bytes]) -> list[Beside]:
    old = {path: read_file(path) if path.exists() else None for path in files}
    return [Beside(path, old[path], new) for path, new in files.items() if new != old[path]]


def _url(path: str) -> str:
    return "/" + re.sub(r"(\A|/)index\.html\Z", r"\1", path)


def _with_alias(data: bytes, key: bytes, url: str, own: str) -> bytes | None:
    """Return a page with one more alias in its front matter; None if that cannot be added (rule 4)."""
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    shown = json.dumps(url, ensure_ascii=False).encode()
    item = url.encode() if _PLAIN(url) else shown
    front = _FRONT(data)
    if front is None:
        mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        if data.startswith(b"{", mark):
            return None  # Hugo's front matter in JSON
        return data[:mark] + ending.join((b"---", key + b":", b"  - " + item, b"---", b"")) + data[mark:]
    text: bytes = front[3]
    start = front.start(3)
    found = re.search(rb"(?m)^" + key + rb"[ \t]*[:=][ \t]*([^\r\n]*)((?:\r?\n[ \t]*-[^\r\n]*)*)", text)
    if found is None:
        if front[2] == b"+++":
            return data[:start] + key + b" = [" + shown + b"]" + ending + data[start:]
        return data[: front.end()] + key + b":" + ending + b"  - " + item + ending + data[front.end() :]
    aliases = {each.decode() for each in re.findall(rb"""[^\s"',\[\]#]+""", found[0])}
    if own in aliases:
        return None
    at = start + found.end()
    if url in aliases:
        return data
    if found[1] == b"" and found[2]:
        indent: bytes = re.findall(rb"\n([ \t]*-[ \t]*)", found[2])[-1]
        return data[:at] + ending + indent + item + data[at:]
    if found[1].startswith(b"[") and found[1].rstrip().endswith(b"]") and not found[2]:
        at = start + found.start(1) + found[1].rindex(b"]")
        between = b"" if found[1].rstrip()[1:-1].strip() == b"" else b", "
        return data[:at] + between + shown + data[at:]
    return None
