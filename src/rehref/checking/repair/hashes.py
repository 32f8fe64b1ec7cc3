"""The hashes of what fixes change (`rehref.rewriting.integrity`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rehref.checking.guarded import guarded_folder
from rehref.checking.model import Finding
from rehref.checking.pages.reading import stored
from rehref.checking.repair.fixing import Fixed, fixes
from rehref.checking.site.site_context import SiteContext
from rehref.files.file_errors import FileError
from rehref.files.gzipped import is_packed, unpacked
from rehref.rewriting.integrity import with_integrity


def fixes_with_hashes(
    context: SiteContext, findings: Iterable[Finding], *, unsure: bool = False
) -> Iterator[Fixed | FileError]:
    """The corrections of the documents of a folder (`fixes`), and the hashes that change with them."""
    found = list(fixes(context, findings, unsure=unsure))
    fixed = {each.document: each for each in found if isinstance(each, Fixed)}
    changed = {path: each.new for path, each in fixed.items() if each.new != each.old}
    renewed = with_integrity(guarded_folder(context), changed)
    for path in sorted({*renewed.changes, *(stale.document for stale in renewed.stale)} - fixed.keys()):
        raw = stored(context, path)
        data, packed = unpacked(path, raw), raw if is_packed(raw) else b""
        fixed[path] = Fixed(path, data, data, (), packed=packed)
    for path, each in fixed.items():
        stale = tuple(str(one) for one in renewed.stale if one.document == path)
        new = renewed.changes.get(path, each.new)
        fixed[path] = replace(each, new=new, stale=stale, is_hashed=path in renewed.changes)
    yield from (each for each in found if isinstance(each, FileError))
    yield from (fixed[path] for path in sorted(fixed))
