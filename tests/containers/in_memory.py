"""Containers in memory, read and rewritten by the module of their kind."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

from rehref.containers.kinds import KINDS, ContainerModule
from rehref.containers.parts import ChangePart, ContainerOptions, Diagnostic, Part, WantsDocument

OPTIONS = ContainerOptions()


def everything(media_type: str, name: str) -> bool:
    return True


def pages_only(media_type: str, name: str) -> bool:
    return media_type == "text/html"


class InMemory(NamedTuple):
    """A kind of container, and the documents that are wanted unless a test says otherwise."""

    module: ContainerModule
    wanted: WantsDocument

    def found(
        self, data: bytes, options: ContainerOptions = OPTIONS, wanted: WantsDocument | None = None
    ) -> list[Part | Diagnostic]:
        """All that is yielded."""
        return list(self.module.read(io.BytesIO(data), options, wanted or self.wanted))

    def parts(self, data: bytes, *how: Any) -> list[Part]:
        """The documents; `how`: as for `found`."""
        return [each for each in self.found(data, *how) if isinstance(each, Part)]

    def diagnostics(self, data: bytes, *how: Any) -> list[str]:
        """What is wrong; `how`: as for `found`."""
        return [str(each) for each in self.found(data, *how) if isinstance(each, Diagnostic)]

    def rewritten(
        self, data: bytes, change: ChangePart, options: ContainerOptions = OPTIONS, wanted: WantsDocument | None = None
    ) -> tuple[bytes, list[str]]:
        """The new container, and what is wrong."""
        out = io.BytesIO()
        found = self.module.rewrite(io.BytesIO(data), out, change, options, wanted or self.wanted)
        said = list(map(str, found))
        return out.getvalue(), said


def in_memory(kind: str, wanted: WantsDocument = everything) -> InMemory:
    """A kind of container, by its name."""
    return InMemory(next(each for each in KINDS if each.name == kind).load(), wanted)
