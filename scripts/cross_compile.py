"""Compiles and links the twin for the platforms that wheels are made for: `scripts/cross-compile`.

- The compiler is clang from the package ziglang, which has the C library of every target. Python's headers are those
  of the Python that runs this: the limited API is the same on all platforms, and so are the sizes of its types.
- Windows is an exception: there `pyconfig.h` is our own, with the sizes from Python's, and the
  import library has the names of the stable ABI of Python 3.11. Any other name does not link.
- Warnings are errors. The first bytes of each result show what it is.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import NamedTuple

from abi3info import DATAS, FUNCTIONS
from abi3info.models import PyVersion

FOLDER = Path(__file__).resolve().parents[1] / "src" / "rehref" / "_native"
FLAGS = (
    "-std=c99",
    "-O2",
    "-g0",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-shared",
    "-DPy_LIMITED_API=0x030b0000",
)
WINDOWS = """\
#pragma once
#define MS_WINDOWS
#define MS_WIN32
#define MS_WIN64
#define Py_ENABLE_SHARED
#define HAVE_DECLSPEC_DLL
#define HAVE_PY_SSIZE_T 1
typedef long long Py_ssize_t;
#define PY_SSIZE_T_MAX LLONG_MAX
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_WCHAR_H 1
"""
"""`pyconfig.h` of 64-bit Windows, as far as the limited API needs it."""


class Platform(NamedTuple):
    """The platform of a wheel, the compiler's name for it, and the expected kind of file, for people."""

    wheel: str
    target: str
    kind: str


PLATFORMS = (
    Platform("manylinux x86_64", "x86_64-linux-gnu.2.17", "ELF x86-64"),
    Platform("manylinux aarch64", "aarch64-linux-gnu.2.17", "ELF aarch64"),
    Platform("musllinux x86_64", "x86_64-linux-musl", "ELF x86-64"),
    Platform("macOS x86_64", "x86_64-macos", "Mach-O x86-64"),
    Platform("macOS arm64", "aarch64-macos", "Mach-O aarch64"),
    Platform("Windows amd64", "x86_64-windows-gnu", "PE x86-64"),
)
_SINCE = PyVersion(3, 11)
_MACHINES = {
    "ELF": {62: "x86-64", 183: "aarch64"},
    "Mach-O": {0x0100_0007: "x86-64", 0x0100_000C: "aarch64"},
    "PE": {0x8664: "x86-64", 0xAA64: "aarch64"},
}


def main() -> int:
    """Link for all platforms; return the exit code."""
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for number, platform in enumerate(PLATFORMS):
            made = Path(folder) / f"{number}.twin"
            said = link(platform, made, Path(folder) / "include")
            kind = kind_of(made.read_bytes()) if said is None else "not linked"
            print(f"{platform.wheel:<18} {platform.target:<23} {kind}", end="")
            print(f", {made.stat().st_size:,} bytes" if said is None else f"\n{said}", flush=True)
            if kind != platform.kind:
                failed.append(platform.wheel)
    print(f"Not linked correctly: {', '.join(failed)}." if failed else "All are linked.")
    return 1 if failed else 0


def link(platform: Platform, made: Path, folder: Path) -> str | None:
    """Compile and link for one platform; return the compiler's messages if it fails."""
    headers = Path(sysconfig.get_paths()["include"])
    command = ["cc", "-target", platform.target, *FLAGS, "-o", str(made), *map(str, sorted(FOLDER.glob("*.c")))]
    if "windows" in platform.target:
        folder.mkdir()
        (folder / "pyconfig.h").write_text(WINDOWS, encoding="ascii")
        for header in headers.rglob("*.h"):
            here = folder / header.relative_to(headers)
            here.parent.mkdir(parents=True, exist_ok=True)
            if not here.exists():
                here.symlink_to(header)
        headers = folder
        command.append(str(import_library(folder)))
    elif "macos" in platform.target:
        command += ["-undefined", "dynamic_lookup"]
    else:
        command.append("-fPIC")
    return zig(*command, f"-I{headers}")


def import_library(folder: Path) -> Path:
    """The import library of `python3.dll`, with the names of the stable ABI of Python 3.11."""
    names = [each.symbol.name for each in FUNCTIONS.values() if each.added <= _SINCE]
    names += [f"{each.symbol.name} DATA" for each in DATAS.values() if each.added <= _SINCE]
    made, listed = folder / "python3.lib", folder / "python3.def"
    listed.write_text("\n".join(("LIBRARY python3.dll", "EXPORTS", *names, "")), encoding="ascii")
    said = zig("dlltool", "-m", "i386:x86-64", "-d", str(listed), "-l", str(made))
    if said is not None:
        raise RuntimeError(f"the import library cannot be made: {said}")
    return made


def zig(*arguments: str) -> str | None:
    """Run a command; return its messages if it fails."""
    ran = subprocess.run([sys.executable, "-m", "ziglang", *arguments], capture_output=True, text=True, check=False)
    return None if ran.returncode == 0 else ran.stderr.strip()


def kind_of(data: bytes) -> str:
    """The format of a shared library, and its machine."""
    if data[:4] == b"\x7fELF":
        kind, machine = "ELF", struct.unpack_from("<H", data, 18)[0]
    elif data[:4] == b"\xcf\xfa\xed\xfe":
        kind, machine = "Mach-O", struct.unpack_from("<I", data, 4)[0]
    elif data[:2] == b"MZ":
        kind, machine = "PE", struct.unpack_from("<H", data, struct.unpack_from("<I", data, 60)[0] + 4)[0]
    else:
        return "of an unknown kind"
    return f"{kind} {_MACHINES[kind].get(machine, hex(machine))}"


if __name__ == "__main__":
    sys.exit(main())
