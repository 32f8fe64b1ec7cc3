// What scrolls sideways can be reached with the keyboard; what has a role has a name.
"use strict";

const reach = () => {
  for (const box of document.querySelectorAll(".highlight code, .md-typeset__scrollwrap")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", reach);
addEventListener("resize", reach);

// A section with a page of its own has a label without text: its navigation is named after the section.
for (const nav of document.querySelectorAll("nav[aria-labelledby]")) {
  const label = document.getElementById(nav.getAttribute("aria-labelledby"));
  if (label && !label.textContent.trim()) {
    nav.removeAttribute("aria-labelledby");
    nav.setAttribute("aria-label", label.parentElement.textContent.trim());
  }
}
