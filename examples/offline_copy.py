"""Make saved pages work from a disk, like `wget -k`: links to saved pages lead to the files, all others to the web.

`Offline` takes a table from URIs to files. Whatever a page says its base is, its references lead to the right place.
"""

import rehref

SAVED = {
    "https://example.org/": b'<base href="/docs/"><a href="a.html?page=2#top">next</a> <a href=missing.html>else</a>',
    "https://example.org/docs/a.html?page=2": b'<a href="../">home</a> <img src="/img/x y.png">',
    "https://example.org/img/x%20y.png": b"(a picture)",
}
FILES = {
    "https://example.org/": "index.html",
    "https://example.org/docs/a.html?page=2": "docs/a.html?page=2",
    "https://example.org/img/x%20y.png": "img/x y.png",
}

for url, page in SAVED.items():
    if url.endswith(".png"):
        continue
    offline = rehref.rewrite(page, rehref.Offline(FILES), url=url)
    print(f"{FILES[url]}: {offline.decode()}")
