// The keyboard: arrows move through the rows of a list, / goes to its filter, and the down arrow from there to the rows.

// list: of windowedList. open(item, wanted): opens (true), closes (false) or toggles (null) a row; returns whether it did.
// filter: the field from which the arrow down leads to the first row.
function listKeys(container, list, open, filter) {
  const go = index => {
    const element = list.reveal(Math.max(0, Math.min(list.size - 1, index)));
    if (element) element.focus({preventScroll: true});
  };
  filter.addEventListener("keydown", event => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    go(0);
  });
  container.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = list.indexOf(event.target);
    if (at < 0) return;
    const onRow = event.target.parentNode === container;
    const does = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(list.size - 1),
      ArrowRight: () => open(list.item(at), true),
      ArrowLeft: () => open(list.item(at), false),
      Enter: () => onRow && open(list.item(at), null),
      " ": () => onRow && open(list.item(at), null),
    }[event.key];
    if (!does || (!onRow && (event.key === "Enter" || event.key === " "))) return;
    event.preventDefault();
    does();
  });
}

function filterKey(input) {
  addEventListener("keydown", event => {
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
}

// Make the first button of the page skip the text at its top.
function skipTo(element) {
  const button = document.querySelector(".skip");
  if (!button || !element) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    element.focus();
    element.scrollIntoView({block: "center"});
  });
}
