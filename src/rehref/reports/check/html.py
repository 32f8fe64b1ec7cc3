"""What checking found, as a page to be looked at in a browser.

1. It is one file and asks nothing of any server: style and script are in it, and its Content-Security-Policy allows
   those two by their hashes and nothing else. It follows the colours the reader prefers, light or dark.
2. Whatever comes from documents is escaped by the template (Jinja's autoescape), and is text only: no reference of a
   document is a link here.
3. A document is a section with its path and its findings. Each has its place, severity, code (with what that means),
   message, source line with the reference marked, target, base (if another than the document's URI) and suggestion.
4. Findings can be filtered by words, all of which must occur, and by severity. Without scripts all are shown.
5. Passwords are masked; control characters are shown as escapes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from rehref.checking.model import CheckResult, Finding
from rehref.codes import CODES
from rehref.reports.check.places import Excerpt, by_document, excerpt, file_path, position, source_line
from rehref.reports.check.words import advice, leads_to, other_base, place, summary, tally_of
from rehref.reports.formats import Presentation
from rehref.reports.text import shown, visible

_COLUMNS = 160

STYLE = """
:root { color-scheme: light dark; --ink: #1c1f24; --faint: #5d6673; --page: #fff; --line: #d9dde3; --error: #b3261e;
  --warning: #8a5a00; --good: #1a6b34; --code: #f3f4f7; --mark: #fbd9d6 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --faint: #9aa3b0; --page: #16181c; --line: #333942;
  --error: #ff8a80; --warning: #ffc14d; --good: #7ddb97; --code: #21252b; --mark: #5c2320 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--page) }
h1 { font-size: 1.4rem; margin: 0 }
h2 { font-size: 1.05rem; margin: 0; display: inline; overflow-wrap: anywhere }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre, p { margin: .2rem 0; overflow-wrap: anywhere }
pre { background: var(--code); padding: .3rem .5rem; white-space: pre-wrap }
mark { background: var(--mark); color: inherit; text-decoration: underline wavy var(--error) }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
  padding: .6rem 0; background: var(--page); border-bottom: 1px solid var(--line) }
label { display: flex; gap: .3rem; align-items: center }
input[type=search] { font: inherit; padding: .3rem .5rem; width: min(25rem, 60vw) }
details { border-bottom: 1px solid var(--line); padding: .6rem 0 }
summary { cursor: pointer }
ol { list-style: none; margin: .4rem 0; padding: 0 }
li { margin: .8rem 0; padding-left: .8rem; border-left: 3px solid var(--error) }
li.warning { border-color: var(--warning) }
.error b { color: var(--error) }
.warning b { color: var(--warning) }
.faint { color: var(--faint) }
.good { color: var(--good) }
[hidden] { display: none }
"""

SCRIPT = """
const form = document.querySelector("form");
const sections = [...document.querySelectorAll("details")].map(section => [section,
  [...section.querySelectorAll("li")].map(item => [item, item.className,
    (section.querySelector("h2").textContent + " " + item.textContent).toLowerCase()])]);
function filter() {
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const [section, items] of sections) {
    let any = false;
    for (const [item, severity, text] of items) {
      const fits = form[severity].checked && words.every(word => text.includes(word));
      item.hidden = !fits;
      any ||= fits;
      count += fits;
    }
    section.hidden = !any;
  }
  form.querySelector("output").textContent = count.toLocaleString("en") + " shown";
}
form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.hidden = false;
filter();
"""

TEMPLATE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{{ style_hash }}'; \
script-src '{{ script_hash }}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ summary }} · rehref check</title>
<style>{{ style | safe }}</style>
</head>
<body>
<h1>rehref check {{ path("") }}</h1>
<p>{{ summary }}</p>
{% if sections %}
<form hidden>
<label>Filter <input type="search" name="words" autocomplete="off"></label>
<label><input type="checkbox" name="error" checked> errors</label>
<label><input type="checkbox" name="warning" checked> warnings</label>
<label><input type="checkbox" name="info" checked> notes</label>
<output class="faint"></output>
</form>
{% endif %}
{% for document, findings in sections %}
<details open>
<summary><h2>{{ path(document) }}</h2> <span class="faint">{{ tally_of(findings) }}</span></summary>
<ol>
{% for finding in findings %}
{% set source, target, base = excerpt(finding), leads_to(finding), other_base(finding) %}
<li class="{{ finding.severity }}">
<p><code>{{ position(finding) }}</code> <b>{{ finding.severity }} <span title="{{ codes[finding.code].sentence }}">\
{{ finding.code }}</span></b> <code class="faint">{{ shown(place(finding), 80) }}</code></p>
<p>{{ shown(finding.message, 2000) }}</p>
{% if source %}
<pre>{{ source.before }}<mark>{{ source.marked }}</mark>{{ source.after }}</pre>
{% elif finding.reference %}
<pre>{{ shown(finding.reference) }}</pre>
{% endif %}
{% if target %}
<p class="faint">→ <code>{{ shown(target) }}</code></p>
{% endif %}
{% if base %}
<p class="faint">relative to <code>{{ shown(base.uri) }}</code> ({{ shown(base.where) }})</p>
{% endif %}
{% if finding.suggestion is not none %}
<p class="good">{{ advice(finding) }} <code>{{ shown(finding.suggestion) }}</code></p>
{% endif %}
</li>
{% endfor %}
</ol>
</details>
{% endfor %}
{% if sections %}
<script>{{ script | safe }}</script>
{% endif %}
</body>
</html>
"""


def html(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The format."""
    from jinja2 import Environment, StrictUndefined

    def source(finding: Finding) -> Excerpt | None:
        line = source_line(finding, presentation.line_of)
        return None if line is None else excerpt(finding, line, _COLUMNS)

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    yield environment.from_string(TEMPLATE).render(
        summary=summary(result.summary),
        path=lambda document: visible(file_path(result.folder, document)),
        sections=list(by_document(result.findings)),
        codes=CODES,
        excerpt=source,
        **{each.__name__: each for each in (advice, leads_to, other_base, place, position, shown, tally_of)},
        style=STYLE,
        script=SCRIPT,
        style_hash=_hash(STYLE),
        script_hash=_hash(SCRIPT),
    )


def _hash(text: str) -> str:
    """The hash of an element's text, as a Content-Security-Policy names it (CSP 3 §2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
