"""Apache and nginx on this machine, for as long as a test asks them."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from patience import PATIENCE

APACHE = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
MODULES = Path("/usr/lib/apache2/modules")
HAS_APACHE = APACHE is not None and MODULES.is_dir()
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
  map_hash_bucket_size 1024;
  map_hash_max_size 65536;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  map $uri $moved {{ include {map}; }}
  map =$request_uri $moved_query {{ include {map}; }}
  server {{
    listen 127.0.0.1:{port};
    root {root};
    if ($moved_query) {{ return 301 $moved_query; }}
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
    names = ("mpm_event", "authn_core", "authz_core", "alias", "dir", "mime", "rewrite")
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
