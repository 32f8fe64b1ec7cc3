# shellcheck shell=bash
#
# The scripts of this folder read this file. It defines:
#
#   run_tests COMMAND [ARGUMENT…]   runs a command that ends in pytest and takes its arguments
#   name_unsteady                   prints the tests that failed at first, and passed alone, in all runs so far
#
# A test that fails runs once more, with no other beside it, when all have run. If it passes then, it is unsteady: a defect
# of the test or of the program, which must not hide what else a whole run found.

UNSTEADY_TESTS=${UNSTEADY_TESTS-$(mktemp)}
export UNSTEADY_TESTS
most_failures=10 # more than that is no matter of chance

run_tests() {
    local cache failures status=0
    cache=$(mktemp -d)
    "$@" -o cache_dir="$cache" || status=$?
    failures=$cache/v/cache/lastfailed
    # pytest ends with 1 only where all was collected and tests failed.
    if [ "$status" = 1 ] && [ "$(failed_tests "$failures" | wc -l)" -le "$most_failures" ]; then
        failed_tests "$failures" >"$cache/first"
        printf '%s failed; running again, alone:\n' "$(wc -l <"$cache/first")" >&2
        status=0
        "$@" -o cache_dir="$cache" --last-failed --last-failed-no-failures none -n 0 || status=$?
        if [ -e "$failures" ]; then failed_tests "$failures" >"$cache/again"; else : >"$cache/again"; fi
        grep --line-regexp --fixed-strings --invert-match --file="$cache/again" "$cache/first" >>"$UNSTEADY_TESTS" || true
    fi
    rm -rf "$cache"
    return "$status"
}

failed_tests() { "${VENV_PYTHON:-.venv/bin/python}" -c 'import json, sys; print(*json.load(open(sys.argv[1])), sep="\n")' "$1"; }

name_unsteady() {
    if [ ! -s "$UNSTEADY_TESTS" ]; then return; fi
    printf 'unsteady: %s failed, and passed when run again alone:\n' "$(wc -l <"$UNSTEADY_TESTS")"
    sed 's/^/  /' "$UNSTEADY_TESTS"
}
