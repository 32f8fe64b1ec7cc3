"""The hashes of what a move changes (`rehref.rewriting.folder_integrity`)."""

from __future__ import annotations

from rehref.documents.document import Document
from rehref.files.reading_files import is_packed, unpacked
from rehref.plugins.mv._planning import before_and_after
from rehref.plugins.mv.move_plan import CorrectedFile, MovePlan
from rehref.rewriting.folder_integrity import with_integrity
from rehref.site.site import Site


def with_hashes(context: Site, plan: MovePlan) -> MovePlan:
    """Return the plan with the hashes of what it changes. Raises `FileError`."""
    move, (before, _) = plan.move, before_and_after(context, plan.move)
    led = before.guarded_folder().find
    documents = {each.path: each for each in context.stored_documents()}

    def opened(path: str, data: bytes) -> Document:
        _, at, media_type = documents[path]
        return before.document_of(move.back().of(at) if move.is_done else at, data, media_type)

    def find(target: str) -> str | None:
        path = led(target)
        return None if path is None else move.of(path) if move.is_done else path

    planned = {each.old_path: each for each in plan.documents if each.old is not None}
    folder = context.guarded_folder()._replace(opened=opened, find=find)
    renewed = with_integrity(folder, {path: each.new for path, each in planned.items()})
    changes = []
    for path, data in renewed.changes.items():
        raw = context.stored(path)
        old, packed = unpacked(path, raw), raw if is_packed(raw) else b""
        each = planned.get(path) or CorrectedFile(path, move.placed(path), old, data, packed=packed)
        changes.append(each._replace(new=data))
    return plan.with_changes(changes)._replace(stale=renewed.stale, hashed=len(renewed.changes))
