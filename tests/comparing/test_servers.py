"""What is written for Apache and nginx is what they answer: servers on this machine are asked for each old URL."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

import rehref
from comparing.sites import site
from comparing.test_redirects import NEW, OLD
from patience import PATIENCE

APACHE = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
MODULES = Path("/usr/lib/apache2/modules")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OF_APACHE = """
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/error.log
{modules}
TypesConfig /etc/mime.types
DocumentRoot {root}
<Directory {root}>
  AllowOverride All
  Require all granted
</Directory>
"""
OF_NGINX = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  map $uri $moved {{ include {map}; }}
  server {{
    listen 127.0.0.1:{port};
    root {root};
    if ($moved) {{ return 301 $moved; }}
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def apache(root: Path, folder: Path) -> Iterator[int]:
    """Apache, which serves a folder on a free port."""
    folder.mkdir()
    port = free_port()
    names = ("mpm_event", "authn_core", "authz_core", "alias", "dir", "mime")
    modules = "\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in names)
    configuration = folder / "apache.conf"
    configuration.write_text(OF_APACHE.format(port=port, folder=folder, root=root, modules=modules))
    with running([str(APACHE), "-X", "-f", str(configuration)], port):
        yield port


@contextmanager
def nginx(root: Path, folder: Path, redirects: Path) -> Iterator[int]:
    """nginx, which serves a folder on a free port, with a map."""
    folder.mkdir()
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(OF_NGINX.format(port=port, folder=folder, root=root, map=redirects))
    with running([str(NGINX), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(configuration)], port):
        yield port


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """A server, until it is not needed any more."""
    server = subprocess.Popen(command)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait(PATIENCE)


def answered(port: int, path: str) -> tuple[int, str]:
    """The status and the place of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("location", "").partition(f":{port}")[2]


@pytest.mark.skipif(APACHE is None or not MODULES.is_dir(), reason="needs apache2 with its modules")
def test_apache_answers_each_old_url(tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", OLD), site(tmp_path / "new", NEW)
    comparison = rehref.compare(old, new, host="apache", write_redirects=new / ".htaccess")
    moved = {each.url: each.moved_to for each in comparison.problems if each.code == "url-gone" and each.moved_to}
    assert len(moved) == 4
    with apache(new, tmp_path / "server") as port:
        assert_led_on(port, moved)


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_nginx_answers_each_old_url(tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", OLD), site(tmp_path / "new", NEW)
    comparison = rehref.compare(old, new, host="nginx", write_redirects=tmp_path / "moved.map")
    moved = {each.url: each.moved_to for each in comparison.problems if each.code == "url-gone" and each.moved_to}
    assert len(moved) == 4
    with nginx(new, tmp_path / "server", tmp_path / "moved.map") as port:
        assert_led_on(port, moved)


def assert_led_on(port: int, moved: Mapping[str, str]) -> None:
    """A server leads each URL to its new place, and nothing else."""
    for url, to in moved.items():
        status, place = answered(port, f"/{url}")
        assert (status, unquote(place)) == (301, unquote(f"/{to}")), url
        assert answered(port, place)[0] == 200, url
    assert answered(port, "/gone.html")[0] == 404
    assert answered(port, "/guide.html/below")[0] == 404  # the rule is for the path alone


ODD = (
    "a:b",
    "#1",
    "c?d",
    "e\\f",
    "\\",
    'g "h"',
    "i'j",
    "50%",
    "a%20b",
    "k{l}$m$1&n",
    "n;o",
    "~p",
    "é ü",
    "${PATH}",
    "(+)[*]^|.",
)


def moved_twice(site_folder: Path, redirects: Path, host: str) -> None:
    """A site of pages with odd names, in a folder that was renamed twice; and one that changed the case of its name."""
    for name in ODD:
        (site_folder / "old").mkdir(parents=True, exist_ok=True)
        (site_folder / "old" / f"{name}.html").write_text(name)
    (site_folder / "Case.html").write_text("case")
    for old, new in (("old", "x"), ("x", "new"), ("Case.html", "case.html")):
        rehref.move(site_folder / old, site_folder / new, folder=site_folder, redirects=redirects, host=host)


def assert_odd_names_lead_on(port: int) -> None:
    """A server leads each old URL to the new one at once, which it answers."""
    for name in ODD:
        for folder in ("old", "x"):
            status, place = answered(port, quote(f"/{folder}/{name}.html"))
            assert (status, unquote(place)) == (301, f"/new/{name}.html")
            assert answered(port, place)[0] == 200, name
    assert answered(port, "/Case.html") == (301, "/case.html")
    assert answered(port, "/case.html")[0] == 200


@pytest.mark.skipif(APACHE is None or not MODULES.is_dir(), reason="needs apache2 with its modules")
def test_apache_reads_odd_names_as_meant(tmp_path: Path) -> None:
    moved_twice(tmp_path / "s", tmp_path / "s" / ".htaccess", "apache")
    with apache(tmp_path / "s", tmp_path / "server") as port:
        assert_odd_names_lead_on(port)


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_nginx_reads_odd_names_as_meant(tmp_path: Path) -> None:
    moved_twice(tmp_path / "s", tmp_path / "moved.map", "nginx")
    with nginx(tmp_path / "s", tmp_path / "server", tmp_path / "moved.map") as port:
        assert_odd_names_lead_on(port)
