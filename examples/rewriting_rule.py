"""Your own rewriting rule: images by https:, and no tracking parameters in links.

A rule is any function from a `Link` to the new reference as text, or to None for a reference that is to stay as it
stands. It sees references decoded (`&`, not `&amp;`), one at a time even where an attribute holds several; how the
new one is written in its place is not its concern. Whatever it leaves alone stays, byte for byte.
"""

import difflib
import re

import rehref

PAGE = """\
<!doctype html>
<p>Read <a href=/news?utm_source=mail&fbclid=7>the news</a>, or <A HREF='http://b.example/?fbclid=x#top'>the blog</A>.
<p>Nothing to do: <a href="?page=2&amp;sort=up">next</a>, <a href="http://b.example/?">as it was</a>.
<img src="http://img.example/a.png" srcset='http://img.example/a,wide.png 2x, b.png 3x' alt="A &amp; B">
<div style="background: url(http://img.example/c.png)"></div>
"""

is_tracking = re.compile(r"utm_[a-z]+|fbclid|gclid|mc_[ce]id").fullmatch


def tidy(link: rehref.Link) -> str | None:
    """Return the clean reference, or None if there is nothing to change."""
    scheme, authority, path, query, fragment = rehref.split(link.reference)
    if link.kind == "resource" and scheme == "http":
        scheme = "https"
    if link.kind == "hyperlink" and query is not None:
        parameters = query.split("&")
        kept = [parameter for parameter in parameters if not is_tracking(parameter.partition("=")[0])]
        if len(kept) < len(parameters):
            query = "&".join(kept) if kept else None
    return rehref.unsplit((scheme, authority, path, query, fragment))


tidied = rehref.rewrite(PAGE, tidy, url="https://www.example.org/")
print(*difflib.unified_diff(PAGE.splitlines(), tidied.splitlines(), "page", "tidied", lineterm="", n=0), sep="\n")
