"""`rehref lsp`: a language server on standard input and output, for editors.

The package for the protocol is an extra: without it, the command is an error (2), in one line.
"""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rehref.cli.click_options import typed
from rehref.cli.config import load_config
from rehref.cli.messages import OptionError
from rehref.cli.program import command_names, import_command
from rehref.files.file_documents import relative_to

if TYPE_CHECKING:
    from rehref.plugins.lsp._workspace import SiteSettings


@click.command(
    "lsp",
    short_help="Check links in an editor (a language server).",
    epilog="""
    \b
    Example, for Neovim:
      vim.lsp.start({ name = 'rehref', cmd = { 'rehref', 'lsp' }, root_dir = vim.fn.getcwd() })
    """,
)
@click.option("--config", type=click.Path(), metavar="FILE", help="Take options from this file, which is your own.")
def command(config: str | None) -> None:
    """Check the links of documents while they are written: a language server, which an editor starts.

    It reports what rehref check reports, offers corrections, and completes, shows and follows references. If a file
    gets another name in the editor, references to it do too. It needs the extra lsp. Options come from rehref.toml or
    pyproject.toml in the folder that the editor has open.
    """
    for name in ("lsprotocol", "pygls"):
        if find_spec(name) is None:
            raise OptionError("lsp", f"needs the package {name}", "install it: pip install 'rehref[lsp]'")
    from rehref.plugins.lsp._language_server import serve

    click.get_current_context().exit(serve(partial(_settings, config)))


def _settings(named: str | None, folder: Path) -> SiteSettings:
    """Return what the configuration in a folder, or a named one, says. Raises `FileError`, `OptionError`.

    A configuration above the folder that the editor has open does not count. `root` names the folder of the site. No
    server is asked.
    """
    from rehref.plugins.lsp._workspace import SiteSettings
    from rehref.site.given_options import check_options

    config = load_config(Path(named or folder), partial(command_names, installed=False), import_command, upward=False)
    defaults = {} if config is None else config.defaults["check"]
    try:
        context = import_command("check").make_context("check", [], default_map=defaults)
    except click.ClickException as error:
        raise OptionError("configuration", error.format_message(), "correct it") from error
    with context:
        given = {**context.params, "lists_external": False, "external": False, "jobs": 1}
        root = Path(given["root"] or folder)
        if relative_to(os.path.realpath(root), os.path.realpath(folder)) is None or not root.is_dir():
            raise OptionError(f"root {root}", f"is not a folder in {folder}", "name one that is")
        return SiteSettings(root, check_options(given, partial(typed, context)), given["baseline"], defaults)
