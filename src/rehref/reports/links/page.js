// The documents: a filter by words, all of which must occur; all opened at once; what a mark says goes with Escape.

const documents = [...document.querySelectorAll("details.document")];
const form = document.querySelector("form");
const all = form.elements.all;
const texts = new Map();

// What is searched: the text of an element, in lower case.
function textOf(element) {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
}

function filter() {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = element => words.every(word => textOf(element).includes(word));
  let shown = 0;
  for (const details of documents) {
    const whole = [...details.querySelectorAll("h3, dd:not(.who)")].some(fits);
    let any = whole;
    for (const row of details.querySelectorAll(".references > tbody > tr")) {
      row.hidden = !whole && !fits(row);
      any ||= !row.hidden;
    }
    details.hidden = !any;
    shown += any;
  }
  form.querySelector("output").textContent = words.length ? count(shown, "document") + " shown" : "";
  writeFragment({text: form.elements.words.value});
}

function openAll() {
  const open = documents.some(details => !details.open);
  for (const details of documents) details.open = open;
  all.textContent = open ? "Close all" : "Open all";
}

skipTo(documents.length > 1 ? form.elements.words : document.querySelector("summary"));
if (documents.length > 1) {
  form.hidden = false;
  form.elements.words.value = readFragment().text || "";
  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  all.addEventListener("click", openAll);
  filterKey(form.elements.words);
  if (form.elements.words.value) filter();
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
