"""The options for reading a source, each declared once.

`ReadOptions` says how any document is read; `SourceOptions` holds what is known about one source. Their fields give the
keyword arguments of `rehref.links` and similar functions, the text about them in docstrings, the options of the command
line, and their keys in a configuration file. To add an option, declare it here and use it where it counts.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, TypedDict

from rehref.documents._markdown.dialects import DIALECTS
from rehref.documents.base import Base, Candidate, Layers, clean
from rehref.exceptions import OptionError, refuse_no_flags, refuse_unknown, with_value
from rehref.markup import cores
from rehref.markup.parsed import Core
from rehref.option_rows import DOCUMENTS, Option, Separated, rows_of
from rehref.text.encoding import UnknownEncodingError, labels, named
from rehref.uri.components import SCHEME, split
from rehref.uri.resolver import PROFILES, Profile

_KEY = "row"
_BEGINS = re.compile(f"{SCHEME}:").match
"""How a URI with a scheme begins."""
_GIVE = "give an absolute URI such as https://example.org/folder/page.html"


def _option(default: Any, help: str, metavar: str | None = None, **more: Any) -> Any:
    return field(default=default, metadata={_KEY: Option(help, metavar, default, **more)})


_of_base = partial(_option, group="Base URI")


def _media_types() -> Sequence[str]:
    from rehref.documents.media_types import MediaType

    return tuple(dict.fromkeys(MediaType.BY_EXTENSION.values()))


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How any document is read."""

    parser: str = _option(
        cores.DEFAULT,
        "The parser; rehref parsers lists them. For links, all: report what they disagree about.",
        "NAME",
        shows_default=True,
        known=cores.names,
        in_python="The name of a parser, one of those that rehref parsers lists.",
        found="counts",
    )
    profile: Profile = _option(
        "rfc3986",
        "How to resolve: by RFC 3986, strictly or ignoring a scheme that equals the base's (compat); "
        "by RFC 2396; or as browsers do (whatwg).",
        commands=(*DOCUMENTS, "check", "resolve"),
        choices=PROFILES,
        kind="text",
        shows_default=True,
        found="counts",
    )
    ignore_embedded_base: bool = _option(
        False, "Skip <base> elements and the like.", commands=(*DOCUMENTS, "check"), found="counts"
    )
    scripting: bool = _option(
        False,
        "Read as a browser that runs scripts: <noscript> holds text.",
        commands=(*DOCUMENTS, "check"),
        found="counts",
    )
    strict_uris: bool = _option(
        False,
        "Report characters outside ASCII too, which IRIs may have and URIs may not (RFC 3987).",
        commands=("links", "check"),
        found="counts",
    )
    text: bool = _option(
        False,
        "Give the text of hyperlinks, too: of an a, with the alt of images in it, or the alt of an area.",
        commands=("links",),
        found="counts",
    )
    conditional_comments: bool = _option(
        False, "Look into <!--[if IE]> comments, too.", commands=(*DOCUMENTS, "check"), found="counts"
    )
    attributes: Sequence[str] = _option(
        (),
        "Another attribute that carries references; * means any element. SYNTAX: url (the default), srcset (the "
        "default for names that end so), spaces, commas, css, or image (a URL or a CSS value). May be repeated.",
        "ELEMENT@NAME[=SYNTAX]",
        commands=(*DOCUMENTS, "check"),
        flags=("--attribute",),
        in_python="More attributes that carry references: `ELEMENT@NAME` or `ELEMENT@NAME=SYNTAX` each; without an "
        "ELEMENT, or with `*`, on any element. SYNTAX: url (the default), srcset (the default for names that end so), "
        "spaces, commas, css, or image (a URL or a CSS value).",
        found="counts",
    )
    dialect: str | None = _option(
        None,
        "How Markdown is read: what is a link, which ids headings get, which paths lead to a file. Default: for links "
        "and rewrite, as github; for check and mv, as the generator whose configuration is beside the files or above. "
        f"NAME: {', '.join(tuple(DIALECTS)[:-1])} or {tuple(DIALECTS)[-1]}.",
        "NAME",
        commands=(*DOCUMENTS, "check", "mv"),
        choices=tuple(DIALECTS),
        found="counts",
    )
    max_time: float = _option(
        300,
        "Skip documents whose references take more seconds to read; nearly all take less than one.",
        "SECONDS",
        least=1,
        commands=(*DOCUMENTS, "check"),
        shows_default=True,
        found="yours",
    )
    names: bool = False
    """Whether to look for the names that fragments lead to, too: nobody gives it, the checker asks for it."""
    metas: bool = False
    """Whether to read the `meta` and `base` elements of HTML alone, which takes less time: the checker asks for it."""
    mdx_by_name: bool = False
    """Whether only `.mdx` is MDX in a dialect that has it: the checker reads that in a configuration."""
    DEFAULT: ClassVar["ReadOptions"]
    """How a document is read by default."""
    LONGEST_TIME: ClassVar[int] = 1_000_000_000
    """The most seconds that `max_time` may be."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "ReadOptions":
        """Those of the given options that say how any document is read; those about lazy loading add attributes.

        Raises `OptionError` for attributes that have no name, if those about lazy loading are given.
        """
        own = {name: value for name, value in given.items() if name in OF_READING}
        if "lazy" in given:
            from rehref.documents._custom_attributes import attributes_of

            own["attributes"] = attributes_of(given["attributes"], given["lazy_attributes"], lazy=given["lazy"])
        elif "attributes" in own:
            own["attributes"] = tuple(own["attributes"])
        return cls(**own) if own else cls.DEFAULT

    def core(self) -> Core:
        """The parser core that `parser` names. Raises `ParserError`."""
        return cores.core(self.parser)

    def refuse_other_attributes(self) -> None:
        """Raise `CustomAttributeError` if one of `attributes` does not name an attribute."""
        from rehref.documents._custom_attributes import custom_attribute  # hardly anybody names one

        for text in self.attributes:
            custom_attribute(text)

    def with_lazy(self) -> tuple["ReadOptions", frozenset[str]]:
        """The same with the attributes of lazy loading; and the names (`*@data-src`) of those that nobody asked for."""
        from rehref.documents._custom_attributes import also_lazy

        attributes, added = also_lazy(tuple(self.attributes))
        return replace(self, attributes=attributes), added


ReadOptions.DEFAULT = ReadOptions()


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What is known about a source besides its content, and how to read it."""

    url: str | None = _of_base(
        None,
        "The URI that the document was retrieved from (RFC 3986 §5.1.3); for a folder, the folder's URI. May be "
        "repeated for redirects: the last one counts. Default: the URI that a saved page says it was saved from, else "
        "its file: URI.",
        "URI",
        in_python="The URI that the document was retrieved from, after redirects (RFC 3986 §5.1.3). Default: the URI "
        "that the tool that saved the page wrote into it, else the file: URI of a path.",
        found="counts",
    )
    ignore_saved_from: bool = _of_base(
        False,
        "Do not use the URI that a saved page says it was saved from (in comments of browsers, SingleFile, HTTrack, "
        "monolith).",
        found="counts",
    )
    entity_base: str | None = _of_base(
        None, "The base URI of the enclosing entity (RFC 3986 §5.1.2).", "URI", found="counts"
    )
    default_base: str | None = _of_base(
        None, "The base URI if nothing else gives one (RFC 3986 §5.1.4).", "URI", found="counts"
    )
    content_location_base: bool = _of_base(
        False,
        "Use the Content-Location of an HTTP message as a base, though RFC 9110 says that it is not one.",
        found="counts",
    )
    media_type: str | None = _option(
        None,
        "The media type: text/html, application/xml, text/css, application/warc ... Default: from content and name.",
        "TYPE",
        known=_media_types,
        found="counts",
    )
    encoding: str | None = _option(
        None,
        "Read documents in this encoding: a label of the Encoding Standard, or Python's name. A byte order mark takes "
        "precedence. Default: what the host sends, if known, else what the documents declare.",
        "LABEL",
        known=labels,
        commands=(*DOCUMENTS, "check", "find"),
        found="counts",
    )
    max_size: int | None = _option(
        None,
        "Skip documents in a container that are larger than this unpacked, such as 500M or 2G. Default: 256M.",
        "SIZE",
        kind="size",
        in_python="The maximum size in bytes of an unpacked document in a container. Default: 256 MiB.",
        found="yours",
    )
    how: ReadOptions = ReadOptions.DEFAULT
    DEFAULT: ClassVar["SourceOptions"]
    """The options of a source about which nothing is known."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "SourceOptions":
        """The options given by name.

        Raises `TypeError` for an option that does not exist or has the wrong type, `OptionError` for an unknown
        profile, a `max_size` below 1, and a `url` or `default_base` without a scheme.
        """
        for name, value in given.items():
            if name not in DECLARED:
                from rehref.exceptions import nearest

                is_clear = sum(name in each for each in DECLARED) < 2  # "base" is part of several
                near = nearest(name, DECLARED) if is_clear else None
                known = f"there are {', '.join(DECLARED)}" if near is None else f"did you mean {near}?"
                raise TypeError(f"unknown argument {name!r}; {known}")
            _refuse_other_value(name, value)
        return cls.named(given)

    @classmethod
    def named(cls, given: Mapping[str, Any]) -> "SourceOptions":
        """The options given by name, unchecked: the caller has checked them."""
        own: dict[str, Any] = {}
        of_reading: dict[str, Any] = {}
        for name, value in given.items():
            (of_reading if name in OF_READING or name in _OF_LAZY_LOADING else own)[name] = value
        return cls(**own, how=ReadOptions.of(of_reading)) if of_reading else cls(**own)

    def refuse_unusable(self, called: Mapping[str, str] = MappingProxyType({})) -> None:
        """Raise `OptionError` for an encoding that does not exist, and for a URI that cannot be a base.

        `called`: the flags of fields that are given by other options.
        """
        if self.encoding is not None:
            _refuse_no_encoding(self.encoding, "--encoding")
        for name, value in (("url", self.url), ("default_base", self.default_base)):
            if value is not None:
                flag = called.get(name, DECLARED[name].flag)
                _refuse_no_base(flag, value, Candidate(value, "default", flag).alone(self.how.profile))
        # an entity base may be relative to a base that only the document gives; what is sure to fail is refused
        if self.entity_base is not None and split(self.entity_base).scheme is not None:
            _refuse_no_base(DECLARED["entity_base"].flag, self.entity_base, self.layers().base(self.how.profile))

    def layers(self, file: str | None = None, saved: Candidate | None = None) -> Layers:
        """The layers outside the source; `file`: its `file:` URI; `saved`: the URI that it says it was saved from."""
        entity = () if self.entity_base is None else (Candidate(self.entity_base, "entity", "entity base"),)
        return Layers(entity, self.url, self.default_base, file, saved)


SourceOptions.DEFAULT = SourceOptions()


class GivenShared(TypedDict, total=False):
    """The options that `rehref.check` has, too, as keyword arguments."""

    profile: Profile
    ignore_embedded_base: bool
    scripting: bool
    strict_uris: bool
    conditional_comments: bool
    dialect: str | None
    attributes: Sequence[str]
    encoding: str | None
    max_time: float


class Given(GivenShared, total=False):
    """The options as keyword arguments, for type checkers; a test compares them with the declaration."""

    parser: str
    text: bool
    url: str | None
    ignore_saved_from: bool
    entity_base: str | None
    default_base: str | None
    content_location_base: bool
    media_type: str | None
    max_size: int | None


def _refuse_other_value(name: str, value: object) -> None:
    """Raise `TypeError` or `OptionError` if a value given by a program is not valid for an option."""
    default = DECLARED[name].default
    if name == "attributes":
        is_list = isinstance(value, Sequence | AbstractSet) and not isinstance(value, str | bytes)
        if not is_list or not all(isinstance(each, str) for each in value):  # type: ignore[attr-defined]
            raise TypeError("attributes is a sequence of texts, such as ['img@data-src']")
    elif name == "max_size":
        if not isinstance(value, int | None) or isinstance(value, bool):
            raise TypeError(f"max_size is a number of bytes, not {type(value).__name__}")
        if value is not None and value < 1:
            raise OptionError.of(f"max_size must be at least 1 byte, not {value}")
    elif name == "max_time":
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise TypeError(f"max_time is a number of seconds, not {type(value).__name__}")
        if not 0 < value <= ReadOptions.LONGEST_TIME:
            raise OptionError.of(f"max_time must be more than 0 and at most {ReadOptions.LONGEST_TIME:,} seconds")
    elif isinstance(default, bool):
        refuse_no_flags(**{name: value})
    elif not isinstance(value, str) and (value is not None or default is not None):
        raise TypeError(f"{name} is a str, not {type(value).__name__}")
    elif name == "encoding" and isinstance(value, str):
        _refuse_no_encoding(value)
    elif name == "profile":
        refuse_unknown("profile", value, PROFILES)
    elif name in ("url", "default_base") and isinstance(value, str) and _BEGINS(clean(value)) is None:
        raise OptionError.of(f"{name} is {value!r}, which is not absolute (it has no scheme); {_GIVE}")


def _refuse_no_encoding(label: str, flag: str = "") -> None:
    """Raise `UnknownEncodingError` for a label that no encoding has; for a flag of a command, `OptionError`."""
    if named(label) is not None:
        return
    from rehref.exceptions import nearest

    near = nearest(label, labels())
    if not flag:
        raise UnknownEncodingError(f"unknown encoding {label!r}" + (f"; did you mean {near}?" if near else ""))
    remedy = "use a label of the Encoding Standard, such as utf-8, windows-1252 or shift_jis"
    raise OptionError(f"{flag} {label}", "there is no such encoding", f"did you mean {near}?" if near else remedy)


def _refuse_no_base(flag: str, value: str, base: Base) -> None:
    if base.rejected:
        raise OptionError(with_value(flag, value), f"cannot be a base: {base.rejected[0].reason}", _GIVE)


_OF_LAZY_LOADING: Final = ("lazy", "lazy_attributes")
OF_READING = frozenset(each.name for each in fields(ReadOptions))
DECLARED: Final[Mapping[str, Option]] = {
    each.name: each.metadata[_KEY].declared_as(each.name, each.type)
    for each in (*fields(SourceOptions), *fields(ReadOptions))
    if _KEY in each.metadata
}
"""Every option for reading that functions of Python have, by name."""


class GivenForSites(GivenShared, total=False):
    """The options of `GivenShared`, and those about lazy loading: `attributes` of other functions can say the same."""

    lazy: Annotated[
        bool,
        Option(
            "Read references in the attributes of well-known lazy loaders, sliders and optimizers: data-src, "
            "data-srcset, data-lazy-src, data-original, data-bg and others.",
            commands=(*DOCUMENTS, "check"),
            after="attributes",
            found="counts",
        ),
    ]
    lazy_attributes: Annotated[
        Separated,
        Option(
            "Read these attributes instead, separated by commas; implies --lazy.",
            "NAMES",
            commands=(*DOCUMENTS, "check"),
            after="lazy",
            in_python="Attributes for lazy loading that carry references, instead of the well-known ones.",
            example="data-src",
            found="counts",
        ),
    ]


OPTIONS: Final[Mapping[str, Option]] = {**DECLARED, **rows_of(GivenForSites)}
"""Every option for reading by name, those about lazy loading too, which the command line has."""
