"""Move a site to another domain: every reference to the old one changes, however it is written, and nothing else.

A `Mapping` compares URIs, not texts: `HTTP://Old.example:80/a` and `http://old.example/a` are the same. The pages are
read as those of the new site, so a relative reference leads there already, and stays.
"""

import difflib

import rehref

PAGES = {
    "index.html": """\
<!doctype html>
<link rel=canonical href="http://old.example/">
<a href="about.html">About</a> <A HREF='HTTP://Old.example:80/blog/?p=7&amp;q=8#end'>Post</A>
<img srcset="//old.example/a.png 1x, //cdn.example/a.png 2x" alt="old.example">
""",
    "feed.xml": """\
<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://old.example/feed.xml"/></feed>
""",
}
TO_NEW = rehref.Mapping({f"{scheme}://old.example/*": "https://new.example/*" for scheme in ("http", "https")})

for name, page in PAGES.items():
    media_type = "application/atom+xml" if name.endswith(".xml") else "text/html"
    moved = rehref.rewrite(page, TO_NEW, url=f"https://new.example/{name}", media_type=media_type)
    print(*difflib.unified_diff(page.splitlines(), moved.splitlines(), name, name, lineterm="", n=0), sep="\n")
