"""One way to find and to write references, whatever the micro-syntax.

Rules

1. For every `Syntax` there is a reader, which finds the references of a decoded value in order, spans not
   overlapping, and a writer, which gives what to put into a span to make it the reference given.
2. Reading and writing never raise, and take time in proportion to the value.
3. For `f` in `FIND[s](v)`, putting `WRITE[s](t, f.form)` in place of `v[f.start:f.end]` and reading again gives `t`
   there and the other references unchanged. Each module says which texts its micro-syntax cannot hold, and what
   becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rehref.carriers import css, image, json_ld, json_text, lists, refresh, script_data, srcset
from rehref.carriers.kinds import Found, Syntax

FIND: Mapping[Syntax, Callable[[str], list[Found]]] = MappingProxyType(
    {
        "url": lists.find_url,
        "spaces": lists.find_spaces,
        "commas": lists.find_commas,
        "curie": lists.find_curie,
        "srcset": srcset.find,
        "css": css.find,
        "image": image.find,
        "refresh": refresh.find,
        "fragment": lists.find_fragment,
        "import-map": script_data.find_import_map,
        "speculation-rules": script_data.find_speculation_rules,
        "json-ld": json_ld.find_json_ld,
        "json": lambda value: [],  # which strings are references, only the document's type tells
    }
)
"""Readers: a decoded value to its references."""

WRITE: Mapping[Syntax, Callable[[str, str], str]] = MappingProxyType(
    {
        "url": lists.write_url,
        "spaces": lists.write_spaces,
        "commas": lists.write_commas,
        "curie": lists.write_url,
        "srcset": srcset.write,
        "css": css.write,
        "image": image.write,
        "refresh": refresh.write,
        "fragment": lists.write_fragment,
        "import-map": script_data.write_import_map,
        "speculation-rules": script_data.write_speculation_rules,
        "json-ld": json_ld.write_json_ld,
        "json": json_text.write,
    }
)
"""Writers: a reference and the `form` of the place to what is put there."""
