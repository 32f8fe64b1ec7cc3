"""The commands about URIs: resolve, normalize, validate, find."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import rehref
from cli_runs import Run, RunProcess
from patience import PATIENCE

TEXT = 'see <http://a.example/x>, or (https://b.example/y?z=1).\n"mailto:me@c.example" and\thttp://d.example/e-\nmore\n'
LONGEST = 1 << 20
"""So many bytes are in a line of references at most."""
OF_REFERENCES = (("resolve", "http://h/x/y"), ("normalize",), ("validate",))


def objects(result: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


# --- standard input, formats


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_a_line_that_is_not_utf_8_is_reported(run: Run, command: tuple[str, ...], form: str) -> None:
    result = run(*command, "--format", form, "-", input=b"a\n\xff\nb\n")
    assert result.exit_code == 2
    assert result.stderr == "rehref: -: line 2 is not UTF-8; convert the text, for example with iconv -t UTF-8\n"
    assert "udcff" not in result.stdout
    if form == "json":  # the array has an end
        assert [each["reference"] for each in objects(result)] == ["a"]


@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_references_come_from_standard_input_one_a_line(run: Run, command: tuple[str, ...]) -> None:
    lines = b"a\n\n../b c\r\n#f"
    result = run(*command, "--format", "json", "before", "-", "behind", input=lines)
    assert [each["reference"] for each in objects(result)] == ["before", "a", "", "../b c", "#f", "behind"]
    alone = run(*command, "--format", "json", "before", "a", "", "../b c", "#f", "behind")
    assert (alone.stdout, alone.exit_code) == (result.stdout, result.exit_code)
    text = run(*command, "before", "-", "behind", input=lines)
    assert text.stdout == run(*command, "before", "a", "", "../b c", "#f", "behind").stdout != ""


@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_a_byte_order_mark_of_standard_input_is_skipped(run: Run, command: tuple[str, ...]) -> None:
    given = (*command, "--format", "json", "-")
    assert run(*given, input=b"\xef\xbb\xbfHTTP://A/\nb\n").stdout == run(*given, input=b"HTTP://A/\nb\n").stdout
    (empty,) = objects(run(*given, input=b"\xef\xbb\xbf\n"))
    assert empty["reference"] == ""
    *_, inside = objects(run(*given, input=b"a\n\xef\xbb\xbfb\n"))
    assert inside["reference"] == "\ufeffb"


@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_jsonl_has_the_objects_of_json(run: Run, command: tuple[str, ...]) -> None:
    given = (*command, "a", "http://[", "x y")
    array = objects(run(*given, "--format", "json"))
    assert [json.loads(line) for line in run(*given, "-f", "jsonl").stdout.splitlines()] == array
    assert len(array) == 3
    assert objects(run(*command, "-f", "json", "-", input=b"")) == []
    assert run(*command, "-f", "jsonl", "-", input=b"").stdout == ""


@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_what_is_wrong_with_standard_input_is_one_line(
    run: Run, run_process: RunProcess, command: tuple[str, ...]
) -> None:
    long = run(*command, "-", input=b"a\n" + b"x" * (LONGEST + 1))
    assert (long.exit_code, long.stdout.count("\n")) == (2, 1)
    assert long.stderr == f"rehref: -: line 2 has more than {LONGEST:,} bytes; write one reference a line\n"
    twice = run(*command, "-", "-", input=b"a")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert twice.stderr == "rehref: -: standard input can be read only once; name - only once\n"
    shell = f'"{sys.executable}" -m rehref {" ".join(command)} - <&-'
    closed = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=PATIENCE, check=False)
    assert closed.returncode == 2
    assert closed.stderr == b"rehref: -: cannot be read: standard input is closed; name the references\n"
    assert b"REFERENCE" in run_process("resolve", "http://h/").stderr  # none at all


@pytest.mark.parametrize("command", OF_REFERENCES, ids=lambda command: str(command[0]))
def test_odd_bytes_control_characters_and_passwords(run: Run, command: tuple[str, ...]) -> None:
    odd = b"http://u:secret@h/\xff\x1b[31m"
    for form in ("text", "json", "jsonl"):
        result = run(*command, "--format", form, "-", input=odd)
        assert "secret" not in result.output
        assert "\x1b" not in result.stdout
        assert result.stdout.isascii()


def test_a_reference_that_is_a_hyphen(run: Run) -> None:
    assert run("resolve", "http://h/a", "./-").stdout == "http://h/-\n"


# --- resolve


def test_a_reference_without_a_target_has_none_in_json(run: Run) -> None:
    result = run("resolve", "--profile", "whatwg", "-f", "json", "http://h/", "http://[", "x")
    assert objects(result) == [{"reference": "http://[", "target": None}, {"reference": "x", "target": "http://h/x"}]
    assert result.exit_code == 2
    assert result.stderr == "rehref: http://[: browsers reject it; --profile rfc3986 resolves it by RFC 3986\n"


def test_a_line_that_the_base_is_no_base_for_is_reported_and_the_rest_done(run: Run) -> None:
    result = run("resolve", "data:a", "-", input=b"x\nhttp://h/\n")
    assert (result.exit_code, result.stdout) == (2, "http://h/\n")
    assert result.stderr.startswith("rehref: x: data:a cannot be its base: ")
    assert "data:a: cannot be the base of 'x': " in run("resolve", "data:a", "-", "x", input=b"").stderr


def test_the_steps_are_for_people(run: Run) -> None:
    result = run("resolve", "--explain", "--format", "json", "http://h/", "x")
    assert result.exit_code == 2
    assert result.stderr == "rehref: --explain: is for people, and --format json for programs; leave one of them out\n"


# --- normalize


@pytest.mark.parametrize("uri", ["HTTP://Example.ORG:80/%7euser/../a", "../x/./y", "", "urn:X:%c3", "http://h?%3a"])
def test_normal_forms_are_those_of_python(run: Run, uri: str) -> None:
    assert run("normalize", uri).stdout == rehref.normalize(uri) + "\n"
    assert objects(run("normalize", "-f", "json", uri)) == [{"reference": uri, "normalized": rehref.normalize(uri)}]


# --- validate


def test_what_is_valid_and_what_is_not(run: Run) -> None:
    result = run("validate", "http://h/a", "http://h/a b%", "")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "valid    http://h/a",
        "invalid  http://h/a b%",
        '         character 11, path: " " is not allowed in the path; percent-encoded it is %20 (rule segment)',
        '         character 13, path: two hexadecimal digits must follow "%"; a "%" itself is written %25 '
        "(rule pct-encoded)",
        "valid",
    ]
    assert run("validate", "http://h/a", "?y").exit_code == 0


@pytest.mark.parametrize(
    ("options", "reference", "code"),
    [
        ((), "?y", 0),
        (("--grammar", "rfc2396"), "?y", 1),
        (("--production", "URI"), "?y", 1),
        (("--production", "URI"), "a:b#c", 0),
        (("--production", "absolute-URI"), "a:b#c", 1),
        (("--production", "relative-ref"), "a:b", 1),
        (("--grammar", "rfc2396", "--production", "relativeURI"), "a", 0),
        (("--grammar", "rfc2396", "--production", "absoluteURI"), "a", 1),
    ],
)
def test_grammars_and_productions(run: Run, options: tuple[str, ...], reference: str, code: int) -> None:
    result = run("validate", "-f", "json", *options, reference)
    assert result.exit_code == code
    given = dict(zip(options[::2], options[1::2], strict=True))
    grammar, production = given.get("--grammar", "rfc3986"), given.get("--production", "URI-reference")
    (found,) = objects(result)
    faults = rehref.violations(reference, grammar, production)  # type: ignore[arg-type]
    assert list(found) == ["reference", "grammar", "production", "valid", "violations"]
    assert (found["grammar"], found["production"], found["valid"]) == (grammar, production, code == 0)
    assert [(each["component"], each["rule"], each["position"], each["message"]) for each in found["violations"]] == [
        (each.component, each.rule, each.position, each.message) for each in faults
    ]
    quiet = run("validate", "-q", *options, reference)
    assert (quiet.exit_code, quiet.output) == (code, "")


def test_a_production_of_the_other_grammar(run: Run) -> None:
    result = run("validate", "--production", "absoluteURI", "a:b")
    assert result.exit_code == 2
    assert result.stderr == (
        "rehref: --production absoluteURI: is not in the grammar of rfc3986; "
        "take one of URI-reference, URI, absolute-URI, relative-ref\n"
    )


# --- find


def test_uris_in_text_with_their_positions(run: Run) -> None:
    Path("n.txt").write_text(TEXT, encoding="utf-8")
    assert run("find", "n.txt").stdout.splitlines() == [
        "n.txt:1:6: http://a.example/x",
        "n.txt:1:31: https://b.example/y?z=1",
        "n.txt:2:2: mailto:me@c.example",
        "n.txt:2:27: http://d.example/e-  (ends in a hyphen at the end of a line: the URI may go on in the next)",
    ]
    assert run("find", "-", input=TEXT.encode()).stdout == run("find", "n.txt").stdout.replace("n.txt:", "-:")
    uris = run("find", "-f", "uris", "n.txt").stdout.splitlines()
    assert uris == [found.uri for found in rehref.find_uris(TEXT)]


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_found_uris_for_programs_are_links(run: Run, form: str) -> None:
    Path("n.txt").write_text(TEXT, encoding="utf-8")
    Path("none.txt").write_text("nothing here: no")
    Path("m.html").write_text("<a href=http://h/>x</a>")
    links = run(
        "links", "--media-type", "text/plain", "-f", form, "n.txt", "none.txt", "m.html", "-", input=TEXT.encode()
    )
    found = run("find", "-f", form, "n.txt", "none.txt", "m.html", "-", input=TEXT.encode())
    assert found.stdout == links.stdout
    assert found.stdout.count('"kind": "text"') == 9
    assert run("find", "-f", "json", "none.txt").stdout == "[\n]\n"


def test_a_file_that_cannot_be_read_is_reported_and_the_others_done(run: Run) -> None:
    Path("n.txt").write_text("http://h/", encoding="utf-8")
    result = run("find", "nope", "n.txt")
    assert (result.exit_code, result.stdout) == (2, "n.txt:1:1: http://h/\n")
    assert result.stderr == "rehref: nope: cannot be read: no such file or directory; check the name\n"
    assert run("find", "--encoding", "utf-9", "n.txt").stderr.startswith("rehref: --encoding utf-9: there is no such")


def test_all_files_of_a_folder_are_read_except_hidden_ones(run: Run) -> None:
    folder = Path("d")
    (folder / "below").mkdir(parents=True)
    for name in ("notes.txt", "code.py", "page.html", ".hidden", "below/README"):
        (folder / name).write_text("see http://h/", encoding="utf-8")
    found = [line.partition(":")[0] for line in run("find", "d").stdout.splitlines()]
    assert found == ["d/below/README", "d/code.py", "d/notes.txt", "d/page.html"]
    Path("empty").mkdir()
    result = run("find", "empty")
    assert result.exit_code == 2
    assert result.stderr == "rehref: empty: there is no file in this folder; name another, or name the files\n"


def test_texts_in_other_encodings_and_packed(run: Run) -> None:
    Path("u.txt").write_bytes("é http://h/é\n".encode("utf-16"))
    Path("l.txt").write_bytes("é http://h/é\n".encode("iso-8859-2"))
    Path("p.txt.gz").write_bytes(gzip.compress(b"http://h/x\n"))
    assert run("find", "u.txt").stdout == "u.txt:1:3: http://h/é\n"
    assert run("find", "--encoding", "iso-8859-2", "l.txt").stdout == "l.txt:1:3: http://h/é\n"
    assert run("find", "p.txt.gz").stdout == "p.txt.gz:1:1: http://h/x\n"


def test_passwords_in_texts_are_masked(run: Run) -> None:
    for form in ("text", "uris", "json", "jsonl"):
        result = run("find", "-f", form, "-", input=b"http://u:secret@h/")
        assert "secret" not in result.output
        assert "http://u:***@h/" in result.stdout


# --- as all commands


def test_options_may_be_kept_in_a_file(run: Run) -> None:
    Path("rehref.toml").write_text(
        '[validate]\ngrammar = "rfc2396"\nformat = "jsonl"\n[normalize]\nformat = "json"\n[find]\nformat = "uris"\n'
    )
    assert json.loads(run("validate", "?y").stdout)["grammar"] == "rfc2396"
    assert objects(run("normalize", "A:b")) == [{"reference": "A:b", "normalized": "a:b"}]
    assert run("find", "-", input=b"http://h/ x").stdout == "http://h/\n"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("rehref nor", "normalize"),
        ("rehref val", "validate"),
        ("rehref fin", "find"),
        ("rehref validate --grammar ", "rfc2396"),
        ("rehref validate --production abs", "absolute-URI"),
        ("rehref find --format ur", "uris"),
        ("rehref resolve --format jsonl", "jsonl"),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_them(run_process: RunProcess, shell: str, words: str, wanted: str) -> None:
    parts = words.split(" ")
    place = parts[-1] if shell == "fish" else str(len(parts) - 1)
    env = {"_REHREF_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": place}
    assert wanted in run_process(env=env).stdout.decode()


BASE = "http://a/b/c/d;p?q"


def test_one_target_a_line(run: Run) -> None:
    result = run("resolve", BASE, "g", "../g", "", "#s", "//g")
    assert result.stdout.splitlines() == [
        "http://a/b/c/g",
        "http://a/b/g",
        "http://a/b/c/d;p?q",
        "http://a/b/c/d;p?q#s",
        "http://g",
    ]
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("profile", "target"),
    [
        ("rfc3986", "http:g"),
        ("rfc3986-compat", "http://a/b/c/g"),
        ("rfc2396", "http:g"),
        ("whatwg", "http://a/b/c/g"),
    ],
)
def test_the_profile_is_followed(run: Run, profile: str, target: str) -> None:
    assert run("resolve", "--profile", profile, BASE, "http:g").stdout == target + "\n"


def test_explain_follows_the_pseudocode(run: Run) -> None:
    lines = [" ".join(line.split()) for line in run("resolve", "--explain", BASE, "../g").stdout.splitlines()]
    steps = lines[lines.index("RFC 3986 §5.2.2, strict") + 1 :]
    assert steps[: steps.index("")] == [
        "if defined(R.scheme) then no",
        "if defined(R.authority) then no",
        'if (R.path == "") then no',
        'if (R.path starts-with "/") then no',
        'T.path = merge(Base.path, R.path) "/b/c/../g"',
        'T.path = remove_dot_segments(T.path) "/b/g"',
        "§5.2.4 input buffer output buffer",
        '1 "/b/c/../g" ""',
        '2E "/c/../g" "/b"',
        '2E "/../g" "/b/c"',
        '2C "/g" "/b"',
        '2E "" "/b/g"',
        "T.query = R.query undefined",
        'T.authority = Base.authority "a"',
        'T.scheme = Base.scheme "http"',
        "T.fragment = R.fragment undefined",
    ]
    assert "Target http://a/b/g" in lines


def test_explain_tells_undefined_and_empty_apart(run: Run) -> None:
    lines = [" ".join(line.split()) for line in run("resolve", "--explain", BASE, "x?").stdout.splitlines()]
    assert 'R.query ""' in lines
    assert "R.fragment undefined" in lines


def test_explain_lists_the_profiles_that_differ(run: Run) -> None:
    text = run("resolve", "--explain", BASE, "http:g").stdout
    others = text.partition("Other profiles")[2].split()
    assert others == ["rfc3986-compat", "http://a/b/c/g", "whatwg", "http://a/b/c/g"]
    assert "The other profiles give the same." in run("resolve", "--explain", BASE, "g").stdout


def test_explain_for_the_other_profiles(run: Run) -> None:
    compat = run("resolve", "--explain", "--profile", "rfc3986-compat", BASE, "http:g").stdout
    assert "if (not strict and (R.scheme == Base.scheme)) then  yes" in compat
    assert "undefine(R.scheme)" in compat
    older = run("resolve", "--explain", "--profile", "rfc2396", BASE, "../../../g").stdout
    assert [line.split()[0] for line in older.splitlines() if line[2:3].isdigit()] == [
        *"12345",
        *("6a", "6b", "6c", "6d", "6e", "6f", "6g"),
        "7",
    ]
    browser = run("resolve", "--explain", "--profile", "whatwg", BASE, "..\\g").stdout
    assert "Target  http://a/b/g" in browser
    assert "rfc3986         http://a/b/c/..\\g" in browser


def test_explain_of_several_references(run: Run) -> None:
    assert run("resolve", "--explain", BASE, "x", "y").stdout.count("Target  ") == 2


@pytest.mark.parametrize("base", ["foo", "", "//h/p", "/p", "#f"])
def test_a_base_without_a_scheme_is_none(run: Run, base: str) -> None:
    result = run("resolve", base, "http://h/")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert "which is not absolute (it has no scheme)" in result.stderr


def test_a_base_without_a_hierarchy_is_one_to_the_letter_and_none_to_browsers(run: Run) -> None:
    assert run("resolve", "mailto:a@b", "x").stdout == "mailto:x\n"  # RFC 3986 §5.2.3
    assert run("resolve", "mailto:a@b", "http://h/x").stdout == "http://h/x\n"
    result = run("resolve", "--profile", "whatwg", "mailto:a@b", "x")
    assert result.exit_code == 2
    assert result.stderr.startswith("rehref: ")


def test_what_a_browser_cannot_read_is_reported_and_the_rest_done(run: Run) -> None:
    result = run("resolve", "--profile", "whatwg", BASE, "http://[", "g")
    assert result.exit_code == 2
    assert result.stdout == "http://a/b/c/g\n"
    assert result.stderr.startswith("rehref: http://[: browsers reject it; ")
    explained = run("resolve", "--explain", "--profile", "whatwg", BASE, "http://[")
    assert explained.exit_code == 2
    assert "Target  none" in explained.stdout


def test_passwords_are_masked(run: Run) -> None:
    for options in ((), ("--explain",)):
        result = run("resolve", *options, "http://u:secret@h/", "x", "//v:secret@i/")
        assert "secret" not in result.output
        assert "http://u:***@h/x" in result.stdout


def test_a_reference_may_begin_with_a_hyphen(run: Run) -> None:
    assert run("resolve", BASE, "--", "-x").stdout == "http://a/b/c/-x\n"
