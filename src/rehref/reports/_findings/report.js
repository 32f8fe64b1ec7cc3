// The page of `rehref check`: its toolbar, charts and list.

const records = readRecords(pageData());
const form = document.querySelector(".toolbar"), container = document.querySelector(".windowed");
const firstView = form.elements.view.value;
const MOST_OPEN_IN_URL = 20;
let view = firstView, groups = [], open = new Set();

const isOpen = group => open.has(group.name);
const draw = rowDrawer(records, isOpen, toggle);
const list = windowedList(container, row => rowFacts(view, row), row => draw(view, row));

function boxes() {
  const all = form.elements.severity;
  return all.length === undefined ? [all] : [...all];
}

function checked() {
  return boxes().filter(box => box.checked).map(box => box.value);
}

// The select elements of a page (that of folders only if there are several), and their values.
const choices = ["code", "folder", "sort"].map(name => form.elements[name]).filter(Boolean);

function chosenFolder() {
  return form.elements.folder ? form.elements.folder.value : "";
}

// push: adds a step to the history, which Back undoes.
function remember(push) {
  const opened = [...open], chosen = checked();
  writeFragment({
    view: view === firstView ? "" : view,
    text: form.elements.text.value,
    severity: chosen.length === boxes().length ? "" : chosen.join(",") || "none",
    code: form.elements.code.value,
    folder: chosenFolder(),
    sort: form.elements.sort.value,
    open: opened.length <= MOST_OPEN_IN_URL ? textOfNames(opened) : allOpen() ? "all" : "",
  }, push);
}

function recall() {
  const kept = readFragment();
  const among = (field, value) => ([...field.options].some(one => one.value === value) ? value : "");
  view = Object.hasOwn(VIEWS, kept.view) ? kept.view : firstView;
  form.elements.view.value = view;
  form.elements.text.value = kept.text || "";
  for (const box of boxes()) box.checked = !kept.severity || kept.severity.split(",").includes(box.value);
  for (const field of choices) field.value = among(field, kept[field.name] || "", "");
  open = new Set(kept.open === "all" ? [] : namesOfText(kept.open || ""));
  choose();
  if (kept.open === "all") openAll();
  if (open.size) revealGroup([...open][0]);
}

// The active filters, in words.
function filters() {
  const words = form.elements.text.value.trim(), code = form.elements.code.value, chosen = checked();
  const found = [];
  if (words) found.push("with the words “" + words + "”");
  if (chosen.length < boxes().length) found.push("severity " + (chosen.join(", ") || "none"));
  if (code) found.push("code " + code);
  if (chosenFolder()) found.push("folder " + chosenFolder());
  return found.length ? ["only findings that match these filters: " + found.join(", ")] : [];
}

// Group and sort the findings that match the filters.
function choose() {
  const found = fitting(records, {
    text: form.elements.text.value, severity: checked(),
    code: form.elements.code.value, folder: chosenFolder(),
  });
  groups = sortGroups(records, view, grouped(records, view, found), form.elements.sort.value);
  const noun = {causes: "cause", pages: "page", targets: "target", hosts: "host"}[view];
  form.elements.count.value = count(found.length, "finding") + (found.length ? ", " + count(groups.length, noun) : "");
  document.querySelector(".nothing").hidden = found.length > 0;
  container.hidden = found.length === 0;
  showFilters();
  flatten();
}

// Whether all groups that can be opened are open.
function allOpen() {
  return open.size > 0 && groups.length > 0 && groups.every(group => isOpen(group) || (view === "causes" && group.own.length === 1));
}

function flatten() {
  list.show(rowsOf(view, groups, isOpen));
  form.elements.fold.textContent = allOpen() ? "Close all" : "Open all";
}

function changed() {
  choose();
  remember();
  const above = list.top() - list.covered();
  if (above < 0) window.scrollBy({top: above, behavior: "instant"});
}

function toggle(group) {
  if (!open.delete(group.name)) open.add(group.name);
  flatten();
  remember();
}

function openAll() {
  open = new Set(groups.filter(group => view !== "causes" || group.own.length > 1).map(group => group.name));
  flatten();
}

function revealGroup(name) {
  for (let index = 0; index < list.size; index++) {
    const row = list.item(index);
    if (row.at < 0 && row.group.name === name) return list.reveal(index, true);
  }
  return null;
}

// Mark the bars whose filters are active.
function showFilters() {
  const chosen = {codes: form.elements.code.value, folders: chosenFolder()};
  for (const button of document.querySelectorAll(".bar > button[aria-pressed]")) {
    const chart = button.closest(".chart").dataset.chart, own = button.parentNode.dataset.key;
    button.setAttribute("aria-pressed", String(own === chosen[chart]));
  }
}

// Turn bars into buttons: those of codes and folders filter, those of causes lead to their cause.
function enliven() {
  for (const bar of document.querySelectorAll(".chart .bar[data-key]")) {
    const chart = bar.closest(".chart").dataset.chart, key = bar.dataset.key;
    if (key === "" || !["codes", "causes", "folders"].includes(chart)) continue;
    const button = make("button", {type: "button", "aria-pressed": chart === "causes" ? null : "false"}, ...bar.childNodes);
    button.addEventListener("click", () => {
      if (chart === "causes") return leadTo(key);
      const field = form.elements[chart === "codes" ? "code" : "folder"];
      field.value = field.value === key ? "" : key;
      changed();
    });
    bar.append(button);
  }
}

function leadTo(cause) {
  view = form.elements.view.value = "causes";
  form.elements.text.value = "";
  for (const field of choices) if (field.name !== "sort") field.value = "";
  for (const box of boxes()) box.checked = true;
  open = new Set([cause]);
  choose();
  remember(true);
  const element = revealGroup(cause);
  if (element) element.focus({preventScroll: true});
}

form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("input", event => {
  if (event.target.name === "view") {
    view = form.elements.view.value;
    open = new Set();
  }
  changed();
});
form.elements.fold.addEventListener("click", () => {
  if (allOpen()) {
    open = new Set();
    flatten();
  } else openAll();
  remember();
});
listKeys(container, list, (row, wanted) => {
  const group = row.group;
  if (view === "causes" && group.own.length === 1) return;
  if (row.at >= 0) {
    const element = wanted === false ? revealGroup(group.name) : null;
    if (element) element.focus({preventScroll: true});
  } else if (wanted === null || wanted !== isOpen(group)) toggle(group);
}, form.elements.text);
filterKey(form.elements.text);
skipTo(form.elements.text);
// The text on paper: the choices, and the number of rows that do not fit.
container.addEventListener("printed", event => {
  const say = (what, text) => { document.querySelector('.printed[data-says="' + what + '"]').textContent = text; };
  say("what", [form.elements.count.value, ...filters()].join("; "));
  say("more", event.detail ? "and " + count(event.detail, "more row") : "");
});
addEventListener("hashchange", recall);
form.hidden = false;
enliven();
recall();
