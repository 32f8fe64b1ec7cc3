"""`rehref serve`: serve an archive, or a folder, to browsers on this machine.

An archive is unpacked into a temporary folder, which is removed at the end, also after Ctrl-C or SIGTERM. What cannot
be unpacked is reported, the rest is served. The port is taken before.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from rehref.cli.config import config_option
from rehref.cli.messages import FAILED, say
from rehref.cli.parameters import WholeNumber, setting


@click.command(
    "serve",
    short_help="Serve an archive, or a folder, to browsers on this machine.",
    epilog="""
    \b
    Examples:
      rehref serve crawl.warc.gz
      rehref rewrite --unpack copy/ crawl.warc.gz; rehref serve copy/
      rehref serve --port 9000 public/
    """,
)
@click.argument("source", metavar="FOLDER|ARCHIVE", type=click.Path(allow_dash=True))
@setting(
    "--port",
    type=WholeNumber(min=0, max=65535),
    default=8000,
    show_default=True,
    help="The port; 0: any free one.",
    found="counts",
)
@setting("-v", "--verbose", is_flag=True, help="Name each request on standard error.", found="counts")
@config_option
@click.pass_context
def command(context: click.Context, source: str, port: int, verbose: bool) -> None:
    """Serve a web archive, or the folder that rewrite --unpack made of one, to browsers on this machine.

    Each host has its own origin: http://a.example/ is http://a.example.localhost:8000/, which browsers look for on this
    machine. So modules, what scripts fetch, and single-page applications work as on the web. The index page is
    http://localhost:8000/. Other machines cannot connect. Ctrl-C ends the server.

    Any other folder is served as a site, as it is.
    """
    import signal
    from tempfile import TemporaryDirectory

    from rehref.archives.saved_captures import CAPTURES
    from rehref.plugins.serve._http_server import answer, listen

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        servers, folder = [stack.enter_context(each) for each in listen(port)], Path(source)
        if not folder.is_dir():
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="rehref-")))
            is_whole = _unpack(source, folder)
            if not (folder / CAPTURES).is_file():
                if is_whole:
                    say(f"{source}: is not a web archive; unpack it (rewrite --unpack), and open the folder")
                context.exit(FAILED)
        say(f"{source} is at http://localhost:{servers[0].port}/; Ctrl-C ends it")
        answer(servers, folder, say if verbose else lambda message: None)


def _unpack(source: str, folder: Path) -> bool:
    """Unpack an archive into a folder, report what cannot be unpacked, and return whether that is nothing."""
    from rehref.archives.offline_copies import Copying, Unpacked, unpack
    from rehref.documents.options import ReadOptions, SourceOptions
    from rehref.files.discovery import discover
    from rehref.files.file_errors import FileError

    (found,) = discover([source]).found
    options, is_whole = SourceOptions(how=ReadOptions(profile="whatwg")), True
    try:
        if isinstance(found, FileError):
            raise found
        for each in unpack(found, folder, options, Copying(no_inline=True)):
            if not isinstance(each, Unpacked) and not each.harmless:
                say(str(each))
                is_whole = False
    except FileError as error:
        say(str(error))
        return False
    return is_whole
