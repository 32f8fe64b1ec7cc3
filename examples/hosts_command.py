"""A command of another package: `rehref hosts` counts the references that lead to each host.

The `pyproject.toml` of the package says where the command is:

    [project.entry-points."rehref.commands"]
    hosts = "hosts_command:command"
"""

from collections import Counter
from pathlib import Path

import click

import rehref


@click.command("hosts", short_help="Count the references to each host.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--url", help="The URL that the documents were retrieved from.")
def command(files: tuple[Path, ...], url: str | None) -> None:
    """Count the references in FILES that lead to each host."""
    targets = (link.target for file in files for link in rehref.links(file, url=url))
    found = Counter(rehref.split(target).authority or "no host" for target in targets if target is not None)
    for host, many in sorted(found.items(), key=lambda each: (-each[1], each[0])):
        click.echo(f"{many:6} {host}")
