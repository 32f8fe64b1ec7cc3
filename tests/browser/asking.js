// Collects the references in the attributes of many documents, and their URLs in Chromium: see asking.py.
//
// 1. `carriers` (by namespace, element, attribute) names the micro-syntax of each value. What the other attributes of an
//    element decide is decided here anew.
// 2. The URL of a text is what an `a` of that document makes of it; of an empty `action`, the document's; of the
//    `href` of a `base`, what the property says.
// 3. The content of templates and shadow trees counts, and so do the documents in frames with `srcdoc`.
// 4. `candidates` and `urlsIn` are those of collect.js.

"use strict";

const SPACE = /[\t\n\f\r ]+/;
const trim = (value) => value.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
const words = (value) => value.split(SPACE).filter((word) => word !== "");
const NAMESPACES = { "http://www.w3.org/2000/svg": "svg", "http://www.w3.org/1998/Math/MathML": "mathml", [HTML]: "html" };

// HTML Standard, "shared declarative refresh steps".
function refreshed(value) {
  let rest = value.replace(/^[\t\n\f\r ]+/, "");
  if (!/^[0-9.]/.test(rest)) return [];
  rest = rest.replace(/^[0-9.]+/, "");
  if (!/^[;,\t\n\f\r ]/.test(rest)) return [];
  rest = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, "");
  if (rest === "") return [];
  rest = rest.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  const quote = /^["']/.exec(rest);
  if (quote !== null) rest = rest.slice(1).split(quote[0])[0];
  return [trim(rest)];
}

const SYNTAXES = {
  url: (value) => [trim(value)],
  spaces: words,
  commas: (value) => value.split(",").map(trim).filter((word) => word !== ""),
  srcset: candidates,
  fragment: (value) => (/#[^]/.test(value) ? [value.slice(value.indexOf("#"))] : []),
  refresh: refreshed,
  css: (_, element) => (element.style ? urlsIn(element.style.cssText).filter((text) => text !== "") : []),
};

function syntaxOf(carriers, element, name) {
  const table = carriers[NAMESPACES[element.namespaceURI]] ?? {};
  const found = table[element.localName]?.[name] ?? table["*"]?.[name];
  if (element.namespaceURI !== HTML) return found === "css" && name !== "style" ? undefined : found;
  if (element.localName === "input" && name === "src") return element.type === "image" ? found : undefined;
  if (element.localName !== "meta" || name !== "content") return found;
  return /^refresh$/i.test(element.getAttribute("http-equiv")) ? "refresh" : undefined;
}

// A property is the text of an attribute where that is no URL.
const valid = (url) => (URL.canParse(url) ? url : null);

// All elements below a node, in tree order, those of templates and shadow trees too.
function* elementsOf(node) {
  for (const element of node.querySelectorAll("*")) {
    yield element;
    if (element.shadowRoot) yield* elementsOf(element.shadowRoot);
    if (element.content?.querySelectorAll) yield* elementsOf(element.content);
  }
}

// Element, attribute, text, URL (null: none) of each reference; the base of each document is added to `bases`.
function referencesOf(doc, carriers, bases) {
  bases.add(doc.baseURI);
  const maker = doc.createElementNS(HTML, "a");
  const resolve = (text) => {
    maker.setAttribute("href", text);
    return maker.protocol === ":" ? null : maker.href;
  };
  // what CSS in an attribute makes of a text: its queries are in UTF-8, whatever the document is in
  const resolveInUtf8 = (text) => (URL.canParse(text, doc.baseURI) ? new URL(text, doc.baseURI).href : null);
  const found = [];
  for (const element of elementsOf(doc)) {
    const { localName, attributes } = element;
    for (const { name, value } of attributes) {
      const syntax = syntaxOf(carriers, element, name);
      if (syntax === undefined) continue;
      for (const text of SYNTAXES[syntax](value, element)) {
        let url = syntax === "css" ? resolveInUtf8(text) : resolve(text);
        if (text === "" && /action$/.test(name)) url = doc.URL.split("#")[0];
        if (localName === "base" && name === "href" && element.namespaceURI === HTML) url = valid(doc.importNode(element).href);
        found.push([localName, syntax === "css" ? "style" : name, text, url]);
      }
    }
    if (localName === "iframe" && element.namespaceURI === HTML && element.hasAttribute("srcdoc")) {
      const inner = element.contentDocument;
      if (inner) found.push(...referencesOf(inner, carriers, bases));
      else found.push(["iframe", "srcdoc", "", null]);
    }
  }
  return found;
}

function answerOf(doc, carriers) {
  const bases = new Set();
  const found = referencesOf(doc, carriers, bases);
  return { bases: Array.from(bases).join(" "), found };
}

// What is found in each text.
function parsed(texts, url, carriers) {
  const wanted = new URL(url, location.href).href;
  if (location.href !== wanted) history.replaceState(null, "", url); // too many of these are ignored
  if (location.href !== wanted) throw new Error(`the page stays at ${location.href}`);
  return texts.map((text) => answerOf(new DOMParser().parseFromString(text, "text/html"), carriers));
}

// What is found in each document that the server has, so many at a time.
async function loaded(urls, carriers, atOnce = 8) {
  const answers = [];
  const load = (url) =>
    new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-same-origin";
      frame.onload = () => {
        const answer = frame.contentDocument ? answerOf(frame.contentDocument, carriers) : null;
        frame.remove();
        done(answer);
      };
      frame.src = url;
      document.body.append(frame);
    });
  let next = 0;
  const worker = async () => {
    while (next < urls.length) {
      const number = next++;
      answers[number] = await load(urls[number]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}
