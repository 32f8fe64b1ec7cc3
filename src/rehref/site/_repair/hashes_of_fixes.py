"""What follows from fixes: new hashes (`rehref.rewriting.folder_integrity`), and gzipped copies.

A file `a.html.gz` beside `a.html`, with the same content, is what servers send in its place: it gets the same fixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rehref.files.file_errors import FileError
from rehref.files.reading_files import is_packed, unpacked
from rehref.rewriting.folder_integrity import with_integrity
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.reading_site_pages import stored
from rehref.site._repair.fixing import Fixed, fixes
from rehref.site._repair.guarded_site import guarded_folder
from rehref.site.findings import Finding


def fixes_with_hashes(
    context: SiteContext, findings: Iterable[Finding], *, unsure: bool = False
) -> Iterator[Fixed | FileError]:
    """The corrections of the documents of a folder (`fixes`), of their copies, and the hashes that change with them."""
    found = list(fixes(context, findings, unsure=unsure))
    found += [copy for each in found if isinstance(each, Fixed) for copy in _copies(context, each)]
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


def _copies(context: SiteContext, fixed: Fixed) -> Iterator[Fixed | FileError]:
    """The correction of the gzipped copy of a document, if there is one."""
    path = f"{fixed.document}.gz"
    if fixed.new == fixed.old or path not in context.files.paths:
        return
    try:
        raw = stored(context, path)
        if is_packed(raw) and unpacked(path, raw) == fixed.old:
            yield Fixed(path, fixed.old, fixed.new, (), packed=raw)
            return
        what = f"differs from {fixed.document}, so that it is not corrected"
        yield FileError(str(context.folder / path), what, "make it anew")
    except FileError as error:
        yield error
