// Chooses the findings to show, their groups and their order.

// The numbers of the findings that match. wanted: {text, severity: [words], code, folder}.
function fitting(records, wanted) {
  const {columns} = records;
  const words = wordsOf(wanted.text).map(records.having);
  const severities = SEVERITIES.map(name => wanted.severity.includes(name));
  const found = [];
  for (let at = 0; at < records.size; at++) {
    if (severities[columns.severity[at]] &&
        (wanted.code === "" || records.code(at)[0] === wanted.code) &&
        (wanted.folder === "" || records.text("folder", at) === wanted.folder) &&
        words.every(has => has(at))) found.push(at);
  }
  return found;
}

// The name of a group, also used in the URL's fragment.
function groupName(records, view, key) {
  if (view === "causes") return records.causes[key][0];
  if (key >= 0) return records.texts[key];
  return view === "hosts" ? "no host" : "no target";
}

function grouped(records, view, found) {
  const column = records.columns[VIEWS[view]], groups = new Map();
  for (const at of found) {
    let group = groups.get(column[at]);
    if (!group) groups.set(column[at], group = {key: column[at], own: [], tally: [0, 0, 0]});
    group.own.push(at);
    group.tally[records.severity(at)]++;
  }
  for (const group of groups.values()) {
    group.name = groupName(records, view, group.key);
    group.worst = group.tally.findIndex(Boolean);
  }
  return [...groups.values()];
}

// A key for sorting texts: a2 comes before a10. (Intl.Collator takes a second for twenty thousand.)
function comparable(text) {
  return text.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, "0"));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Sort groups in place. order: "" (the most errors, then the most warnings), most, name, code.
function sortGroups(records, view, groups, order) {
  const label = group => (view === "causes" ? records.text("message", group.own[0]) : group.name);
  if (order === "name") for (const group of groups) group.label = comparable(label(group));
  const most = (a, b) => b.own.length - a.own.length || a.own[0] - b.own[0];
  const by = {
    "": (a, b) => b.tally[0] - a.tally[0] || b.tally[1] - a.tally[1] || most(a, b),
    most,
    name: (a, b) => compare(a.label, b.label) || most(a, b),
    code: (a, b) => compare(records.code(a.own[0])[0], records.code(b.own[0])[0]) || most(a, b),
  }[order];
  return groups.sort(by);
}

// The rows of a list: groups, and after each open one its findings. A cause itself shows its first finding.
function rowsOf(view, groups, isOpen) {
  const rows = [];
  for (const group of groups) {
    rows.push({group, at: -1});
    if (!isOpen(group)) continue;
    for (let which = view === "causes" ? 1 : 0; which < group.own.length; which++) rows.push({group, at: group.own[which]});
  }
  return rows;
}
