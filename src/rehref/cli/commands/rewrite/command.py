"""`rehref rewrite`: documents with other references, and nothing else changed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast

import click

from rehref.cli import output
from rehref.cli.commands.rewrite import destinations, summaries
from rehref.cli.commands.rewrite.rule_options import kind_of, rule_of
from rehref.cli.containers import body, may_be_container, opened_source, told
from rehref.cli.documents import Outcome, Tally, contents, decoded, find, oddities, open_read, process, reads_stdin
from rehref.cli.errors import OptionError, say
from rehref.cli.options import Settings, chosen, configured, document_options, sources_argument, typed
from rehref.files.file_documents import DocumentOrError, FileDocument, read
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.gzipped import is_packed, packed_like
from rehref.files.writing import Content, write_atomically
from rehref.rewriting.missing_targets import Watched

if TYPE_CHECKING:
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.documents.link import Link
    from rehref.rewriting.contract import DocumentRule, Rule
    from rehref.rewriting.rules.offline import Offline

Mode = Literal["stdout", "output", "in_place", "diff", "unpack"]
_NOT_WITH_UNPACK = (
    *("to", "map", "set", "schemes", "metadata", "base_element", "same_document"),
    *("backup", "copy_others", "as_conversion", "all_types", "cdx", "percent_encode"),
)


@click.command(
    "rewrite",
    short_help="Make references absolute, relative, or what you will.",
    epilog="""
    \b
    Examples:
      rehref rewrite --url https://example.org/a/ page.html > absolute.html
      rehref rewrite --to relative --url https://example.org/ site/ -o mirror/ --copy-others
      rehref rewrite --to 'https://r.example/{timestamp}{modifier}/{uri}' crawl.warc.gz -o new.warc.gz
      rehref rewrite --to offline --url https://example.org/ mirror/ -o offline/ --copy-others
      rehref rewrite --map moved.csv --diff site/ > moved.patch
    """,
)
@sources_argument
@click.option(
    "--to",
    metavar="absolute|relative|offline|TEMPLATE",
    default="absolute",
    show_default=True,
    help="Make references absolute; or relative to the document's own URI; or, of a mirrored folder, relative to what "
    "is saved there and absolute to all else; or put their targets into a template that names {uri} or {uri:encoded}, "
    "perhaps {timestamp} (of the record in a WARC), {kind}, {modifier} (im_, cs_, js_ …, as pywb has them).",
)
@click.option(
    "--set", "set", metavar="NAME=VALUE", multiple=True, help="A value for {NAME} in the template; may be repeated."
)
@click.option(
    "--schemes",
    metavar="NAMES",
    help="With a template: put these into it, separated by commas, instead of http,https; what else there is stays.",
)
@click.option(
    "--map",
    type=click.Path(),
    metavar="FILE",
    help="Replace targets by a table, JSON or CSV with two columns: target URI, replacement. A target that ends in * "
    "is a prefix. Targets are compared normalized: HTTP://Example.ORG:80 is http://example.org/. With --to offline it "
    "goes first.",
)
@click.option(
    "--metadata",
    is_flag=True,
    help="Rewrite metadata too, which else is left alone: <meta> (og:image and the like), JSON-LD.",
)
@click.option(
    "--percent-encode",
    is_flag=True,
    help="Write valid URIs (RFC 3986) only: what they cannot hold is percent-encoded, hosts are written as IDNA has "
    "them. References that would stay as they are are written so, too, but metadata and what is never changed: "
    "javascript:, data:, mailto:, about:, blob:, cid:, mid:. What browsers would read otherwise then stays.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="OUT",
    help="Write there: to a file, or with a folder as SOURCE below that folder.",
)
@click.option("--in-place", is_flag=True, help="Write each document back. One that does not change is not touched.")
@click.option(
    "--diff", is_flag=True, help="Show what would change. Into a file or pipe it goes byte for byte, for patch -p1."
)
@click.option(
    "--backup",
    is_flag=True,
    help="With --in-place: keep what was there as NAME.bak; if that has another backup, as NAME.bak.1 and so on.",
)
@click.option(
    "--copy-others",
    is_flag=True,
    help="With a folder and -o: copy what is no document, hidden files too; symbolic links only "
    "if they lead to what is copied, others are reported.",
)
@click.option(
    "--base-element",
    type=click.Choice(("absolute", "keep", "empty", "drop")),
    help="What becomes of the href of <base>. Default: absolute; with --to offline, which may drop it too: empty.",
)
@click.option("--same-document", is_flag=True, help='With --to absolute: make "#x" and "" absolute, too.')
@click.option(
    "--unpack",
    type=click.Path(),
    metavar="DIR",
    help="With a WARC, ARC, WACZ, MHTML, mail or mbox: write what it holds as files into a new folder, their "
    "references made to lead to each other, so that they open offline.",
)
@click.option(
    "--all-captures",
    is_flag=True,
    help="With --unpack and a web archive: write every capture of a URI, in folders by time, not only the last.",
)
@click.option(
    "--as-conversion",
    is_flag=True,
    help="With a WARC: keep every record, and add each page that changes as a record of type conversion.",
)
@click.option(
    "--all-types",
    is_flag=True,
    help="With a WARC: rewrite style sheets, XML, manifests and the heads of responses too, not only pages.",
)
@click.option(
    "--cdx",
    is_flag=True,
    help="With a WARC: write the index that stands beside it (NAME.cdxj, NAME.cdx, also .gz) for the new file too.",
)
@click.option(
    "--file-urls",
    is_flag=True,
    help="With --to absolute or a template, where no --url is given: write the file: URIs of this machine, which mean "
    "nothing elsewhere. Without, such references stay.",
)
@document_options
@click.pass_context
def command(context: click.Context, /, sources: tuple[str, ...], settings: Settings, **options: Any) -> None:
    """Rewrite the references of documents, and leave every other byte alone.

    Of a container (MHTML and mail, WARC, ARC and WACZ, EPUB, a saved HTTP response) the documents inside are rewritten,
    and what is around them put right; of a WARC, the pages.

    A SOURCE is a file, a folder (all documents in it), or - for standard input. Without -o, --in-place or --diff the
    result goes to standard output, which takes one SOURCE that is no folder.
    """
    settings.refuse_all_parsers("rewrite")
    mode = _mode(context)
    if mode == "unpack":
        _refuse_with_unpack(context)
        if not chosen(context, ("profile",)):
            settings = replace(settings, profile="whatwg")  # browsers saved it, and browsers will open it
        from rehref.cli.commands.rewrite.unpack import unpack

        context.exit(
            unpack(
                sources,
                settings,
                Path(options["unpack"]),
                all_captures=bool(options["all_captures"]),
                note=configured(context),
            )
        )
    rule = rule_of(context)
    _refuse_idle(context, mode)
    discovered = find(sources, settings)
    found = discovered.found
    if kind_of(context) == "offline":
        from rehref.cli.commands.rewrite.mirrored_folder import looked_at

        copied = mode != "output" or bool(options["copy_others"])
        settings, found, rule = looked_at(found, sources, settings, cast("Offline", rule), copied=copied)
    planned = _plan(mode, found, sources, options["output"])
    if mode in ("output", "in_place"):
        destinations.clear_planned(planned)
    work = Rewrite(
        settings,
        rule,
        mode,
        bool(options["backup"]),
        output.screen(),
        bool(options["as_conversion"]),
        bool(options["all_types"]),
        bool(options["cdx"]),
        bool(options["percent_encode"]),
    )
    tally = Tally()
    prints = mode in ("stdout", "diff")
    for outcome in process(work, planned, settings, tally, here=reads_stdin(found), prints=prints):
        output.write_bytes(outcome.output)
    if mode == "output" and options["copy_others"]:
        tally.failed += destinations.copy_others(sources, Path(options["output"]))
    output.flush()
    if not settings.quiet:
        say(summaries.summary(tally, (discovered.others or 0) + tally.others) + configured(context))
        if tally.otherwise:
            say(summaries.otherwise(tally.otherwise))
        if tally.missing:
            say(summaries.missing(tally.missing))
    if tally.withheld and not (settings.quiet and tally.changed):
        say(summaries.withheld(tally.withheld))
    context.exit(tally.exit_code)


def _mode(context: click.Context) -> Mode:
    """Where results go."""
    for name, remedy in (
        ("output", "name a file or a folder, or - for standard output"),
        ("map", "name a file"),
        ("unpack", "name a folder"),
    ):
        if context.params[name] == "":
            raise OptionError(_spelt(name), "is empty", remedy)
    given = chosen(context, ("output", "in_place", "diff", "unpack"))
    if len(given) > 1:
        raise OptionError(_spelt(given[0]), f"does not go with {_spelt(given[1])}", "choose one of them")
    if not given or context.params[given[0]] in output.STDOUT:
        return "stdout"
    return cast(Mode, given[0])


def _spelt(name: str) -> str:
    return "-o" if name == "output" else "--" + name.replace("_", "-")


def _refuse_with_unpack(context: click.Context) -> None:
    """What `--unpack` does is settled: other rules and ways to write have no place there."""
    for name in _NOT_WITH_UNPACK:
        if typed(context, name):
            raise OptionError(_spelt(name), "does not go with --unpack", "leave it out")


def _refuse_idle(context: click.Context, mode: Mode) -> None:
    """An option that would do nothing as things are is a mistake, if it was typed."""
    kind = kind_of(context)
    for name, fits, wanted in (
        ("backup", mode == "in_place", "--in-place"),
        ("copy_others", mode == "output", "-o"),
        ("base_element", kind in ("absolute", "offline"), "--to absolute and offline"),
        ("same_document", kind == "absolute", "--to absolute"),
        ("set", kind == "template", "--to TEMPLATE"),
        ("schemes", kind == "template", "--to TEMPLATE"),
        ("file_urls", kind in ("absolute", "template"), "--to absolute or TEMPLATE"),
        ("as_conversion", mode != "diff", "-o"),
        ("cdx", mode in ("output", "in_place"), "-o or --in-place"),
        ("all_captures", mode == "unpack", "--unpack"),
    ):
        if typed(context, name) and not fits:
            raise OptionError(_spelt(name), f"goes with {wanted} only", "leave it out")


def _plan(
    mode: Mode, found: Sequence[DocumentOrError], sources: Sequence[str], out: str | None
) -> list[destinations.Planned]:
    """Where each document goes. Raises `OptionError` where that cannot be."""
    if mode == "in_place":
        return destinations.in_place(found, sources)
    if mode == "output":
        assert out is not None
        return destinations.mirrored(found, sources, Path(out), is_folder=out.endswith(("/", os.sep)))
    if mode == "stdout" and (len(sources) > 1 or Path(sources[0]).is_dir()):
        what = f"{len(sources)} sources" if len(sources) > 1 else f"the folder {sources[0]}"
        raise OptionError("standard output", f"takes one document, not {what}", "say -o FOLDER, --in-place or --diff")
    return destinations.to_stdout(found)


class _UnchangedError(Exception):
    """There is nothing to write: what was written so far is to be forgotten."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Rewrite one document."""

    settings: Settings
    rule: Rule | DocumentRule
    mode: Mode
    backup: bool
    screen: output.Screen
    as_conversion: bool = False
    all_types: bool = False
    cdx: bool = False
    percent_encode: bool = False

    def __call__(self, target: destinations.Target) -> Outcome:
        """Do it. Raises `FileError`."""
        from rehref.rewriting.edits import rewrite_document
        from rehref.rewriting.withheld_file_uris import withheld

        document = target.document
        diagnostics: Sequence[Diagnostic] = ()
        odd: tuple[str, ...] = ()
        if self.settings.headers is not None:
            old, opened, diagnostics = body(document, self.settings)
            raw = old
        elif may_be_container(document, self.settings):
            with opened_source(document, self.settings, as_conversion=self.as_conversion) as source:
                if not isinstance(source, bytes):
                    return self._container(target, source)
                raw = source
        else:
            raw = read(document)
        if self.settings.headers is None:
            old = contents(document, raw, self.settings)
            try:
                odd = oddities(document, old, self.settings)
            except OtherFormatError as error:
                return self._as_it_is(target, raw, error)
            opened = open_read(document, old, self.settings)
        rule = self._rule_for(document)
        rewritten = rewrite_document(opened, rule, percent_encode=self.percent_encode)
        new = rewritten.data
        assert isinstance(new, bytes)
        written = raw if new == old else packed_like(raw, new)
        shown = b""
        if self.mode == "stdout":
            shown = written
        elif self.mode == "diff":
            if is_packed(raw) and not self.screen.is_terminal:
                raise FileError(document.name, "is gzipped, of which no patch can be made", "say -o OUT")
            shown = self._diff(document, old, new)
        elif self.mode == "output" or new != old:
            self._write(target, written)
        notes, failures = told(document, diagnostics)
        return Outcome(
            target.name,
            shown,
            notes=(*odd, *notes, *summaries.without_base(target.name, opened, rewritten.references)),
            references=rewritten.references,
            changed=rewritten.changed,
            missing=rule.missing if isinstance(rule, Watched) else 0,
            otherwise=rewritten.otherwise,
            withheld=withheld(opened, rule),
            diagnostics=failures,
        )

    def _as_it_is(self, target: destinations.Target, data: bytes, why: OtherFormatError) -> Outcome:
        """Write what is no document, whatever its name says, as it is. Raises `FileError`."""
        if self.mode == "output":
            self._write(target, data)
        shown = data if self.mode == "stdout" else b""
        return Outcome(target.name, shown, notes=(str(why),), documents=0, others=1)

    def _rule_for(self, document: FileDocument) -> Rule | DocumentRule:
        """The rule; told where the document is saved, or watched, if that matters."""
        from rehref.rewriting.rules.offline import Offline
        from rehref.rewriting.rules.relative import Relative
        from rehref.rewriting.rules.template import Template

        if isinstance(self.rule, Template) and self.rule.needs_date:
            raise FileError(
                document.name,
                "is not in a WARC, whose records have dates: {timestamp} has no value",
                "give one with --set timestamp=20240102030405",
            )
        if isinstance(self.rule, Offline):
            return replace(self.rule, at=document.relative)
        if isinstance(self.rule, Relative) and document.path is not None:
            path = document.path.absolute()
            below = len(Path(document.relative).parts) if document.in_folder else len(path.parts) - 1
            return Watched(self.rule, path.parents[below - 1], "/".join(path.parts[-below:]))
        return self.rule

    def _container(self, target: destinations.Target, container: Container) -> Outcome:
        """Rewrite the documents of a container. Raises `FileError`."""
        from rehref.cli.commands.rewrite.cdx_option import Indexes
        from rehref.rewriting.containers import Counts, rewrite_container
        from rehref.rewriting.rules.offline import Offline

        document, counts = target.document, Counts()
        rule = _nothing if isinstance(self.rule, Offline) else self.rule
        diagnostics: list[Diagnostic] = []
        indexes = Indexes(target, container, wanted=self.cdx)
        if self.mode == "diff":
            raise FileError(document.name, "is a container, of which no difference can be shown", "say -o OUT")

        def write(out: BinaryIO) -> None:
            found = rewrite_container(
                container,
                out,
                rule,
                self.settings.reading(),
                counts,
                all_types=self.all_types,
                guarded=True,
                percent_encode=self.percent_encode,
            )
            diagnostics.extend(found)
            if self.mode == "in_place" and not counts.changed:
                raise _UnchangedError
            indexes.rewritten(out, changed=counts.changed > 0)
            if document.path is not None:
                container.file.close()  # Windows puts nothing in the place of a file that is open

        with suppress(_UnchangedError):
            if target.path is None:
                write(cast(BinaryIO, output.Stream()))
            else:
                self._write(target, write)
                indexes.write(backup=self.backup, within=target.within)
        notes, failures = told(document, [*diagnostics, *indexes.diagnostics])
        return Outcome(
            target.name,
            references=counts.references,
            changed=counts.changed,
            notes=(*notes, *indexes.notes),
            documents=counts.documents,
            changed_documents=counts.changed_documents,
            otherwise=counts.otherwise,
            withheld=counts.withheld,
            diagnostics=failures,
        )

    def _write(self, target: destinations.Target, content: Content) -> None:
        """Write what a file is to hold. Raises `FileError`."""
        assert target.path is not None
        backup = self.backup and self.mode == "in_place"
        write_atomically(target.path, content, like=target.document.path, backup=backup, within=target.within)

    def _diff(self, document: FileDocument, old: bytes, new: bytes) -> bytes:
        """What changes: for a terminal, decoded; else byte for byte."""
        from rehref.reports.diff import patch, pretty

        if not self.screen.is_terminal:
            return patch(document.name, old, new)
        before, after = decoded(document, self.settings, old, new)
        return output.for_people(pretty(document.name, before, after, self.screen.style), self.screen.encoding)


def _nothing(link: Link) -> None:
    """The rule for what is in a container, which is saved nowhere."""
