// Makes elements from text only: no text of a document is ever parsed as markup.

function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

// make("p", {className: "faint", "aria-label": "…"}, "text", element, null): an element with its children.
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function number(value) {
  return value.toLocaleString("en");
}

function count(value, noun) {
  return number(value) + " " + noun + (value === 1 ? "" : "s");
}

// The words that the user typed into a filter, in lower case.
function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
