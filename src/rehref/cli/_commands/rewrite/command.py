"""`rehref rewrite`: rewrite the references of documents, and change nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import click

from rehref.archives.many_files import rewrite_many
from rehref.archives.pieces import PieceDone, RunCounts
from rehref.archives.rewriting_files import RewriteOptions
from rehref.archives.targets_of_rewriting import FileTarget, FileToRewrite
from rehref.cli import output
from rehref.cli._commands.rewrite import written_to as destinations
from rehref.cli._commands.rewrite.rule_options import idle_options, kind_of, rule_of, rule_options
from rehref.cli._commands.rewrite.shown import ShowRewritten, say_what_was_done
from rehref.cli._outcomes import find, report, run
from rehref.cli.click_options import ALL_PARSERS, Settings, document_options, picked, sources_argument, typed, with_how
from rehref.cli.config import configured
from rehref.cli.messages import FAILED, OptionError, say
from rehref.cli.parameters import setting
from rehref.cli.program import GroupedCommand, group
from rehref.containers.kinds import KINDS
from rehref.files.file_documents import DocumentOrError
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file
from rehref.reports.terminal import count
from rehref.rewriting.built_in_rules import OFFLINE, OPTIONS

if TYPE_CHECKING:
    from rehref.archives.offline_copies import MirroredFolder
    from rehref.cli._commands.rewrite.hashes_of_folder import FolderHashes
    from rehref.rewriting.offline_rule import Offline

Mode: TypeAlias = Literal["stdout", "output", "in_place", "diff", "unpack"]
"""The kinds of places for results."""

_UNPACKED = ", ".join(
    f"{called} ({', '.join(endings)})" for kind in KINDS if kind.unpacked_as for called, endings in kind.endings
)
_COPYING = ("all_captures", "no_network", "no_inline")
_OF_WRITING = ("as_conversion", "all_types", "cdx", "no_network", "percent_encode")
_NOT_WITH_UNPACK = (
    *("to", "map", *(option.name for option in OPTIONS)),
    *("as_conversion", "all_types", "backup", "cdx", "copy_others", "percent_encode", "resume"),
)


@click.command(
    "rewrite",
    cls=GroupedCommand,
    short_help="Make references absolute, relative, or what a template or a table says.",
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
@group("New references")
@rule_options
@setting(
    "--percent-encode",
    is_flag=True,
    help="Write only valid URIs (RFC 3986): percent-encode what they cannot contain, and write hosts in IDNA form, "
    "also in references that the rule leaves unchanged. Metadata, javascript:, data:, mailto:, about:, blob:, cid:, "
    "mid:, and references that browsers would then read differently stay.",
    found="counts",
)
@group("Where the result goes")
@setting(
    "-o",
    "--output",
    type=click.Path(),
    metavar="OUT",
    help="Write the result to this file, or below this folder if SOURCE is a folder.",
    found="writes",
)
@setting(
    "--in-place",
    is_flag=True,
    help="Write each document back to its file. Unchanged documents are not touched.",
    found="writes",
)
@setting(
    "--diff",
    is_flag=True,
    help="Show what would change. In a file or pipe this is a byte-exact patch, for patch -p1.",
    found="counts",
)
@setting(
    "--backup",
    is_flag=True,
    help="With --in-place: keep the old file as NAME.bak, or if that is another backup, as NAME.bak.1 and so on.",
    found="counts",
)
@setting(
    "--copy-others",
    is_flag=True,
    help="With a folder and -o: copy the files that are not documents, hidden files too. Symbolic links are copied "
    "only if they lead to something that is copied; others are reported.",
    found="counts",
)
@setting(
    "--resume",
    is_flag=True,
    help="With -o: continue a run that was interrupted or killed. After a complete run, all files are written again.",
    found="writes",
)
@group("Archives and mail")
@setting(
    "--unpack",
    type=click.Path(),
    metavar="DIR",
    help=f"With one of these: {_UNPACKED}; or a mailbox. Write its contents as files into a new folder. Their "
    "references lead to each other, so that they open offline.",
    found="writes",
)
@setting(
    "--all-captures",
    is_flag=True,
    help="With --unpack and a web archive: write every capture of a URI, in folders by time, not only the last.",
    found="counts",
)
@setting(
    "--no-network",
    is_flag=True,
    help="With --unpack, or --to offline and -o: put a Content-Security-Policy into each page that allows only the "
    "copy, so that browsers load nothing from the web. Links still lead there.",
    found="counts",
)
@setting(
    "--no-inline",
    is_flag=True,
    help="With --unpack and a web archive, or --to offline and -o: do not put into pages what browsers refuse to load "
    "from a disk (modules, SVG that is used by fragment, masks, tracks).",
    found="counts",
)
@setting(
    "--as-conversion",
    is_flag=True,
    help="With a WARC: keep every record, and add each changed page as a record of type conversion.",
    found="counts",
)
@setting(
    "--all-types",
    is_flag=True,
    help="With a WARC: rewrite style sheets, XML, manifests and header fields too, not only pages.",
    found="counts",
)
@setting(
    "--cdx",
    is_flag=True,
    help="With a WARC that has an index beside it (NAME.cdxj, NAME.cdx, also .gz): write one for the new file too.",
    found="counts",
)
@document_options("rewrite")
@click.pass_context
def command(context: click.Context, /, sources: tuple[str, ...], settings: Settings, **options: Any) -> None:
    """Rewrite the references of documents, and leave every other byte unchanged.

    In a container (MHTML and mail, WARC, ARC and WACZ, EPUB, a saved HTTP response) rehref rewrites the documents, and
    adjusts what is around them; in a WARC, it rewrites the pages.

    A SOURCE is a file, a folder (all documents in it), or - for standard input. Without -o, --in-place or --diff the
    result goes to standard output, which takes one SOURCE that is not a folder.
    """
    if settings.options.how.parser == ALL_PARSERS:
        raise OptionError("--parser all", "compares cores, but rewrite needs one", "rehref parsers lists them")
    mode = _mode(context)
    if mode == "unpack":
        if refused := [name for name in _NOT_WITH_UNPACK if typed(context, name)]:
            raise OptionError(_spelt(refused[0]), "does not go with --unpack", "leave it out")
        if not picked(context, ("profile",)):
            settings = with_how(settings, profile="whatwg")  # browsers will open the files
        from rehref.archives.offline_copies import Copying
        from rehref.cli._commands.rewrite.unpack import unpack

        folder, note = Path(options["unpack"]), configured(context)
        context.exit(unpack(sources, settings, folder, Copying(*(options[each] for each in _COPYING)), note=note))
    rule = rule_of(context)
    _refuse_idle(context, mode)
    if mode == "in_place":
        from rehref.cli.program import write_alone

        write_alone(context, sources)
    discovered = find(sources, settings)
    counts = RunCounts(others=discovered.others or 0)
    found = discovered.found
    mirror: MirroredFolder | None = None
    if kind_of(context) == OFFLINE:
        copied = mode != "output" or options["copy_others"]
        mirror = _mirror(found, sources, settings, cast("Offline", rule), copied, options["no_network"])
        settings, found, rule = settings._replace(options=mirror.options), mirror.found, mirror.rule
    planned = _destinations(mode, found, sources, options["output"])
    wanted = RewriteOptions(rule, options["as_conversion"], options["all_types"], options["percent_encode"])
    hashes: FolderHashes | None = None
    if mode in ("output", "in_place"):
        if len(planned) > 1 or any(map(os.path.isdir, sources)):
            from rehref.cli._commands.rewrite.hashes_of_folder import folder_hashes

            hashes = folder_hashes(planned, sources, settings.options)
        _write(context, planned, wanted, settings, counts, in_place=mode == "in_place")
    else:
        work = ShowRewritten(wanted, settings.options, output.screen(), differences=mode == "diff")
        for outcome in run(work, planned, settings, counts, streamed=_is_stdin, prints=True):
            output.write_bytes(outcome.output)
    if mode == "output" and options["copy_others"]:
        from rehref.cli._commands.rewrite.written_to import copy_others

        counts.failed += copy_others(sources, Path(options["output"]))
    if hashes is not None:
        counts.failed += hashes.renew(backup=options["backup"], quiet=settings.quiet)
    output.flush()
    say_what_was_done(counts, quiet=settings.quiet, note=configured(context))
    if mirror is not None and mode == "output":
        needed = mirror.finish(Path(options["output"]), counts.web, inlines=not options["no_inline"])
        for line in () if settings.quiet else needed:
            say(line)
    context.exit(FAILED if counts.is_failure else 0)


def _mirror(
    found: Sequence[DocumentOrError],
    sources: Sequence[str],
    settings: Settings,
    rule: Offline,
    copied: bool,
    no_network: bool,
) -> MirroredFolder:
    """Return what is known of the only source, a mirrored folder, and print what was inferred. Raises `OptionError`."""
    from rehref.archives.offline_copies import MirroredFolder
    from rehref.cli._terminal_tables import urls_of

    if len(sources) != 1 or not Path(sources[0]).is_dir():
        what, remedy = "takes one folder, in which it looks for saved files", "name one, or use --unpack for an archive"
        raise OptionError("--to offline", what, remedy)
    uris = urls_of(settings.urls, sources)
    mirror = MirroredFolder.examined(
        sources[0], found, uris, settings.options, rule, copied=copied, no_network=no_network
    )
    for note in () if settings.quiet else mirror.notes:
        say(note)
    return mirror


def _write(
    context: click.Context,
    planned: Sequence[destinations.Destination | FileError],
    wanted: RewriteOptions,
    settings: Settings,
    counts: RunCounts,
    *,
    in_place: bool,
) -> None:
    """Write documents to files, count and report. Raises `FileError`."""
    options = context.params
    destinations.clear_leftovers_at(planned)
    files = [
        FileToRewrite(each.document, FileTarget(each.path, each.within, in_place, options["backup"], options["cdx"]))
        for each in planned
        if isinstance(each, destinations.Destination) and each.path is not None
    ]
    made = rewrite_many(
        files,
        wanted,
        settings.options,
        unfinished=None if in_place else destinations.unfinished_at(planned),
        what=_what(context),
        jobs=settings.jobs,
        resume=options["resume"],
    )
    errors = [each for each in planned if isinstance(each, FileError)]
    done = 0

    def counted() -> Iterator[PieceDone]:
        nonlocal done
        for each in made:
            if each.outcome is not None:
                sums = each.outcome.counts
                done += 1 if each.name else sums.documents + sums.others + len(each.outcome.errors)
            yield each

    try:
        report(counted(), errors, settings, counts, "rewriting")
    except KeyboardInterrupt:
        if not settings.quiet and in_place:  # the others may have been written just now, and not been counted
            whole = count(len(files), "file")
            say(f"interrupted: at least {done:,} of {whole} are rewritten; run it again for the rest")
        raise


def _what(context: click.Context) -> str:
    """Return what the results depend on besides the files and the options of reading: the rule, and how to write."""
    names = ("to", "map", *(option.name for option in OPTIONS), *_OF_WRITING)
    table = context.params["map"]
    content = read_file(table) if table else b""
    return repr([*((name, context.params[name]) for name in names), sha256(content).hexdigest()])


def _is_stdin(to: destinations.Destination) -> bool:
    return to.document.path is None


def _mode(context: click.Context) -> Mode:
    """Return where results go."""
    for name, remedy in (
        ("output", "name a file or a folder, or - for standard output"),
        ("map", "name a file"),
        ("unpack", "name a folder"),
    ):
        if context.params[name] == "":
            raise OptionError(_spelt(name), "is empty", remedy)
    given = picked(context, ("output", "in_place", "diff", "unpack"))
    if len(given) > 1:
        raise OptionError(_spelt(given[0]), f"does not go with {_spelt(given[1])}", "choose one of them")
    if not given or context.params[given[0]] in output.STDOUT:
        return "stdout"
    return cast(Mode, given[0])


def _spelt(name: str) -> str:
    return "-o" if name == "output" else "--" + name.replace("_", "-")


def _refuse_idle(context: click.Context, mode: Mode) -> None:
    """Raise `OptionError` for an option on the command line that would do nothing. It is not about `--unpack`."""
    copies = mode == "output" and kind_of(context) == OFFLINE
    for name, fits, wanted in (
        ("backup", mode == "in_place", "--in-place"),
        ("copy_others", mode == "output", "-o"),
        *((name, False, wanted) for name, wanted in idle_options(kind_of(context))),
        ("as_conversion", mode != "diff", "-o"),
        ("cdx", mode in ("output", "in_place"), "-o or --in-place"),
        ("resume", mode == "output", "-o"),
        ("all_captures", False, "--unpack"),
        *((name, copies, "--unpack, or with --to offline and -o,") for name in ("no_network", "no_inline")),
    ):
        if typed(context, name) and not fits:
            raise OptionError(_spelt(name), f"goes with {wanted} only", "leave it out")


def _destinations(
    mode: Mode, found: Sequence[DocumentOrError], sources: Sequence[str], out: str | None
) -> list[destinations.Destination | FileError]:
    """Return where each document goes. Raises `OptionError` if that is not possible."""
    if mode == "in_place":
        return destinations.in_place(found, sources)
    if mode == "output":
        assert out is not None
        return destinations.mirrored(found, sources, Path(out), is_folder=out.endswith(("/", os.sep)))
    if mode == "stdout" and (len(sources) > 1 or Path(sources[0]).is_dir()):
        what = f"{len(sources)} sources" if len(sources) > 1 else f"the folder {sources[0]}"
        raise OptionError("standard output", f"takes one document, not {what}", "use -o FOLDER, --in-place or --diff")
    return destinations.to_stdout(found)
