"""What follows if files and ids get other names in an editor: the new data of documents; nothing is written.

`rehref.plugins.lsp` asks the module of this name of each plugin. Files that move together move one after the other.
The edits are made before: each document has its old name then. If one reference cannot be corrected, there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.files.file_errors import FileError
from rehref.plugins.mv._hashes_of_move import with_hashes
from rehref.plugins.mv._moved_places import move_of
from rehref.plugins.mv._planning import before_and_after, plan_move
from rehref.plugins.mv.move_plan import MovePlan
from rehref.site.site import Site


def renamed(context: Site, names: Sequence[tuple[str, str]]) -> dict[str, bytes]:
    """Return the new data of documents, by their old paths, if files or ids get other names.

    Raises `FileError`, `OptionError` if they cannot.
    """
    before, origins = context, {path: path for path in context.files.paths}
    for old, new in names:
        plan = with_hashes(context, plan_move(context, move_of(context, old, new)))
        origins = {plan.move.of(path): origin for path, origin in origins.items()}
        context = _context_after(context, plan)
    texts = ((origins[path], data) for path, data in sorted((context.texts or {}).items()))
    return {origin: data for origin, data in texts if data != before.stored(origin)}


def _context_after(context: Site, plan: MovePlan) -> Site:
    """Return the context after a move. Raises `FileError` for a document that an editor cannot change."""
    move, scope = plan.move, context.scope
    texts = {move.of(path): data for path, data in (context.texts or {}).items()}
    texts |= {move.of(path): context.stored(path) for path in scope.documents if path != move.of(path)}
    for each in plan.documents:
        if each.packed:
            raise FileError(each.old_path, "is gzipped, so that an editor cannot change it", "use rehref mv")
        texts[each.new_path] = each.new
    scope = scope._replace(documents=tuple(sorted(map(move.of, scope.documents))))
    _, after = before_and_after(context, move)
    return after._replace(scope=scope, texts=texts)
