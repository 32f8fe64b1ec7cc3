// The appearance of rows.

function rowFacts(view, row) {
  if (row.at >= 0) return {key: "f" + row.at, estimate: view === "causes" ? 112 : 156};
  return {key: view + row.group.key, estimate: view === "causes" ? 208 : 42};
}

function rowDrawer(records, isOpen, toggle) {
  const code = (text, properties) => make("code", properties, text);

  // A text as a link, if a reader can open what it names; the other side does not learn where the reader comes from.
  function opened(element, url) {
    return url === null ? element : make("a", {href: url, rel: "noreferrer"}, element);
  }

  function sourceLine(at) {
    const marked = records.text("marked", at);
    if (marked !== null) return make("pre", null, records.text("before", at), make("mark", null, marked), records.text("after", at));
    const reference = records.text("reference", at);
    return reference ? make("pre", null, make("mark", null, reference)) : null;
  }

  function place(at, withDocument) {
    const position = records.position(at), path = records.text("document", at);
    const text = withDocument || !position ? path + (position ? ":" + position : "") : position;
    const of = records.text("place", at);
    return make("p", {className: "where"}, opened(code(text), records.text("page_url", at)), of ? code(of, {className: "faint"}) : null);
  }

  function facts(at) {
    const list = make("dl", {className: "facts"});
    const fact = (name, kind, ...more) => list.append(make("dt", {className: kind}, name), make("dd", null, ...more));
    const target = records.text("target", at), suggestion = records.text("suggestion", at);
    if (target || records.text("target_url", at)) {
      fact("leads to", "", opened(code(target || records.text("reference", at)), records.text("target_url", at)));
    }
    if (records.columns.base[at] >= 0) {
      const [uri, where, rejected] = records.bases[records.columns.base[at]];
      fact("relative to", "", code(records.texts[uri]), " ", make("span", {className: "faint"}, records.texts[where]));
      for (const one of rejected) fact("not relative to", "", records.texts[one]);
    }
    if (suggestion !== null) {
      const whole = records.text("whole", at);
      const sure = records.columns.sure[at];
      fact(sure ? "write instead" : "perhaps", "good", code(suggestion), copyButton(whole === null ? suggestion : whole, "suggestion " + suggestion));
    }
    return list.childElementCount ? list : null;
  }

  function heading(at, name, ...more) {
    const [code_, sentence] = records.code(at);
    return make(name, {className: "heading"},
      make("span", {className: "severity"}, SEVERITIES[records.severity(at)]), code(code_, {title: sentence}), ...more);
  }

  function message(at) {
    return make("p", {className: "message"}, records.text("message", at));
  }

  function extent(group) {
    const pages = new Set(group.own.map(at => records.columns.document[at])).size;
    const [, allPlaces, allPages] = records.causes[group.key], places = group.own.length;
    if (allPlaces === 1) return null;
    const some = pages < allPages ? number(pages) + " of " + count(allPages, "page") : number(places) + " of " + count(allPlaces, "place");
    const whole = count(pages, "page") + (places === pages ? "" : " (" + count(places, "place") + ")");
    return make("span", {className: "faint"}, places < allPlaces ? "matches in " + some : "in " + whole + ", this is the first");
  }

  function opener(group, properties, ...children) {
    const button = make("button", {type: "button", "data-name": "open", "aria-expanded": String(isOpen(group)), ...properties}, ...children);
    button.addEventListener("click", () => toggle(group));
    return button;
  }

  function cause(group) {
    const at = group.own[0], rest = group.own.length - 1;
    const button = rest ? opener(group, {className: "more"}, isOpen(group) ? "Only the first place" : rest === 1 ? "The other place" : "The other " + number(rest) + " places") : null;
    return make("div", {className: "card " + SEVERITIES[group.worst]},
      heading(at, "h3", extent(group)), message(at), place(at, true), sourceLine(at), facts(at), button);
  }

  function head(group) {
    const tally = make("span", {className: "tally"});
    group.tally.forEach((found, severity) => {
      if (found) tally.append(make("span", {className: "severity " + SEVERITIES[severity]}, count(found, NOUNS[severity])));
    });
    return make("div", {className: "group"}, make("h3", null, opener(group, {}, code(group.name), tally)));
  }

  return (view, row) => {
    let element;
    if (row.at < 0) element = view === "causes" ? cause(row.group) : head(row.group);
    else {
      const at = row.at, inCause = view === "causes";
      element = make("div", {className: "at " + SEVERITIES[records.severity(at)]},
        inCause ? null : heading(at, "p"), inCause ? null : message(at), place(at, view !== "pages"), sourceLine(at), facts(at));
    }
    element.setAttribute("role", "listitem");
    element.tabIndex = -1;
    return element;
  };
}
