"""Asks Apache and nginx for the old URLs of generated sites: `scripts/fuzz redirects` runs it.

- Site `n` of seed `s` is always the same: an archive of its old state, and a folder with its new one. Names, queries
  and targets have odd characters and schemes. Where each URL should lead is known from how they were made.
- Redirects are written as `.htaccess`, as a map and as pages that refresh; then `rehref.move` moves one page on.
- All sites are folders of one root, so that each server starts once. Each old URL leads to its place at once, or was
  named with a reason that this format or URL may have; pages that are there are answered; nothing leads to a scheme
  other than http and https.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import quote, unquote_to_bytes, urljoin

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import rehref
from patience import PATIENCE
from plugins.compare.archives import answer
from plugins.compare.servers import HAS_APACHE, NGINX, apache, nginx
from plugins.compare.sites import page
from rehref.plugins.compare.comparing import compared, opened_states
from rehref.site.check_options import DEFAULTS
from rehref.site.given_options import site_options

ORIGIN = "http://127.0.0.1"
CHARACTERS = "aZ9 :%?#$&'\"()*+,;=@!~^|`[]{}<>\\-._éß漢🙂"
ENDINGS = (".html", ".html", ".html", ".htm", ".php", "", "/")
QUERIES = ("id=1", "id=2&b=x%20y", "a=%C3%A9", "x", "", "a=b=c", "q=1+2", "p=%26", "a=$1&b=.*", "id=1&id=2", "u=http:x")
SCHEMES = (
    "javascript:alert(1)",
    "JAVASCRIPT://%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "mailto:a@b.c",
    "x:y",
)
OTHERS = (
    "https://other.example/q",
    "http://other.example:8080/a%20b?c=d&e=$1#f",
    "https://other.example/é'(x)*+$",
    "https://other.example",
    "//other.example/p",
    "https://other.example/%7Ea?x=%7E",
)
FORMS = ("apache", "nginx", "pages")


@dataclass
class Site:
    """A generated site. `plan`: where old URLs lead, None if nowhere; `there`: the URLs of its pages."""

    number: int
    seed: int
    plan: dict[str, str | None] = field(default_factory=dict)
    there: list[str] = field(default_factory=list)
    unwritten: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"s{self.number}"

    def target(self, to: str) -> str:
        """A target as an answer has it."""
        return to if "://" in to else f"/{self.name}/{to}"


class Making:
    """Makes a site below a folder."""

    def __init__(self, site: Site, root: Path, work: Path) -> None:
        self.site, self.draw = site, Random(f"{site.seed}-{site.number}")
        self.new, self.archive = root / site.name, work / f"{site.name}.warc"
        self.base = f"{ORIGIN}/{site.name}/"
        self.taken: set[bytes] = set()
        self.records: list[bytes] = []

    def make(self) -> None:
        for number, url in enumerate(("index.html", "kept.html", "also.html")):
            self.there(url, page(f"Kept {number}"), "" if url == "index.html" else url)
        moved = [self.moved(number) for number in range(self.draw.randint(4, 9))]
        for number in range(self.draw.randint(3, 8)):
            url = self.old_url()
            self.plan_redirect(url, moved)
            if number == 0:
                self.old(gone := self.old_url(), page(f"Gone {gone}"))
                self.site.plan[gone] = None
        self.archive.write_bytes(b"".join(self.records))

    def name(self) -> str:
        while True:
            name = "".join(self.draw.choices(CHARACTERS, k=self.draw.randint(1, 6))).strip(".")
            if name:
                return name

    def free(self, path: str) -> bool:
        """Whether no URL has that decoded path, nor a file that of a folder."""
        raw = path.encode().rstrip(b"/")
        parents = {raw[:at] for at in range(len(raw)) if raw[at : at + 1] == b"/"}
        if raw in self.taken or parents & self.taken or any(each.startswith(raw + b"/") for each in self.taken):
            return False
        self.taken.add(raw)
        return True

    def encoded(self, path: str) -> str:
        """A path as some browser or crawler writes it."""
        safe = "/" + "".join(each for each in ":@!$&'()*+,;=~" if self.draw.random() < 0.7)
        text = quote(path, safe=safe)
        return re.sub("%[0-9A-F]{2}", lambda found: found[0].lower() if self.draw.random() < 0.2 else found[0], text)

    def old_url(self) -> str:
        """A URL that only the old state has."""
        while True:
            folder = f"{self.name()}/" if self.draw.random() < 0.3 else ""
            path = f"{folder}{self.name()}{self.draw.choice(ENDINGS)}"
            if self.taken and self.draw.random() < 0.1:
                path = self.draw.choice(sorted(self.taken)).decode().swapcase()
            url = self.encoded(path)
            if self.draw.random() < 0.06:
                url += self.draw.choice(("%00", "%2F", "%2f.html", "%0A", "%FF.html", "%5C.html", "%7F"))
            query = f"?{self.draw.choice(QUERIES)}" if self.draw.random() < 0.2 else ""
            if self.free(path):
                return url + query

    def old(self, url: str, body: str, status: int = 200, fields: Mapping[str, str] = {}) -> None:
        self.records.append(answer(self.base + url, body, status, fields))

    def write(self, path: str, body: str) -> None:
        file = self.new / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body)

    def there(self, path: str, body: str, url: str) -> None:
        """A page that both states have."""
        self.taken.add(path.encode())
        self.write(path, body)
        self.old(url, body)
        self.site.there.append(url)

    def moved(self, number: int) -> str:
        """A page that has moved; its old URL."""
        body, old = page(f"Page {number} of {self.site.name}"), self.old_url()
        while True:
            folder = f"{self.name()}/" if self.draw.random() < 0.4 else ""
            is_index = folder and self.draw.random() < 0.3
            path = f"{folder}index.html" if is_index else f"{folder}{self.name()}.html"
            if not path.startswith(".") and "/." not in path and self.free(path):
                break
        self.write(path, body)
        self.old(old, body)
        url = quote(folder if is_index else path)
        self.site.plan[old] = url
        self.site.there.append(url)
        return old

    def plan_redirect(self, url: str, moved: list[str]) -> None:
        """A redirect of the old state, to anything."""
        kind = self.draw.random()
        location = self.draw.choice(OTHERS)
        if kind < 0.3:
            location = self.draw.choice(SCHEMES)
        elif kind < 0.5:
            location = f"/{self.site.name}/{self.draw.choice(('kept.html', 'also.html#there', ''))}"
        elif kind < 0.65:
            location = self.base + self.draw.choice(moved)
        self.old(url, "", 301, {"Location": location})
        to = location if location.startswith(self.base) else urljoin(self.base, location)
        below = to.removeprefix(self.base)
        self.site.plan[url] = self.site.plan.get(below, below)


def excused(form: str, url: str, to: str) -> bool:
    """Whether a format may leave out that redirect."""
    path, mark, _ = url.partition("?")
    if to in SCHEMES or re.search(r"%(?:00|2[Ff]|0[Aa]|7[Ff])", path):
        return True
    if form != "pages":
        return False
    return mark != "" or not unquote_to_bytes(path).endswith((b".html", b".htm")) or "/" in path


def folded(url: str) -> bytes:
    """A URL without the differences that nginx ignores."""
    return unquote_to_bytes(url).lower()


class Fuzz:
    """Makes sites, and asks the servers. `failures`: what was wrong, for people."""

    def __init__(self, seed: int, first: int, number: int, folder: Path) -> None:
        self.root, self.work = folder / "root", folder / "work"
        self.work.mkdir(parents=True)
        self.sites = [Site(each, seed) for each in range(first, first + number)]
        self.failures: list[str] = []
        self.asked: Counter[str] = Counter()

    def run(self) -> None:
        for site in self.sites:
            self.make(site)
        with ExitStack() as stack:
            ports = {}
            if HAS_APACHE:
                ports["apache"] = stack.enter_context(apache(self.root, self.work / "apache"))
            if NGINX is not None:
                ports["nginx"] = stack.enter_context(nginx(self.root, self.work / "nginx", self.work / "s*.map"))
            for form, port in ports.items():
                connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                for site in self.sites:
                    self.ask(site, form, connection, port)
                connection.close()
        for site in self.sites:
            self.read_pages(site)

    def make(self, site: Site) -> None:
        """Make a site, and write its redirects."""
        making = Making(site, self.root, self.work)
        making.make()
        options = {
            **DEFAULTS,
            "site_url": making.base,
            "ignore_ids": (),
            "new_only": False,
            "anchors": False,
            "save": None,
        }
        files = {form: self.place(site, form) for form in FORMS}
        files["pages"].mkdir()
        with opened_states(
            [str(making.archive), str(making.new)], site_options({"site_url": making.base}), None
        ) as states:
            for form, file in files.items():
                unwritten = compared(states, {**options, "write_redirects": str(file)}).unwritten
                site.unwritten[form] = {each.url: each.reason for each in unwritten}
                if form != "pages" and compared(states, {**options, "write_redirects": str(file)}).summary.redirects:
                    self.fail(site, form, "", "is written again")
        self.move_on(site, making, files)

    def place(self, site: Site, form: str) -> Path:
        """Where the redirects of a site are written."""
        return {
            "apache": self.root / site.name / ".htaccess",
            "nginx": self.work / f"{site.name}.map",
            "pages": self.work / f"{site.name}-pages",
        }[form]

    def move_on(self, site: Site, making: Making, files: Mapping[str, Path]) -> None:
        """Move one of the new pages on, with its old URLs."""
        kept = ("kept.html", "also.html")
        wanted = [url for url in site.there if url.endswith(".html") and "%23" not in url and url not in kept]
        if not wanted:
            return
        url = making.draw.choice(wanted)
        while not making.free(path := f"on/{making.name()}.html") or "/." in path or set(path) & {"#", "?"}:
            pass  # no rule that is there can lead to a name with one of these
        old, new = making.new / unquote_to_bytes(url).decode(), making.new / path
        for form in ("apache", "nginx"):
            result = rehref.move(old, new, folder=making.new, site_url=making.base, host=form, redirects=files[form])
            site.unwritten[form] |= {each.url: each.reason for each in result.unwritten}
        on = quote(path)
        site.plan = {each: on if to == url else to for each, to in site.plan.items()} | {url: on}
        site.there = [on if each == url else each for each in site.there]

    def ask(self, site: Site, form: str, connection: HTTPConnection, port: int) -> None:
        """Ask a server for the URLs of a site."""
        for url, to in site.plan.items():
            reason = site.unwritten[form].get(url)
            status, place = asked(connection, f"/{site.name}/{url}", port)
            if re.match(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", place):
                self.fail(site, form, url, f"leads to {place}")
            elif to is None:
                self.asked["gone"] += 1
                alike = [each for each, end in site.plan.items() if end is not None and folded(each) == folded(url)]
                if status == 301 and "?" not in url and not (form == "nginx" and alike):  # nginx ignores case
                    self.fail(site, form, url, f"is gone, but leads to {place}")
            elif reason is not None:
                self.asked[f"{form} not written"] += 1
                if not excused(form, url, to):
                    self.fail(site, form, url, f"was not written: {reason}")
            else:
                self.asked[form] += 1
                if (status, unquote_to_bytes(place)) != (301, unquote_to_bytes(site.target(to))):
                    self.fail(site, form, url, f"is answered with {status} {place}, and not {site.target(to)}")
        for url in site.there:
            status, place = asked(connection, f"/{site.name}/{url}", port)
            self.asked["there"] += 1
            if status != 200:
                self.fail(site, form, url, f"is there, but is answered with {status} {place}")

    def read_pages(self, site: Site) -> None:
        """Read the pages that refresh; where they lead is what was planned before the last move."""
        folder = self.place(site, "pages")
        before = Making(Site(site.number, site.seed), self.work / "again", self.work)
        before.make()
        for url, to in before.site.plan.items():
            reason, path = site.unwritten["pages"].get(url), unquote_to_bytes(url.partition("?")[0])
            if to is None or reason is not None:
                if to is not None and not excused("pages", url, to):
                    self.fail(site, "pages", url, f"was not written: {reason}")
                continue
            self.asked["pages"] += 1
            file = folder / path.decode("utf-8", "surrogateescape")
            files = [each for each in (file, Path(f"{file}.html"), file / "index.html") if each.is_file()]
            found = re.search(r"location\.replace\((\"[^\"]*\")", files[0].read_text() if files else "")
            there = files[0].relative_to(folder) if files else ""
            place = urljoin(before.base + quote(bytes(there)), json.loads(found[1])) if found else ""
            wanted = site.target(to) if "://" in to else before.base + to
            if unquote_to_bytes(place) != unquote_to_bytes(wanted):
                self.fail(site, "pages", url, f"leads to {place}, and not to {wanted}")

    def fail(self, site: Site, form: str, url: str, what: str) -> None:
        self.failures.append(f"{form}: --seed {site.seed} --first {site.number}: /{url} {what}")


def asked(connection: HTTPConnection, path: str, port: int) -> tuple[int, str]:
    """The status and the place of an answer."""
    connection.request("GET", path)
    found = connection.getresponse()
    found.read()
    place = found.headers.get("location", "")
    return found.status, re.sub(rf"^http://(?:localhost|127\.0\.0\.1):{port}", "", place)


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz redirects", description="Ask servers for redirected URLs.")
    parser.add_argument("--sites", type=int, default=100, help="how many sites (100)")
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000), help="what to begin with")
    parser.add_argument("--first", type=int, default=0, metavar="SITE", help="the first site (0)")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(given.seed, given.first, given.sites, Path(folder))
        fuzz.run()
    for failure in fuzz.failures[:20]:
        print(failure)
    counts = ", ".join(f"{number:,} {what}" for what, number in sorted(fuzz.asked.items()))
    print(f"{given.sites:,} sites of seed {given.seed}: {counts}; {len(fuzz.failures):,} wrong")
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main())
