// The documents: a filter by words, all of which must occur; a button that opens all; Escape hides the tip of a mark.

const documents = [...document.querySelectorAll("details.document")];
const form = document.querySelector("form");
const all = form.elements.all;
const texts = new Map();
const MOST_OPEN_IN_URL = 20;

// The text to search: that of an element, in lower case.
function textOf(element) {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
}

// The element with a document's references, which opens and closes by itself.
function listOf(details) {
  return details.querySelector("details.listed");
}

// The elements that the filter opened, so that it can close them.
const opened = new Set();

function show(details, open) {
  for (const each of [details, listOf(details)]) if (each) each.open = open;
}

function filter() {
  const words = wordsOf(form.elements.words.value);
  const fits = element => words.every(word => textOf(element).includes(word));
  let shown = 0;
  for (const details of documents) {
    const whole = [...details.querySelectorAll("h3, dd:not(.who)")].some(fits);
    let some = false;
    for (const row of details.querySelectorAll(".references > tbody > tr")) {
      row.hidden = !whole && !fits(row);
      some ||= !row.hidden;
    }
    details.hidden = !whole && !some;
    shown += whole || some;
    if (some && !whole && !details.open) {
      opened.add(details);
      show(details, true);
    } else if (opened.has(details) && (whole || !some)) {
      opened.delete(details);
      show(details, false);
    }
  }
  form.querySelector("output").textContent = words.length ? count(shown, "document") + " shown" : "";
  label();
  remember();
}

const nameOf = details => details.querySelector("h3").textContent;

function allOpen() {
  const there = documents.filter(details => !details.hidden);
  return there.length > 0 && there.every(details => details.open);
}

function label() {
  all.textContent = allOpen() ? "Close all" : "Open all";
}

// Open all documents that match, each with its references (not its source), or close them.
function openAll() {
  const open = !allOpen();
  for (const details of documents) if (!details.hidden) show(details, open);
  opened.clear();
}

let waiting = 0;

// Keep the words of the filter and the open documents in the URL.
function remember() {
  clearTimeout(waiting);
  const open = documents.filter(details => details.open && !opened.has(details)).map(nameOf);
  writeFragment({
    text: form.elements.words.value,
    open: open.length <= MOST_OPEN_IN_URL ? textOfNames(open) : allOpen() ? "all" : "",
  });
}

function recall() {
  clearTimeout(waiting);
  const kept = readFragment(), names = new Set(namesOfText(kept.open || ""));
  opened.clear();
  form.elements.words.value = kept.text || "";
  for (const details of documents) if (details.open !== (kept.open === "all" || names.has(nameOf(details)))) show(details, !details.open);
  filter();
}

skipTo(documents.length > 1 ? form.elements.words : document.querySelector("summary"));
if (documents.length > 1) {
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  all.addEventListener("click", openAll);
  filterKey(form.elements.words);
  if (location.hash) recall();
  for (const details of documents) {
    details.addEventListener("toggle", event => {
      if (event.target !== details) return;
      if (!details.open) opened.delete(details);
      label();
      clearTimeout(waiting);
      waiting = setTimeout(remember, 50); // if all are opened, each fires an event
    });
  }
  addEventListener("hashchange", recall);
} else if (documents.length === 1) {
  for (const details of [documents[0], ...documents[0].querySelectorAll("details")]) details.open = true;
}

addEventListener("keydown", event => {
  if (event.key === "Escape") for (const each of document.querySelectorAll(".source")) each.classList.add("quiet");
});
for (const kind of ["focusin", "mousemove"]) {
  addEventListener(kind, event => {
    if (kind === "mousemove" && !event.movementX && !event.movementY) return; // the page moved, not the pointer
    const mark = event.target.closest && event.target.closest(".source mark");
    if (mark) mark.closest(".source").classList.remove("quiet");
  });
}
