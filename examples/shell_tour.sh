#!/bin/sh
#
# A tour of the command line, on a page of LibreOffice's help that has a relative base. Changes nothing outside of a
# temporary folder.
#
#   examples/shell_tour.sh                                  with the rehref on the PATH
#   REHREF=.venv/bin/rehref examples/shell_tour.sh | less   with another one

set -eu

case ${REHREF:=rehref} in
    /*) ;;
    */*) REHREF=$PWD/$REHREF ;; # make the path absolute; the tour changes the folder
esac

cd "$(dirname "$0")/pages"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# show LINES SENTENCE ARGUMENT…: prints the sentence and the command, runs it, and prints the first lines of its
# output, or `all`.
show() {
    lines=$1
    printf '\n# %s\n$ rehref' "$2"
    shift 2
    for argument; do
        case $argument in
            *[!A-Za-z0-9_./:=,-]*) printf " '%s'" "$argument" ;;
            *) printf ' %s' "$argument" ;;
        esac
    done
    printf '\n'
    if [ "$lines" = all ]; then
        "$REHREF" "$@"
    else
        "$REHREF" "$@" >"$folder/output"
        head -n "$lines" "$folder/output"
        echo '…'
    fi
}

page=pivotchart_delete.html
url=https://help.libreoffice.org/7.4/en-US/text/scalc/guide/pivotchart_delete.html

# --- What a page refers to

show all 'Every reference: where it stands, where it leads, and what it is relative to, with the reason.' \
    links --url "$url" "$page"

show 2 'The same for programs, one link a line.' \
    links --format jsonl --url "$url" "$page"

show 3 'What the page itself says of its base can be left aside.' \
    links --format csv --ignore-embedded-base --url "$url" "$page"

# --- Rewriting it

show all 'Every reference made absolute, as a diff. (Without --diff the whole page goes to standard output.)' \
    rewrite --diff --url "$url" "$page"

show 16 'Relative to the page itself, to be read from a disk: the base becomes empty.' \
    rewrite --to relative --diff --url "$url" "$page"

show 16 'For a replay server: every target put into a template.' \
    rewrite --to 'https://replay.example/20240229120000/{uri}' --diff --url "$url" "$page"

cat >"$folder/map.json" <<'END'
{
  "https://help.libreoffice.org/7.4/*": "https://help.example/lo74/*",
  "https://help.libreoffice.org/7.4/normalize.css": "https://cdn.example/normalize-8.css"
}
END
printf '\n# A map from targets to replacements; an exact key takes precedence over prefixes.\n$ cat map.json\n'
cat "$folder/map.json"
show 16 'It changes what leads there, whether it is written relatively or not.' \
    rewrite --map "$folder/map.json" --diff --url "$url" "$page"

show all 'Into a file. What is no reference is the same, byte for byte.' \
    rewrite --url "$url" -o "$folder/absolute.html" "$page"

show all 'Absolute twice is absolute once: nothing more to change.' \
    rewrite --diff --url "$url" "$folder/absolute.html"

# --- Resolving

show all 'References resolved against a base.' \
    resolve "$url" ../../../../ '?lang=de' '#top' //cdn.example/x.css

show all 'How that comes about, step by step as RFC 3986 §5.2 has it.' \
    resolve --explain "$url" ../../../../en-US/noscript.html

# --- Parsers

show all 'What a document can be read with. A package can add to them: see selectolax_core.py.' \
    parsers

show 8 'Each of them finds the same here. A tree knows lines at most, no columns.' \
    links --parser lxml --url "$url" "$page"
