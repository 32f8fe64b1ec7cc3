"""Wrong arguments: each is refused with what was wanted, or warned of, before anything is read."""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref

PAGE = "<a href=x>"
A_SOURCE = r"a source is bytes, a str \(the document itself\), a path \(pathlib.Path\) or something with read\(\), not "
ABSOLUTE = r"which is not absolute \(it has no scheme\); give an absolute URI such as https://example.org/"


def wrong(*cases: tuple[Callable[[], Any], type[Exception], str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("call", "error", "message"), cases)


def refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert error is not ValueError or isinstance(caught.value, rehref.OptionError)
    assert error is TypeError or issubclass(error, OSError) or isinstance(caught.value, rehref.RehrefError)


@pytest.mark.parametrize("function", [rehref.links, rehref.iter_links, rehref.iter_pages, rehref.rewrite])
@wrong(
    (lambda: {"source": None}, TypeError, A_SOURCE + "NoneType$"),
    (lambda: {"source": 5}, TypeError, A_SOURCE + "int$"),
    (lambda: {"source": ["<a>"]}, TypeError, A_SOURCE + "list$"),
    (lambda: {"source": io.StringIO(PAGE)}, TypeError, "a file must be opened in binary mode"),
    (lambda: {"url": "foo"}, ValueError, "url is 'foo', " + ABSOLUTE),
    (lambda: {"url": ""}, ValueError, "url is '', " + ABSOLUTE),
    (lambda: {"url": "//h/p"}, ValueError, "url is '//h/p', " + ABSOLUTE),
    (lambda: {"url": b"http://h/"}, TypeError, "url is a str, not bytes"),
    (lambda: {"url": Path("x")}, TypeError, "url is a str, not (Posix|Windows)Path"),
    (lambda: {"default_base": "/x/"}, ValueError, "default_base is '/x/', " + ABSOLUTE),
    (lambda: {"entity_base": 3}, TypeError, "entity_base is a str, not int"),
    (lambda: {"base": "http://h/"}, TypeError, "unknown argument 'base'; there are url, .*entity_base, default_base"),
    (lambda: {"uri": "http://h/"}, TypeError, "^unknown argument 'uri'; did you mean url.$"),
    (lambda: {"profile": "WHATWG"}, ValueError, "unknown profile 'WHATWG'; there are rfc3986, .*whatwg$"),
    (lambda: {"profile": None}, TypeError, "profile is a str, not NoneType"),
    (lambda: {"parser": 5}, TypeError, "parser is a str, not int"),
    (lambda: {"encoding": "utf9"}, LookupError, "unknown encoding 'utf9'; did you mean utf8?"),
    (lambda: {"encoding": "\ud800"}, LookupError, "unknown encoding '.ud800'"),
    (lambda: {"encoding": 8}, TypeError, "encoding is a str, not int"),
    (lambda: {"scripting": "no"}, TypeError, "scripting is True or False, not 'no'"),
    (lambda: {"attributes": "data-src"}, TypeError, r"attributes is a sequence of texts, such as \['img@data-src'\]"),
    (lambda: {"attributes": [5]}, TypeError, "attributes is a sequence of texts"),
    (lambda: {"max_size": "2G"}, TypeError, "max_size is a number of bytes, not str"),
    (lambda: {"max_size": True}, TypeError, "max_size is a number of bytes, not bool"),
    (lambda: {"max_size": 0}, ValueError, "max_size must be at least 1 byte, not 0"),
    (lambda: {"on_diagnostic": 5}, TypeError, "on_diagnostic must be a function of a Diagnostic, not int"),
)
def test_of_all_that_read(function: Callable[..., Any], call: Any, error: type[Exception], message: str) -> None:
    given = {"source": PAGE, **call()}
    refused(lambda: function(given.pop("source"), **given), error, message)


@pytest.mark.parametrize("url", ["data:text/html,x", "about:blank", "mailto:a@b", "HTTP://h"])
def test_a_url_that_has_a_scheme_is_accepted_though_it_may_be_no_base(url: str) -> None:
    assert len(rehref.links(PAGE, url=url)) == 1


@wrong(
    (
        lambda: "relative",
        TypeError,
        r"a rule is .*, not the str 'relative': give rehref.Relative\(\)$",
    ),
    (lambda: "offline", TypeError, r"not the str 'offline': give rehref.Offline\(files\)$"),
    (lambda: "https://r/{uri}", TypeError, r"give rehref.Template\('https://r/\{uri\}'\)$"),
    (
        lambda: "nonsense",
        TypeError,
        r"'nonsense': give such as rehref.Absolute\(\), or a function of a Link",
    ),
    (lambda: {"http://h/x": "y"}, TypeError, r"not dict: give rehref.Mapping\(…\) of it"),
    (lambda: rehref.Relative, TypeError, r"not a class: give Relative\(…\)"),
    (lambda: 5, TypeError, "a rule is an object or a function, not int"),
    (
        lambda: lambda link: 5,
        TypeError,
        r"returns the new .* as a str, None .*, or rehref.DROP, not int \(for 'x'\)",
    ),
    (lambda: lambda link: b"y", TypeError, "not bytes"),
)
def test_of_rules(call: Any, error: type[Exception], message: str) -> None:
    refused(lambda: rehref.rewrite(PAGE, call(), url="http://h/"), error, message)
    out = io.BytesIO()
    refused(lambda: rehref.rewrite_into(PAGE, out, call(), url="http://h/"), error, message)
    assert out.getvalue() == b""


@wrong(
    (lambda: rehref.rewrite(PAGE, percent_encode="no"), TypeError, "percent_encode is True or False, not 'no'"),
    (lambda: rehref.rewrite_into(PAGE, None), TypeError, "out must be a binary file, not NoneType"),
    (lambda: rehref.rewrite_into(PAGE, "out.html"), TypeError, "out must be a binary file, not str"),
    (lambda: rehref.rewrite_into(PAGE, io.StringIO()), TypeError, "out must be a binary file, not one in text mode"),
    (lambda: rehref.Absolute("x"), ValueError, "unknown base_element 'x'; choose from absolute, keep, empty, drop"),
    (lambda: rehref.Absolute(same_document="no"), TypeError, "same_document is True or False"),
    (lambda: rehref.Relative("x"), TypeError, "metadata is True or False, not 'x'"),
    (lambda: rehref.Mapping("x"), TypeError, "a mapping is made of a function or a table, not str"),
    (lambda: rehref.Mapping({1: 2}), TypeError, "a mapping has texts for keys and values"),
    (lambda: rehref.Mapping({}, metadata=1), TypeError, "metadata is True or False, not 1"),
    (lambda: rehref.Template(5), TypeError, "a template is a str, not int"),
    (lambda: rehref.Template("https://r/"), ValueError, "must name {uri}"),
    (lambda: rehref.Template("https://r/{x}/{uri}", x=5), TypeError, "the value of {x} is a str, not int"),
    (lambda: rehref.Template("https://r/{uri}", schemes=[5]), TypeError, "schemes is a collection of texts"),
    (lambda: rehref.Template("{uri}", schemes=None), TypeError, r"schemes is a collection of texts, such as \['http'"),
    (lambda: rehref.Offline(None), TypeError, "files are a table or a function, not NoneType"),
    (lambda: rehref.Offline({}, first="absolute"), TypeError, r"give rehref.Absolute\(\)"),
    (lambda: rehref.Offline({"http://h/": "../x"}), ValueError, "'../x' is not a path below a folder"),
)
def test_of_what_rules_are_made_of(call: Any, error: type[Exception], message: str) -> None:
    refused(call, error, message)


@wrong(
    (lambda: rehref.resolve("http://h/", None), TypeError, "a reference is a str, not NoneType"),
    (lambda: rehref.resolve(b"http://h/", "x"), TypeError, "a base is a str, not bytes"),
    (lambda: rehref.resolve("http://h/", "x", "WHATWG"), ValueError, "unknown profile 'WHATWG'; there are "),
    (
        lambda: rehref.resolve("docs/", "x"),
        ValueError,
        r"base is 'docs/', which is not absolute \(it has no scheme\); give",
    ),
    (lambda: rehref.resolve("docs/", "x", "whatwg"), ValueError, "base is 'docs/', which is not absolute"),
    (lambda: rehref.resolve("x", "http://h/"), ValueError, "the base comes first: is 'http://h/' the base"),
    (lambda: rehref.Resolver("//h/"), ValueError, "base is '//h/', which is not absolute"),
    (lambda: rehref.relativize("", "http://h/"), ValueError, "base is '', which is not absolute"),
    (lambda: rehref.explain("x", "http://h/"), ValueError, "the base comes first"),
    (lambda: rehref.Resolver("http://h/")(5), TypeError, "a reference is a str, not int"),
    (lambda: rehref.Resolver("http://h/")(b"x"), TypeError, "a reference is a str, not bytes"),
    (lambda: rehref.Resolver("http://h/", "rfc2396")(None), TypeError, "a reference is a str"),
    (lambda: rehref.relativize(5, "http://h/"), TypeError, "a base is a str, not int"),
    (lambda: rehref.relativize("http://h/", None), TypeError, "a target is a str, not NoneType"),
    (lambda: rehref.split(None), TypeError, "a reference is a str, not NoneType"),
    (lambda: rehref.split(b"x"), TypeError, "a reference is a str, not bytes"),
    (lambda: rehref.split_authority(None), TypeError, "an authority is a str, not NoneType"),
    (lambda: rehref.unsplit("abc"), TypeError, "components are a Components, or a tuple of scheme"),
    (lambda: rehref.unsplit((None, None, None, None, None)), TypeError, r"\(the path is a str\), not "),
    (lambda: rehref.normalize(None), TypeError, "a reference is a str, not NoneType"),
    (lambda: rehref.equivalent("x", None), TypeError, "a URI is a str, not NoneType"),
    (lambda: rehref.equivalent("x", "y", "z"), ValueError, "unknown profile 'z'; there are "),
    (lambda: rehref.find_uris(b"x"), TypeError, "a text is a str, not bytes"),
    (lambda: rehref.is_same_document("x", 5), TypeError, "a base is a str, not int"),
    (lambda: rehref.violations(5), TypeError, "a reference is a str, not int"),
    (lambda: rehref.violations("x", "rfc1"), ValueError, "unknown grammar 'rfc1'; there are rfc3986, rfc2396"),
    (
        lambda: rehref.is_valid("x", "rfc3986", "absoluteURI"),
        ValueError,
        "unknown production 'absoluteURI' of rfc3986",
    ),
    (lambda: rehref.explain("http://h/", None), TypeError, "a reference is a str, not NoneType"),
    (lambda: rehref.explain("http://h/", "x", "z"), ValueError, "unknown profile 'z'; there are "),
    (lambda: rehref.expand_suffix(None), TypeError, "a text is a str, not NoneType"),
)
def test_of_functions_of_uris(call: Any, error: type[Exception], message: str) -> None:
    refused(call, error, message)


@wrong(
    (lambda: {"jobs": "3"}, TypeError, "jobs is a number of processes, not str"),
    (lambda: {"jobs": 0}, ValueError, "jobs: 0 is not a number of processes; give a whole number, 1 or more"),
    (lambda: {"progress": 5}, TypeError, "progress is a function of two numbers, not int"),
    (lambda: {"external": "yes"}, TypeError, "external is True or False, not 'yes'"),
    (lambda: {"directory_listing": 1}, TypeError, "directory_listing is True or False, not 1"),
    (lambda: {"extenal": True}, TypeError, "unknown argument 'extenal'; did you mean external"),
    (lambda: {"select": "broken"}, TypeError, r"select is a sequence of texts, such as \['broken'\]"),
    (lambda: {"site_url": "foo"}, ValueError, "cannot be a base: it is relative, and an absolute URI is needed"),
    (lambda: {"accept": 700}, ValueError, "a status is a number from 100 to 599"),
)
def test_of_a_check(call: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    refused(lambda: rehref.check(tmp_path, **call()), error, message)


@wrong(
    (lambda: rehref.Relativizer("http://h/", "y"), rehref.OptionError, "unknown profile"),
    (lambda: rehref.violations("x", "rfc3986", "y"), rehref.OptionError, "unknown production"),
    (lambda: rehref.Offline({}, base_element="x"), rehref.OptionError, "unknown base_element"),
    (lambda: rehref.links(PAGE, parser="x"), LookupError, "x"),
    (lambda: rehref.links(PAGE, media_type="x"), rehref.UnknownMediaTypeError, "x"),
)
def test_a_value_that_cannot_be_used_is_an_error_of_rehref(call: Any, error: type[Exception], message: str) -> None:
    refused(call, error, message)


OF_SEPARATED_TEXTS = ("index_files", "fallback_extensions", "document_extensions", "lazy_attributes")


@pytest.mark.parametrize("name", OF_SEPARATED_TEXTS)
@pytest.mark.parametrize("value", [1, b"x", (1,), [b"x"], {1: 2}, True, object()])
def test_of_a_check_texts_that_commas_may_separate(name: str, value: object, tmp_path: Path) -> None:
    message = rf"^{name} is a sequence of texts, such as \['[a-z.-]+'\], or one text with commas between them, not "
    refused(lambda: rehref.check(tmp_path, **{name: value}), TypeError, message)


@pytest.mark.parametrize("name", OF_SEPARATED_TEXTS)
@pytest.mark.parametrize("value", ["x,y", ["x", "y"], ("x",), {"x"}])
def test_of_a_check_texts_that_are_accepted(name: str, value: object, tmp_path: Path) -> None:
    assert not rehref.check(tmp_path, **{name: value}).findings


@pytest.mark.parametrize("name", ["site_url", "host", "encoding", "profile"])
@pytest.mark.parametrize("value", [1, 0, b"http://a/", [], ["x"], io.StringIO("x"), {}])
def test_of_a_check_single_texts(name: str, value: object, tmp_path: Path) -> None:
    refused(lambda: rehref.check(tmp_path, **{name: value}), TypeError, rf"^{name} is a str, not ")


@wrong(
    (lambda: {"root_dir": 5}, TypeError, "^root_dir is the path of a folder, not int"),
    (lambda: {"root_dir": "none"}, ValueError, "^root_dir none: there is no such folder in .*; name a folder"),
    (lambda: {"files": 5}, TypeError, "^files is a sequence of paths, not int"),
    (lambda: {"files": [5]}, TypeError, "^each of files is a path, not int"),
    (lambda: {"files": ["\0"]}, rehref.OptionError, "^each of files: .* cannot be the name of a file"),
    (lambda: {"files": ["/"]}, rehref.OptionError, "^files: / is not in "),
    (lambda: {"per_path_ignores": {1: "x"}}, TypeError, "^per_path_ignores is a mapping from globs to codes"),
    (lambda: {"per_path_ignores": {"x": 1}}, TypeError, "^per_path_ignores is a mapping from globs to codes"),
    (lambda: {"host": "x"}, rehref.OptionError, "^host: there is no 'x'; there are "),
    (lambda: {"encoding": "\ud800"}, ValueError, "^encoding .*: there is no such encoding"),
    (lambda: {"ignore_attributes": ["\ud800"]}, ValueError, "^ignore_attributes .*: is not the name of an attribute"),
)
def test_of_a_check_other_values(call: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    refused(lambda: rehref.check(tmp_path, **call()), error, message)


@pytest.mark.parametrize("folder", ["\ud800", "\0", "x/\0"])
def test_of_a_check_names_that_no_folder_can_have(folder: str) -> None:
    if folder == "\ud800" and os.name == "nt":
        pytest.skip("a name of a file may have it there")
    refused(lambda: rehref.check(folder), rehref.OptionError, "^folder: .* cannot be the name of a file or folder; ")


def test_a_check_of_a_file_says_that_it_is_not_a_folder(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.touch()
    refused(lambda: rehref.check(page), OSError, r"page\.html: is not a folder; name the folder of its site$")


# a str that is not a document


def warned(call: Callable[[], Any]) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("page.html", "looks like the name of a file, .* for the file, pass pathlib.Path('page.html')"),
        ("../a/Page.HTM", "looks like the name of a file"),
        ("crawl.warc.gz", "looks like the name of a file"),
        ("https://example.org/page", "looks like a URL, .* nothing is fetched; .* url='https://example.org/page'"),
        ("there is", "looks like the name of a file"),
    ],
)
def test_a_str_that_looks_like_the_name_of_something_is_warned_of(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there is").touch()
    calls: list[Callable[[], Any]] = [
        lambda: rehref.links(text),
        lambda: rehref.iter_links(text),
        lambda: rehref.rewrite(text),
        lambda: rehref.rewrite_into(text, io.BytesIO()),
    ]
    for call in calls:
        (warning,) = warned(call)
        assert warning.category is rehref.SourceResemblesPathWarning
        assert re.search(message.replace("(", r"\(").replace(")", r"\)"), str(warning.message))
        assert warning.filename == __file__  # the line that is wrong, and none of ours


@pytest.mark.parametrize(
    "text",
    ["", "x", "<a href=page.html>", "see page.html", "a{b:url(c.css)}", "page.html\n", "\0.html", "docs", "x" * 5_000],
)
def test_a_document_is_not_warned_of(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()  # what nobody would read
    assert warned(lambda: rehref.links(text)) == []
    assert warned(lambda: rehref.links(text.encode())) == []


def test_a_plain_text_may_be_a_url() -> None:
    assert warned(lambda: rehref.links("https://example.org/", media_type="text/plain")) == []
    (link,) = rehref.links("https://example.org/", media_type="text/plain")
    assert link.target == "https://example.org/"


@pytest.mark.filterwarnings("default:there is no base")
def test_rewriting_without_a_base_warns_once() -> None:
    with pytest.warns(
        rehref.NoBaseWarning, match="there is no base, so relative references stay .* url gives one"
    ) as told:
        assert rehref.rewrite("<a href=x><a href=y>") == "<a href=x><a href=y>"
    assert len(told) == 1
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rehref.rewrite("<a href=http://h/x>")
        rehref.rewrite("<a href=x>", url="http://h/")


def test_a_link_says_which_document_it_is_in(tmp_path: Path) -> None:
    (tmp_path / "a b.html").write_bytes(b"<a href=x>")
    assert [link.document for link in rehref.links(tmp_path)] == [str(tmp_path / "a b.html")]
    (link,) = rehref.links(tmp_path / "a b.html", url="http://h/")
    assert (link.document, link.page) == (None, "http://h/")
    (link,) = rehref.links("<a href=x>")
    assert link.document is None
