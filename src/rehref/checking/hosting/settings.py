"""The rules of a host with the settings in the folder applied."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rehref.checking.hosting.host_files import read_host_file
from rehref.checking.hosting.hosts import Host
from rehref.files.file_errors import FileError


def with_settings(host: Host, folder: Path, paths: Collection[str]) -> Host:
    """Return the host, with the rules replaced that its file in the folder sets. Raises nothing."""
    if host.settings is None or host.settings_file is None or host.settings_file not in paths:
        return host
    try:
        return host._replace(**host.settings(read_host_file(folder, host.settings_file)))
    except FileError:
        return host
