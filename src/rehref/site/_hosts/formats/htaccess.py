"""The rules for paths in an Apache `.htaccess` (httpd.apache.org/docs/2.4/mod/: mod_alias, mod_dir, core).

`Redirect [status] path to` matches the path and everything below it; the rest of the path is appended to `to`. The path
begins at the root of the host, wherever the file is. `RedirectMatch [status] regex to` matches if the expression is
found in the path. Both take precedence over files, and hold for the content of the folder of the `.htaccess`. Of
several lines with `DirectoryIndex`, the names add up, and `disabled` alone cancels the ones before; of several with
`FallbackResource` the last counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from rehref.documents.media_types import MediaType
from rehref.site._expressions import Expression, ExpressionError
from rehref.site._hosts.directories import Directory, Fallback
from rehref.site._hosts.formats.changed_rules import with_rules
from rehref.site._hosts.formats.placeholders import compiled_target
from rehref.site._hosts.formats.redirect_format import Format
from rehref.site._hosts.host_files import HTACCESS, logical_lines
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import (
    FoundRules,
    Pointer,
    RefusedError,
    Rule,
    Template,
    Unread,
    is_absolute,
    root_of,
    span_of,
)
from rehref.site._hosts.written_redirects import Redirect
from rehref.site._paths import decode

_ARGUMENT = re.compile(r""""((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\S+)""", re.DOTALL)
_OF_REWRITING = re.compile(r""""([^"]*)"|'([^']*)'|((?:\\\s|\S)+)""")
_ESCAPED = ("", r'\\([\\"])', r"\\([\\'])", r"\\(\\)")  # by the groups of the above
_STATUS_NAMES = MappingProxyType({"permanent": 301, "temp": 302, "seeother": 303, "gone": 410})
_FIXED_STATUS = MappingProxyType(
    {"redirect": None, "redirectmatch": None, "redirectpermanent": 301, "redirecttemp": 302}
)
_LEADING = MappingProxyType({"errordocument": 1, "fallbackresource": 0, "rewriterule": 1})
_DEPENDS = MappingProxyType(
    {"redirectmatch": re.compile(r"(?<!\\)\$[0-9]").search, "rewriterule": re.compile(r"(?<!\\)(?:\\\\)*+[$%]").search}
)
_LITERAL = re.compile(r"\^((?:[^\\.^$*+?()\[\]{}|]|\\[^A-Za-z0-9])*)\$").fullmatch
_TRANSPARENT = frozenset({"<ifmodule", "<ifdefine", "<ifversion"})
_GROUP = re.compile(r"\\(.)|\$([0-9])", re.DOTALL)
_UNMATCHED = re.compile("%(?:3[Ff]|23|[01])").search
_TESTED = ("%{REQUEST_URI}", "%{QUERY_STRING}")
_FLAGS = ({"R=301", "NE", "L"}, {"R=301", "NE", "QSD", "L"})  # without and with a query
_KEPT = "$-_.+!*'(),:;@&=/~"  # httpd: T_OS_ESCAPE_PATH, ap_escape_uri

# # directives that are never used, and those that are used only with one of these values
_NAMES = "Alias AliasMatch ScriptAlias ScriptAliasMatch ProxyPass ProxyPassMatch UserDir"
_NOT_READ = MappingProxyType({name.lower(): name for name in _NAMES.split()})
_USUAL = MappingProxyType(
    {
        "directoryslash": ("DirectorySlash", frozenset({"on"})),
        "checkspelling": ("CheckSpelling", frozenset({"off"})),
        "acceptpathinfo": ("AcceptPathInfo", frozenset({"off", "default"})),
    }
)
_OF_CHARSETS = frozenset({"addcharset", "addtype", "forcetype", "adddefaultcharset"})
_ON = "iso-8859-1"  # the meaning of `AddDefaultCharset On`
_UNUSUAL_OPTIONS = frozenset({"all", "indexes", "multiviews"})


def parse_htaccess(found: FoundRules, data: bytes, name: str, within: str) -> Directory:
    """Add the rules of a file to those that were found.

    Directives in `<IfModule>`, `<IfDefine>` or `<IfVersion>` are used, but not if the section has a "!". Directives in
    any other section depend on conditions, and are not used, except `ErrorDocument`, which always is.
    """
    reader = _Reader(within, found.rules)
    sections: list[bool] = []
    for number, content, offsets in logical_lines(data):
        line = content.decode("utf-8", "surrogateescape").strip().replace("\t", " ")
        directive, _, rest = line.partition(" ")
        directive = directive.lower()
        if directive.startswith("</"):
            if sections:
                sections.pop()
        elif directive.startswith("<"):
            sections.append(directive in _TRANSPARENT and not rest.lstrip().startswith("!"))
        elif line != "" and not line.startswith("#"):
            words, always = _words_of(directive, rest), all(sections)
            at = _leading(directive, words)
            if at is not None:
                raw = _raw_words(directive, rest)
                span, place = span_of(raw, at, content, offsets), (offsets[0], offsets[-1])
                only = _only_path(directive, words[at - 1]) if always and directive in _FIXED_STATUS else ""
                to = _escaped(words[at]) if directive == "redirectmatch" else _readable(words[at])
                to = re.sub(r"\\(.)", r"\1", to) if directive == "rewriterule" else to
                written = _writer(directive, words)
                found.pointers.append(Pointer(name, number, to, span, only, True, place if only else None, written))
            try:
                reader.take(f"{name}:{number}", directive, rest, always=always)
            except (RefusedError, ExpressionError) as refused:
                found.unread.append(Unread(name, number, _readable(str(refused))))
    return reader.said


def _writer(directive: str, words: Sequence[str]) -> Callable[[str], str | None]:
    """Return what writes a new target in its place in a directive; it returns None for one that cannot be there."""
    if directive == "rewriterule":
        return partial(_substitution, is_encoded="NE" in _flags(words))
    return _match_target if directive == "redirectmatch" else str


def _leading(directive: str, words: Sequence[str]) -> int | None:
    """Return the number of the word with the target of a directive, if that is plain.

    It is if it is a path from the root or a whole URI, and, in directives with an expression, has no `$` and no `%`.
    """
    if directive in _FIXED_STATUS:
        has_status = _FIXED_STATUS[directive] is None and bool(words) and _status(words[0]) is not None
        at = 2 if has_status else 1
        is_right = at == len(words) - 1
    else:
        at = _LEADING.get(directive, len(words))
        is_right = at < len(words)
    if not is_right or not is_absolute(words[at]):
        return None
    depends = _DEPENDS.get(directive)
    return None if depends is not None and depends(words[at]) is not None else at


def _only_path(directive: str, source: str) -> str:
    """Return the only path that a redirection is for; "" if there may be others."""
    if directive == "redirectmatch":
        literal = _LITERAL(source)
        return "" if literal is None else re.sub(r"\\(.)", r"\1", literal[1])
    return source if "." in source.rpartition("/")[2] else ""  # nothing is below a file


def _read(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    within = path.removesuffix(HTACCESS)
    found.directories[within.rstrip("/")] = parse_htaccess(found, data, path, root_of(site_uri) + within)


def _lines(redirect: Redirect) -> str:
    """Return the lines for a redirect.

    `RedirectMatch` cannot lead to a path with `?` or `#`. `Redirect` leads on from what is below a path, too, but a
    file has nothing there; neither can depend on a query. `RewriteRule` can do all that, if its module is there.
    """
    source, to = redirect.path, _match_target(redirect.to)
    if redirect.query is None and to is not None:
        pattern = re.sub(r"\\([ #&~-])", r"\1", re.escape(source))
        return f'RedirectMatch 301 "^{_quoted(pattern)}$" "{to}"'
    if redirect.query is None and "${" not in source and _only_path("redirect", source):
        source = source.replace("\\", "\\\\").replace('"', '\\"')
        return f'Redirect 301 "{source}" "{redirect.to}"'
    conditions = f"RewriteCond %{{REQUEST_URI}} ^{re.escape(source)}$\n"
    if redirect.query is not None:
        conditions += f"RewriteCond %{{QUERY_STRING}} ^{re.escape(redirect.query)}$\n"
    flags = "NE,L" if redirect.query is None else "NE,QSD,L"
    rule = f"{conditions}RewriteRule ^ {_substitution(redirect.to, is_encoded=True)} [R=301,{flags}]"
    return f"<IfModule mod_rewrite.c>\nRewriteEngine On\n{rule}\n</IfModule>"


def _quoted(text: str) -> str:
    """Return an expression or its target, for double quotes around it: a single backslash stays as it is."""
    return text.replace("\\\\", "\\\\\\\\").replace('"', '\\"')


def _match_target(uri: str) -> str | None:
    """Return a target for `RedirectMatch`, for double quotes around it: Apache encodes its path.

    Returns None for a path with `?`, `#` or a control character, which cannot be written so.
    """
    path = re.split("[?#]", uri)[0]
    if _UNMATCHED(path):
        return None
    text = re.sub(r"\\|\$(?!\{)|(?<=\$)\{", r"\\\g<0>", decode(path))  # `${NAME}` would be a variable
    return _quoted(text) + uri[len(path) :].replace("$", "%24")


def _substitution(uri: str, *, is_encoded: bool) -> str | None:
    """Return a target for `RewriteRule`; None if it cannot be written so.

    `is_encoded`: whether the rule has the flag `NE`, so that Apache does not encode it.
    """
    path = re.split("[?#]", uri)[0]
    if not is_encoded and ("#" in uri or "%22" in path or _UNMATCHED(path)):
        return None
    return re.sub(r"[\\$%]", r"\\\g<0>", uri if is_encoded else decode(path) + uri[len(path) :])


FORMAT: Final = Format("apache", _read, lambda data, redirects, host: with_rules(data, redirects, _lines))


def _escaped(target: str) -> str:
    """Return the URI that Apache sends for the target of `RedirectMatch`."""
    parts = _template(target, 0)
    return "".join(part for part in parts if isinstance(part, str))


@dataclass(slots=True)
class _Reader:
    """Collects the directives of one file; `within`: as for `parse_htaccess`."""

    within: str
    rules: list[Rule]
    said: Directory = field(default_factory=Directory)
    _conditions: list[list[str]] = field(default_factory=list)

    def take(self, where: str, directive: str, rest: str, *, always: bool) -> None:
        """Use one directive, in lower case, if it decides where paths lead; `always`: without conditions.

        Raises `RefusedError`, `ExpressionError`.
        """
        redirects = directive in _FIXED_STATUS
        if redirects or directive in ("directoryindex", "fallbackresource"):
            if not always:
                raise RefusedError("it depends on a condition")
            words = _words(rest)
            if redirects:
                self.rules.append(_rule(where, directive, words, self.within))
            elif directive == "directoryindex":
                self._take_index_names(words)
            else:
                self._take_fallback(where, words)
        elif directive == "rewritecond":
            self._conditions.append(_words_of(directive, rest))
        elif directive == "rewriterule":
            conditions, self._conditions = self._conditions, []
            rule = _rewriting_rule(where, conditions, _words_of(directive, rest), self.within) if always else None
            if rule is None:
                raise RefusedError("RewriteRule is not read")
            self.rules.append(rule)
        elif directive in _OF_CHARSETS:
            if always:
                self._take_charset(directive, _words(rest))
        elif directive == "errordocument":
            self.said.error_pages += tuple(page for page in _words(rest)[1:2] if page.startswith("/"))
        else:
            reason = _why_not_read(directive, rest)
            if reason != "":
                raise RefusedError(reason)

    def _take_charset(self, directive: str, words: Sequence[str]) -> None:
        """Use one directive about encodings (mod_mime, core).

        Under a condition it is not used; that is not reported, since it breaks no link.
        """
        if not words:
            return
        first = words[0]
        extensions = [word.lower().removeprefix(".") for word in words[1:]]
        if directive == "adddefaultcharset":
            self.said.default = {"off": "", "on": _ON}.get(first.lower(), first)
        elif directive == "addcharset":
            self.said.of_extensions.update(dict.fromkeys(extensions, first))
        elif directive == "addtype":
            self.said.of_types.update(dict.fromkeys(extensions, MediaType.charset_of(first)))
        else:
            self.said.forced = MediaType.charset_of(first)

    def _take_index_names(self, names: Sequence[str]) -> None:
        are_disabled = [name.lower() for name in names] == ["disabled"]
        self.said.index_names = () if are_disabled else (*(self.said.index_names or ()), *names)

    def _take_fallback(self, where: str, words: Sequence[str]) -> None:
        if len(words) != 1:
            raise RefusedError("it needs one path, or disabled")
        path = "" if words[0].lower() == "disabled" else words[0]
        if path != "" and not path.startswith("/"):
            raise RefusedError(f"{path} is not a path from the root")
        self.said.fallback = Fallback(path, where)


def _why_not_read(directive: str, rest: str) -> str:
    """Return why to report that a directive is not used; "" if it is not reported.

    Those are reported that may change where a path leads: `Alias` and the like, any `RewriteRule` that is not read,
    lists of folders (`Options Indexes`) and searches for similar names (`MultiViews`, `CheckSpelling`).
    """
    if directive in _NOT_READ:
        return f"{_NOT_READ[directive]} is not read"
    if directive in _USUAL:
        name, usual = _USUAL[directive]
        value = rest.strip()
        return "" if value.lower() in usual else f"{name} {value} is not read"
    if directive == "options":
        unusual = [word for word in rest.split() if word.removeprefix("+").lower() in _UNUSUAL_OPTIONS]
        return f"Options {' '.join(unusual)} is not read" if unusual else ""
    return ""


def _rule(where: str, directive: str, words: list[str], within: str) -> Rule:
    """Return the rule of one directive. Raises `RefusedError`, `ExpressionError`."""
    status = _FIXED_STATUS[directive]
    if status is None:
        status = 302
        named = _status(words[0]) if words else None
        if named is not None:
            status = named
            words = words[1:]
    leads = 300 <= status < 400
    if len(words) != (2 if leads else 1):
        needed = "it needs a path and a target" if leads else "it needs a path, and nothing else"
        raise RefusedError(f"{needed}, with the status {status}")
    source = words[0]
    target = _readable(words[1]) if leads else ""
    is_match = directive == "redirectmatch"
    if leads and not is_absolute(target) and not (is_match and _GROUP.match(target) is not None):
        raise RefusedError(f"{target} is neither a path from the root nor a whole URI")
    if is_match:
        expression = Expression(source, where, dot_is_any=True)
        caught = _template(target, expression.compiled.groups)
        return Rule(where, _only_path(directive, source), expression, caught, status, always=True, within=within)
    if not source.startswith("/"):
        raise RefusedError(f"a path begins with a slash, and {source} does not")
    tail = "(.*)" if source.endswith("/") else "((?:/.*)?)"
    pattern = re.compile(rf"\A{re.escape(source)}{tail}\Z", re.DOTALL)
    to: Template = (target, 1) if leads else ()
    return Rule(where, source, pattern, to, status, always=True, within=within)


def _rewriting_rule(where: str, conditions: Sequence[list[str]], words: list[str], within: str) -> Rule | None:
    """Return the rule of a `RewriteRule` after its conditions; None if it is not one that is read.

    It is read for a path, and perhaps a query, which `RewriteCond` says letter by letter.
    """
    tested = [_LITERAL(each[1]) if len(each) == 2 else None for each in conditions]
    found = [re.sub(r"\\(.)", r"\1", each[1]) for each in tested if each is not None]
    path, query = (*found, None, None)[:2]
    is_tested = tuple(each[0] for each in conditions) == _TESTED[: len(found)]
    if path is None or not is_tested or _flags(words) != _FLAGS[query is not None] or words[0] != "^":
        return None
    target = _readable(re.sub(r"\\(.)", r"\1", words[1]))
    if not is_absolute(target) or _DEPENDS["rewriterule"](words[1]) is not None:
        return None
    pattern = re.compile(rf"\A{re.escape(path)}\Z", re.DOTALL)
    return Rule(where, path, pattern, (target,), 301, always=True, within=within, query=query)


def _flags(words: Sequence[str]) -> frozenset[str]:
    """Return the flags of a `RewriteRule`; none if it has not three arguments."""
    return frozenset(words[2].strip("[]").split(",")) if len(words) == 3 else frozenset()


def _words_of(directive: str, text: str) -> list[str]:
    """Return the arguments of a directive; mod_rewrite has rules of its own for quotes and backslashes."""
    return _raw_words(directive, text) if directive.startswith("rewrite") else _words(text)


def _raw_words(directive: str, text: str) -> list[str]:
    """Return the arguments of a directive as they are written, without their quotes."""
    argument = _OF_REWRITING if directive.startswith("rewrite") else _ARGUMENT
    return [each[each.lastindex or 0] for each in argument.finditer(text)]


def _readable(text: str) -> str:
    """Return a text in which what is not UTF-8 is replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _words(text: str) -> list[str]:
    """Return the arguments of a directive."""
    numbered = ((each.lastindex or 0, each) for each in _ARGUMENT.finditer(text))
    return [re.sub(_ESCAPED[number], r"\1", each[number]) for number, each in numbered]


def _status(word: str) -> int | None:
    """Return a status: a number, `permanent`, `temp` (the default), `seeother`, `gone`.

    Only 300 to 399 lead somewhere.
    """
    if word.isascii() and word.isdigit() and len(word) == 3:
        return int(word)
    return _STATUS_NAMES.get(word.lower())


def _template(target: str, groups: int) -> Template:
    """Return the target of a `RedirectMatch`; `$` with the number of a group that does not exist is empty.

    Whether it is a path from the root, or a whole URI, may depend on the groups. Its text is a decoded path; a
    backslash escapes the next character.
    """
    parts = compiled_target(
        target,
        _GROUP,
        lambda found: found[1] if found[2] is None else int(found[2]) if int(found[2]) <= groups else "",
    )
    ending = next(
        (number for number, part in enumerate(parts) if isinstance(part, str) and re.search("[?#]", part)), len(parts)
    )
    return tuple(
        _encoded(part) if isinstance(part, str) and number <= ending else part for number, part in enumerate(parts)
    )


def _encoded(text: str) -> str:
    """Return the text of a target, with what is before a query and a fragment encoded as Apache does."""
    path = re.split("[?#]", text)[0]
    return quote(path, _KEPT, "utf-8", "surrogatepass") + text[len(path) :]
