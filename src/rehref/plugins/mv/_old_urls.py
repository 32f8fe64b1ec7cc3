"""What keeps the old URLs of files that move: redirects in a file of the host, and aliases that generators know.

Each URL that led to a file, and that nothing answers after the move, is led to its new URL. Where a page says itself
what its URL is, that stays. An id has no URL that a server could redirect.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.plugins.mv._mkdocs_nav import renamed_sources, with_redirect_maps
from rehref.plugins.mv._planning import before_and_after
from rehref.plugins.mv.move_plan import MovePlan
from rehref.site.findings import UnwrittenRedirect
from rehref.site.site import Site

_FRONT = re.compile(rb"((?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n)((?:.*\n)*?)(?=\2[ \t]*\r?$)", re.MULTILINE).match
_KEYS: Final = {"hugo": b"aliases", "jekyll": b"redirect_from"}
_AROUND = re.compile(rb"""\A\s*(?:-[ \t]+)?["']?|["']?[ \t]*(?:[ \t]#.*)?\Z""").sub
_PLAIN = re.compile(r"/[A-Za-z0-9/._-]*").fullmatch


def redirected(context: Site, plan: MovePlan, file: Path) -> MovePlan:
    """Return the plan, with redirects added to a file. Raises `FileError`, `OptionError`.

    They are merged into the file as `rehref compare` does (`rehref.site._repair.carried_redirects`); those of the
    plugin mkdocs-redirects into `mkdocs.yml`.
    """
    _refuse_unknown(context, plan, "--redirects")
    made_by = context.files.generator
    if made_by is not None and made_by.dialect == "mkdocs" and file.resolve() == made_by.configuration.resolve():
        pages = {old: new for old, new in renamed_sources(context, plan.move).items() if old.endswith(".md")}
        data = with_redirect_maps(plan.change_of(file).new, pages)
        if data is None:
            what = "has no redirect_maps in lines of its own"
            raise OptionError(f"--redirects {file}", what, "add it to the plugin redirects, and a first rule below it")
        return _with(plan, {file: data}, len(pages))
    context = context.with_host_of(file.name)
    before, after = (each.as_published() for each in before_and_after(context, plan.move))
    old, new = ({path: (each.url, *each.also) for path, each in one.promised()} for one in (before, after))
    answered = {url for urls in new.values() for url in urls}
    moves = [
        (url, new[made][0])
        for _, was, made in _pairs(context, plan)
        if made in new
        for url in old.get(was, ())
        if url not in answered
    ]
    there = plan.change_of(file)
    found = after.with_redirects(file, moves, None if there.old is None else there.new)
    unwritten = tuple(_explained(context, plan, file, each) for each in found.unwritten)
    return _with(plan, found.files, found.number)._replace(unwritten=unwritten)


def _explained(context: Site, plan: MovePlan, file: Path, left: UnwrittenRedirect) -> UnwrittenRedirect:
    """Return an old URL that gets no redirect; where only what moves is in the way, say so."""
    at = context.where(context.uri + left.url).path
    if at not in plan.files or not (file / at).exists() or not (file / at).samefile(context.folder / at):
        return left
    return left._replace(reason="its page can be written only once this move is done; run the same again then")


def _with(plan: MovePlan, files: Mapping[Path, bytes], number: int) -> MovePlan:
    """Return the plan with the new content of some files, which keep a number of old URLs."""
    changed = plan.with_changes(plan.change_of(file)._replace(new=data) for file, data in files.items())
    return changed if changed == plan else changed._replace(redirects=plan.redirects + number)


def aliased(context: Site, plan: MovePlan) -> MovePlan:
    """Return the plan, with aliases in the pages that move. Raises `FileError`, `OptionError`.

    They are keys of the front matter: `aliases` for Hugo, `redirect_from` for Jekyll, if its configuration names the
    plugin jekyll-redirect-from.
    """
    _refuse_unknown(context, plan, "--aliases")
    made_by = context.files.generator
    key = None if made_by is None else _KEYS.get(made_by.dialect)
    if made_by is None or key is None or (key == b"redirect_from" and "jekyll-redirect-from" not in made_by.text):
        raise OptionError("--aliases", "the generator of this folder is not known to have any", "say --redirects FILE")
    changes = []
    for path, was, made in _pairs(context, plan):
        if context.files.types.of(path) != MediaType.MARKDOWN:
            continue
        change = plan.change_of(context.folder / path)
        new = _with_alias(change.new, key, _url(was), _url(made))
        if new is None:
            what = f"no alias {_url(was)} can be added to its front matter"
            raise FileError(context.file_of(path), what, "add it by hand")
        changes += [change._replace(new=new)] if new != change.new else []
    return plan.with_changes(changes)._replace(redirects=plan.redirects + len(changes))


def _refuse_unknown(context: Site, plan: MovePlan, option: str) -> None:
    """Raise `OptionError` if nothing has URLs that servers know."""
    if plan.move.old_id:
        raise OptionError(option, "an id moves, which no server knows", "leave it out")
    if context.files.types.has_sources and context.files.generator is None:
        raise OptionError(option, "it is not known where these sources are on the web", "name their --dialect")


def _pairs(context: Site, plan: MovePlan) -> Iterator[tuple[str, str, str]]:
    """Yield the files that move: where each is now, and where it was and will be on the web."""
    before, after = before_and_after(context, plan.move)
    for old, new in plan.move.pairs(context.files.paths):
        was, made = before.files.page_of(old), after.files.page_of(new)
        if was and made and was != made:
            yield new if plan.move.is_done else old, was, made


def _url(path: str) -> str:
    return "/" + Site.url_of_page(path)


def _with_alias(data: bytes, key: bytes, url: str, own: str) -> bytes | None:
    """Return a page with one more alias in its front matter; None if that cannot be added.

    It is added to a list of plain lines, to one in brackets in one line, or as a new key; that of the new URL goes. All
    other bytes stay.
    """
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    shown = json.dumps(url, ensure_ascii=False).encode()
    item = url.encode() if _PLAIN(url) else shown
    front = _FRONT(data)
    if front is None:
        mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        if data.startswith(b"{", mark):
            return None  # Hugo's front matter in JSON
        return data[:mark] + ending.join((b"---", key + b":", b"  - " + item, b"---", b"")) + data[mark:]
    if re.search(rb"""(?m)^["']""" + key + rb"""["']""", front[3]):
        return None
    start = front.start(3)
    found = re.search(rb"(?m)^" + key + rb"[ \t]*[:=][ \t]*([^\r\n]*)((?:\r?\n[ \t]*-[^\r\n]*)*)", front[3])
    if found is None and front[2] == b"+++":
        return data[:start] + key + b" = [" + shown + b"]" + ending + data[start:]
    if found is None:
        return data[: front.end()] + key + b":" + ending + b"  - " + item + ending + data[front.end() :]
    in_lines, in_brackets = not found[1] and found[2] != b"", re.fullmatch(rb"\[(.*)\][ \t]*", found[1])
    if not in_lines and (in_brackets is None or found[2]):
        return None
    listed = re.findall(rb"\r?\n[^\r\n]*", found[2]) if in_brackets is None else in_brackets[1].split(b",")
    kept = [each for each in listed if _AROUND(b"", each) not in (own.encode(), b"")]
    if url.encode() not in (_AROUND(b"", each) for each in kept):
        kept.append(
            re.findall(rb"\r?\n[ \t]*-[ \t]*", found[2])[-1] + item
            if in_brackets is None
            else b" " * bool(kept) + shown
        )
    at, between = (start + found.start(2), b"") if in_brackets is None else (start + found.start(1) + 1, b",")
    return data[:at] + between.join(kept) + data[at + len(between.join(listed)) :]
