# shellcheck shell=bash
#
# The other scripts read this file. It changes to the project's folder (STARTED_IN is the folder before) and defines:
#
#   say TEXT…            prints a line on standard error
#   fail TEXT…           the same, and ends with exit code 2
#   set_up run|test|dev|docs  makes .venv, and installs rehref in it with the packages of that level
#   add_packages NAME REQUIREMENT…   installs more packages into .venv, recorded under NAME
#
# Each does nothing if it was done before, so every script can run again and again.
# `PYTHON` names the Python for .venv; the default is the first of `candidates` that is new enough.

set -euo pipefail
unset CDPATH # with it, cd would print the folder
unset PYTHONDONTWRITEBYTECODE # with it, every process that a test starts would compile rehref anew

# shellcheck disable=SC2034  # for the scripts that read this file
STARTED_IN=$PWD
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

VENV="$ROOT/.venv"
VENV_PYTHON="$VENV/bin/python"
PLACE="$VENV/.rehref-place"
candidates=(python3 /usr/bin/python3 python3.13 python3.12 python3.11)

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "${0##*/}: $*"
    exit 2
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    local candidate
    if [ -n "${PYTHON-}" ]; then
        command -v "$PYTHON" >/dev/null || fail "PYTHON is $PYTHON, but there is no such program."
        new_enough "$PYTHON" || fail "PYTHON is $PYTHON, which is not Python 3.11 or later."
        printf '%s' "$PYTHON"
        return
    fi
    for candidate in "${candidates[@]}"; do
        if new_enough "$candidate"; then
            printf '%s' "$candidate"
            return
        fi
    done
    fail "Python 3.11 or later is needed, and none was found. Install one (Debian: apt-get install python3" \
        "python3-venv), or name it: PYTHON=/path/to/python3 ${0}"
}

# The Python that a program is, or that a virtual environment was made with.
identity() { "$1" -c 'import sys; print(sys.base_prefix, sys.version)'; }

# Why .venv must be made again; empty if it need not. A virtual environment contains absolute paths, so one that was
# made in another place does not work. One that the user put here does.
complaint() {
    if ! new_enough "$VENV_PYTHON" || ! "$VENV_PYTHON" -c 'import pip' 2>/dev/null; then
        if [ -e "$VENV" ]; then echo 'It does not work.'; else echo 'There is none.'; fi
    elif [ -e "$PLACE" ] && [ "$(cat "$PLACE")" != "$ROOT" ]; then
        echo 'The project has moved since it was made.'
    elif [ -n "${PYTHON-}" ] && [ "$(identity "$PYTHON")" != "$(identity "$VENV_PYTHON")" ]; then
        echo "It was made with another Python than $PYTHON."
    fi
}

make_venv() {
    local python reason
    if [ -n "${PYTHON-}" ]; then find_python >/dev/null; fi # report a wrong one
    reason=$(complaint)
    if [ -z "$reason" ]; then return; fi
    python=$(find_python)
    say "Making .venv with $("$python" --version). $reason"
    rm -rf "$VENV"
    if ! "$python" -m venv "$VENV" >&2; then
        rm -rf "$VENV"
        fail "$python cannot make a virtual environment (Debian: apt-get install python3-venv)."
    fi
    printf '%s\n' "$ROOT" >"$PLACE"
}

pip_install() { "$VENV_PYTHON" -m pip install --quiet --quiet --disable-pip-version-check "$@" >&2; }

# What an installation depends on: the project's folder, its requirements, its version.
fingerprint() { { printf '%s\n' "$ROOT" "$@" && cat pyproject.toml setup.py src/rehref/_version.py src/rehref/_native/*.[ch]; } | cksum; }

# installed NAME FINGERPRINT: whether the last installation under NAME was made from the same.
installed() { [ -e "$VENV/.rehref-$1" ] && [ "$(cat "$VENV/.rehref-$1")" = "$2" ]; }

set_up() {
    local now level levels requirement
    # Each level includes those before it.
    case $1 in
        run) levels=(run test dev) requirement=. ;;
        test) levels=(test dev) requirement='.[test]' ;;
        dev) levels=(dev) requirement='.[dev]' ;;
        docs) levels=(docs) requirement='.[docs]' ;;
        *) fail "set_up: no level $1" ;;
    esac
    make_venv
    now=$(fingerprint)
    for level in "${levels[@]}"; do
        if installed "$level" "$now"; then return; fi
    done
    say "Installing rehref ($1) in .venv."
    pip_install --editable "$requirement" || fail "the installation failed; the message above says why."
    printf '%s\n' "$now" >"$VENV/.rehref-$1"
}

add_packages() {
    local name=$1 now
    shift
    now=$(fingerprint "$@")
    if installed "$name" "$now"; then return; fi
    say "Installing $* in .venv."
    pip_install "$@" || fail "the installation failed; the message above says why."
    printf '%s\n' "$now" >"$VENV/.rehref-$name"
}
