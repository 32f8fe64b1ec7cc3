"""Which question is next: hosts take turns, and a busy host does not delay others.

1. A host with as many current questions as allowed is left out, until one of them is done.
2. The questions of one host come in the order in which they were given.
3. This module does not know about time: the gate of a host knows when it may be asked (`gate.py`).
"""

from __future__ import annotations

from collections import deque

from rehref.web.model import Question


class HostQueues:
    """The questions that wait, by host. `at_once`: how many questions one host may have at once."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, deque[Question]] = {}
        self._under_way: dict[str, int] = {}
        self._next: deque[str] = deque()  # the hosts that have both a question that waits, and room
        self._count = 0

    def __len__(self) -> int:
        """Return how many questions wait."""
        return self._count

    def add(self, host: str, question: Question) -> None:
        """Add a question, which waits for its turn."""
        waiting = self._waiting.get(host)
        if waiting is None:
            self._waiting[host] = deque((question,))
            if self._has_room(host):
                self._next.append(host)
        else:
            waiting.append(question)
        self._count += 1

    def take(self) -> tuple[str, Question] | None:
        """Return the next question with its host, and count it as started; None if no host with room has any."""
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
        """Record that a question of a host is done."""
        had_room = self._has_room(host)
        self._under_way[host] -= 1
        if not self._under_way[host]:
            del self._under_way[host]
        if not had_room and host in self._waiting:
            self._next.append(host)

    def _has_room(self, host: str) -> bool:
        return self._under_way.get(host, 0) < self._at_once
