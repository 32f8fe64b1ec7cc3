"""A run that keeps answers, for tests of several processes: `python keeping.py FILE NAME NUMBER BYTES USER`.

It says each line of the cache, `kept` when the first are written, and `done`. BYTES: how large a file may get; USER: as
which user it goes on, once it is running; 0 for no such bound, and for no other user.
"""

from __future__ import annotations

import os
import sys
import urllib.parse  # noqa: F401  # from Python 3.13 on pathlib imports it late, when USER may not read it
from datetime import UTC, datetime
from pathlib import Path

from rehref.web.answers import Answer
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import Ages
from rehref.web.kept_answers import Cache


def say(line: str) -> None:
    print(line, flush=True)


def main(file: str, name: str, number: str, most: str, user: str) -> None:
    if int(user):
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
    if int(most):
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
    now = datetime.now(UTC).timestamp()
    with Cache.open(Path(file), Ages(), WebOptions(), say) as cache:
        for each in range(int(number)):
            url = f"https://example.org/{name}/{each}"
            cache.keep(Answer(url, status=200, final=url, checked_at=now), b"%d" % each * 100)
            if each == 1000:
                say("kept")
    say("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
