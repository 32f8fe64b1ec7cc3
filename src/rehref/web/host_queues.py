"""Which question is next: hosts are taken in turns, and one that is busy holds up no other.

1. A host that has as many questions under way as it may is left out, until one of them is done.
2. Of one host, questions come in the order they were given in.
3. It knows nothing of time: how long a host is to be left alone, its gate knows (`gate.py`).
"""

from __future__ import annotations

from collections import deque

from rehref.web.model import Question


class HostQueues:
    """The questions that wait, by host. `at_once`: how many questions may be under way at one host."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, deque[Question]] = {}
        self._under_way: dict[str, int] = {}
        self._next: deque[str] = deque()  # the hosts that have both a question that waits, and room
        self._count = 0

    def __len__(self) -> int:
        """How many questions wait."""
        return self._count

    def add(self, host: str, question: Question) -> None:
        """Have a question wait for its turn."""
        waiting = self._waiting.get(host)
        if waiting is None:
            self._waiting[host] = deque((question,))
            if self._has_room(host):
                self._next.append(host)
        else:
            waiting.append(question)
        self._count += 1

    def take(self) -> tuple[str, Question] | None:
        """The question whose turn it is, with its host; None if no host with room has any. It is under way then."""
        if not self._next:
            return None
        host = self._next.popleft()
        waiting = self._waiting[host]
        question = waiting.popleft()
        self._under_way[host] = self._under_way.get(host, 0) + 1
        self._count -= 1
        if not waiting:
            del self._waiting[host]
        elif self._has_room(host):
            self._next.append(host)
        return host, question

    def done(self, host: str) -> None:
        """A question of a host is no longer under way."""
        had_room = self._has_room(host)
        self._under_way[host] -= 1
        if not self._under_way[host]:
            del self._under_way[host]
        if not had_room and host in self._waiting:
            self._next.append(host)

    def _has_room(self, host: str) -> bool:
        return self._under_way.get(host, 0) < self._at_once
