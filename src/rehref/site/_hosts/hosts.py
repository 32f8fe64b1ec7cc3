"""How hosts find the file for a path: one profile for each host; `none` means files as they are.

On every host, a path that names a file leads to that file, and that of a folder to its index file. Visitors of a broken
link see the 404 page. It does not repair the link, so it is only named here, as a page that needs no link to it. For
the same reason, the "single-page application" mode of Cloudflare Pages, which answers every path with `/index.html` if
there is no `404.html`, makes no link right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias


def vercel_settings(data: bytes) -> Mapping[str, Any]:
    """Return what `vercel.json` changes in the rules of its host: fields of `Host`. Raises nothing.

    With `"cleanUrls": true`, `/a` is `a.html`, and so is `/a/`. It answers the path of a folder with and without the
    slash; with `trailingSlash` it redirects to the one (true) or the other (false)
    (vercel.com/docs/project-configuration).
    """
    import json

    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(said, dict):
        return {}
    clean = {"fallback_extensions": ("html",), "slash_after_file": True} if said.get("cleanUrls") is True else {}
    slash = said.get("trailingSlash")
    return clean | ({"folder_slash": "added" if slash else "removed"} if isinstance(slash, bool) else {})


RedirectFile: TypeAlias = Literal["_redirects", ".htaccess", "netlify.toml", "vercel.json"]
HeaderFile: TypeAlias = Literal["_headers", ".htaccess"]
FolderSlash: TypeAlias = Literal["added", "optional", "removed"]

CNAME: Final = "CNAME"
"""The file with the name of the host; GitHub Pages is the host only if it has one."""


class Host(NamedTuple):
    """How a host finds files. Replace single rules with `_replace`.

    `index_names`: names of index files, best first. `fallback_extensions`: extensions to try after a path that names no
    file, without the dot, best first: with clean URLs, `/a` leads to `a.html`. `slash_after_file`: whether `/a/` finds
    what `/a` does. `not_found`: the name of the 404 page. `case_sensitive`: whether `/A` and `/a` are different paths.
    `redirect_files`: the files with redirections that it reads, in that order; `plain_redirects`: whether a line of
    `_redirects` has only a path, its target and a status; `redirects_by_query`: whether its redirections may depend on
    the query. `header_file`: the file that sets the header fields that it sends. `own_paths`: the beginnings of paths
    that the host answers itself. `error_pages`: paths below the folder of other pages for errors. `charset`: the
    default encoding that it sends for all files of type text/*; it takes precedence over the document's own (HTML
    Standard §13.2.3.2). `lists_folders`: whether it shows the content of a folder without an index file. `made_of`:
    extensions of sources, without the dot, of which it makes pages (`/a.html`). `is_part`: whether the folder is only a
    part of what the host shows, so that paths out of it are not judged. `unknown`: an expression for paths in the
    folder that are not judged if they lead nowhere. `folders_first`: whether `/a` leads to the folder `a` even if there
    is `a.html`. `redirects_on_host`: whether the paths in its redirections begin at the root of the host, and not at
    the folder. `folder_slash`: whether it redirects the path of a folder to the one with the slash, as most do, answers
    both, or redirects to the one without. `own_files`: files that no other host reads, so that one in the folder
    identifies it; `signs`: files that do so if nothing else does. `domain`: the domain, with a dot before it, below
    which it gives each site a name. `settings_file`: a file that changes its rules; `settings`: returns, from the bytes
    of that file, the fields of `Host` that it changes.
    """

    name: str
    index_names: tuple[str, ...] = ("index.html",)
    fallback_extensions: tuple[str, ...] = ()
    slash_after_file: bool = False
    not_found: str | None = None
    case_sensitive: bool = True
    redirect_files: tuple[RedirectFile, ...] = ()
    header_file: HeaderFile | None = None
    own_paths: tuple[str, ...] = ()
    error_pages: frozenset[str] = frozenset()
    charset: str | None = None
    lists_folders: bool = False
    made_of: tuple[str, ...] = ()
    is_part: bool = False
    unknown: re.Pattern[str] | None = None
    plain_redirects: bool = False
    redirects_by_query: bool = False
    folders_first: bool = False
    redirects_on_host: bool = False
    folder_slash: FolderSlash = "added"
    own_files: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    domain: str | None = None
    settings_file: str | None = None
    settings: Callable[[bytes], Mapping[str, Any]] | None = None


_ALL = (
    Host("none", header_file="_headers"),
    # # docs.github.com, "About GitHub Pages" (index.html as the entry file) and "Creating a custom 404 page"; that /a
    # is a.html and /a/ is not: observed, github.com/slorber/trailing-slash-guide. Like the two below, it sends
    # "Content-Type: text/html; charset=utf-8", and looks at the extension of a file's name only. CNAME: "Managing a
    # custom domain"
    Host(
        "github-pages",
        fallback_extensions=("html",),
        not_found="404.html",
        charset="utf-8",
        signs=(".nojekyll", CNAME),
        domain=".github.io",
    ),
    # # docs.netlify.com, "Redirects and rewrites" (_redirects) and "Redirect options" ("custom 404 page handling";
    # "trailing slash": /a and /a/ are one path; "shadowing": an existing file takes precedence unless forced by "!").
    # Paths are not case-sensitive: Netlify's support forum; measured at jvt.me, 2019-11-11. Functions are at /.netlify/
    Host(
        "netlify",
        fallback_extensions=("html",),
        slash_after_file=True,
        not_found="404.html",
        case_sensitive=False,
        redirect_files=("_redirects", "netlify.toml"),
        redirects_by_query=True,
        header_file="_headers",
        own_paths=(".netlify/",),
        own_files=("netlify.toml",),
        domain=".netlify.app",
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
        plain_redirects=True,
        own_paths=("cdn-cgi/",),
        own_files=("wrangler.toml", "wrangler.json", "wrangler.jsonc", "_worker.js", "_routes.json"),
        domain=".pages.dev",
        charset="utf-8",
    ),
    # docs.gitlab.com, "GitLab Pages": "Resolve ambiguous URLs" (/a is a.html, but the folder a takes precedence, even
    # without an index file: gitlab-org/gitlab-pages#1130), "Redirects" ("Files override redirects"; the path of the
    # project is a part of each rule) and "Custom error codes pages"
    Host(
        "gitlab-pages",
        fallback_extensions=("html",),
        folders_first=True,
        not_found="404.html",
        redirect_files=("_redirects",),
        redirects_on_host=True,
        domain=".gitlab.io",
        charset="utf-8",
    ),
    # nginx.org, ngx_http_index_module ("index index.html" by default) and ngx_http_core_module (no try_files by
    # default). On Linux, names are case-sensitive
    Host("nginx", redirects_on_host=True),
    # vercel.com/docs/project-configuration, "cleanUrls" (false by default: see `vercel_settings`) and "trailingSlash"
    # (by default either way); "Custom 404 page"
    Host(
        "vercel",
        not_found="404.html",
        redirect_files=("vercel.json",),
        redirects_by_query=True,
        folder_slash="optional",
        own_files=("vercel.json",),
        domain=".vercel.app",
        settings_file="vercel.json",
        settings=vercel_settings,
        charset="utf-8",
    ),
    # httpd.apache.org/docs/2.4, mod_dir (DirectoryIndex index.html by default, DirectorySlash On), content negotiation
    # (MultiViews off unless named) and mod_alias (before files are looked for)
    Host(
        "apache",
        redirect_files=(".htaccess",),
        redirects_by_query=True,
        redirects_on_host=True,
        header_file=".htaccess",
    ),
)

HOSTS: Final[Mapping[str, Host]] = MappingProxyType({host.name: host for host in _ALL})
"""All profiles, by name."""

CONFIGURING: Final = frozenset(
    name
    for host in _ALL
    for name in (*host.redirect_files, *host.own_files, *host.signs, host.header_file, host.settings_file)
)
"""The names of files that configure some host, or are a sign of it; "" is among them."""
