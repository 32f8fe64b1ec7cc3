"""Uses the toolbar of the page of a check, as people do, and says how long the page takes."""

from __future__ import annotations

import devtools

_CHANGE = """((name, value) => {
  const began = performance.now(), field = document.querySelector(".toolbar").elements[name];
  field.value = value;
  (field[0] && !field.options ? [...field].find(one => one.value === value) : field)
    .dispatchEvent(new Event("input", {bubbles: true}));
  document.body.offsetHeight;
  return performance.now() - began;
})(%s)"""


def opened(tab: devtools.Tab) -> float:
    """How many milliseconds it took from the request of the page to the end of its scripts."""
    took: float = tab.run("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    return took


def change(tab: devtools.Tab, name: str, value: str) -> float:
    """Fill in a field: how many milliseconds until all is laid out."""
    took: float = tab.run(_CHANGE % f"{name!r}, {value!r}")
    return took
