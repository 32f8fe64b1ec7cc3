"""How hosts find the file for a path: one profile for each.

1. A path that names a file is that file, everywhere.
2. A folder is shown by its index file; its path without the slash at the end is redirected to the one with it.
3. Where pages have clean URLs, `/a` is `a.html`; the file goes before a folder `a/`. Whether `/a/` is `a.html` too,
   where there is no such folder, depends on the host.
4. A 404 page is what visitors see behind a broken link. It mends none, so it is only named here, as a page that nobody
   need link to; so are pages that `.htaccess` names for errors. For the same reason the "single-page application" mode
   of Cloudflare Pages, which answers every path with `/index.html` where there is no `404.html`, makes no link right.
5. What a host says of the encoding of a document goes before what that says itself (HTML Standard §13.2.3.2).
6. `none` is no host: files as they are, with `index.html` for folders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from rehref.checking.hosting.vercel import vercel_settings

RedirectFile: TypeAlias = Literal["_redirects", ".htaccess", "netlify.toml", "vercel.json"]
HeaderFile: TypeAlias = Literal["_headers", ".htaccess"]

CNAME: Final = "CNAME"
"""The file with the name of the host, which only then is one of GitHub Pages."""


@dataclass(frozen=True, slots=True)
class Host:
    """How a host finds files. Change single rules with `dataclasses.replace`.

    `index_names`: file names that stand for their folder, best first. `fallback_extensions`: what is put after a path
    that names no file, without the dot, best first (rule 3). `slash_after_file`: whether `/a/` finds what `/a` does.
    `not_found`: the name of the 404 page. `case_sensitive`: whether `/A` is another path than `/a`. `redirect_files`:
    those with redirections that it reads, in that order; `redirects_always`: whether they all go before files that
    exist; `plain_redirects`: whether a line of `_redirects` has a path, where that leads, a status, and nothing else.
    `header_file`: the file that says which header fields it sends. `own_paths`: what paths begin with that the host
    answers itself. `error_pages`: paths below the folder, of other pages that it answers errors with. `charset`: the
    encoding that it says all files of type text/* are in, unless it is told another. `lists_folders`: whether a folder
    without an index file is shown.

    `own_files`: files that no other host reads, so that one in the folder names it; `signs`: files that do so where
    nothing else does. `settings_file`: one that changes its rules, and `settings`: what gives, of the bytes of that
    file, the fields of `Host` that it changes.
    """

    name: str
    index_names: tuple[str, ...] = ("index.html",)
    fallback_extensions: tuple[str, ...] = ()
    slash_after_file: bool = False
    not_found: str | None = None
    case_sensitive: bool = True
    redirect_files: tuple[RedirectFile, ...] = ()
    redirects_always: bool = False
    header_file: HeaderFile | None = None
    own_paths: tuple[str, ...] = ()
    error_pages: frozenset[str] = frozenset()
    charset: str | None = None
    lists_folders: bool = False
    plain_redirects: bool = False
    own_files: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    settings_file: str | None = None
    settings: Callable[[bytes], Mapping[str, Any]] | None = None


_ALL = (
    Host("none", header_file="_headers"),
    # docs.github.com, "About GitHub Pages" (index.html as the entry file) and "Creating a custom 404 page"; that /a is
    # a.html and /a/ is not: observed, github.com/slorber/trailing-slash-guide. Like the two below, it sends
    # "Content-Type: text/html; charset=utf-8", and goes by the ending of a file's name alone. CNAME: "Managing a custom
    # domain"
    Host(
        "github-pages",
        fallback_extensions=("html",),
        not_found="404.html",
        charset="utf-8",
        signs=(".nojekyll", CNAME),
    ),
    # docs.netlify.com, "Redirects and rewrites" (_redirects) and "Redirect options" ("custom 404 page handling";
    # "trailing slash": /a and /a/ are one path; "shadowing": an existing file goes first unless forced by "!"). Paths
    # are not case-sensitive: Netlify's support forum; measured at jvt.me, 2019-11-11. Functions are at /.netlify/
    Host(
        "netlify",
        fallback_extensions=("html",),
        slash_after_file=True,
        not_found="404.html",
        case_sensitive=False,
        redirect_files=("_redirects", "netlify.toml"),
        header_file="_headers",
        own_paths=(".netlify/",),
        own_files=("netlify.toml",),
        charset="utf-8",
    ),
    # developers.cloudflare.com/pages, "Serving Pages" (/a.html is redirected to /a, /a/index.html to /a/; the nearest
    # 404.html upward) and "Redirects" ("always followed, regardless of whether or not an asset matches"); that /a/ is
    # redirected to /a: trailing-slash-guide as above. developers.cloudflare.com, "/cdn-cgi/ endpoint"
    Host(
        "cloudflare-pages",
        fallback_extensions=("html",),
        slash_after_file=True,
        not_found="404.html",
        redirect_files=("_redirects",),
        header_file="_headers",
        redirects_always=True,
        plain_redirects=True,
        own_paths=("cdn-cgi/",),
        own_files=("wrangler.toml", "wrangler.json", "wrangler.jsonc", "_worker.js", "_routes.json"),
        charset="utf-8",
    ),
    # nginx.org, ngx_http_index_module ("index index.html" by default) and ngx_http_core_module (no try_files by
    # default). On Linux, names are case-sensitive
    Host("nginx"),
    # vercel.com/docs/project-configuration, "cleanUrls" (false by default: see vercel.py) and "trailingSlash" (by
    # default either way); "Custom 404 page"
    Host(
        "vercel",
        not_found="404.html",
        redirect_files=("vercel.json",),
        own_files=("vercel.json",),
        settings_file="vercel.json",
        settings=vercel_settings,
        charset="utf-8",
    ),
    # httpd.apache.org/docs/2.4, mod_dir (DirectoryIndex index.html by default, DirectorySlash On), content negotiation
    # (MultiViews off unless named) and mod_alias (before files are looked for)
    Host("apache", redirect_files=(".htaccess",), redirects_always=True, header_file=".htaccess"),
)

HOSTS: Final[Mapping[str, Host]] = MappingProxyType({host.name: host for host in _ALL})
"""All profiles, by name."""
