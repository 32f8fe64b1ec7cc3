// What Chromium makes of small pages: see test_browser_drawn.py. It goes on from collect.js and asking.js.
//
// 1. Shown is what is in the page or in a shadow root there, not what a template holds.
// 2. The words of an element are those in it, in order of the alphabet, not those that are no text of the page.

const HIDDEN = ["script", "style", "title", "iframe", "noembed", "noframes"];
const JAVASCRIPT = ["", "module", "text/javascript"];

function* shown(node) {
  for (const element of node.querySelectorAll("*")) {
    yield element;
    if (element.shadowRoot) yield* shown(element.shadowRoot);
  }
}

function wordsIn(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.match(/w[0-9]+/g) ?? [];
  if (HIDDEN.includes(node.localName)) return [];
  return [...(node.shadowRoot ? wordsIn(node.shadowRoot) : []), ...Array.from(node.childNodes).flatMap(wordsIn)];
}

const isHidden = (node) => node !== null && (HIDDEN.includes(node.localName) || isHidden(node.parentNode ?? node.host ?? null));

function runs(element) {
  if (element.localName !== "script" || ![HTML, SVG].includes(element.namespaceURI)) return false;
  return element.textContent !== "" && JAVASCRIPT.includes(element.getAttribute("type") ?? "");
}

function isLink(element) {
  const carries = element.namespaceURI === SVG ? ["a", "image"] : element.namespaceURI === HTML ? ["a"] : [element.localName];
  return carries.includes(element.localName) && Boolean(element.getAttribute("href"));
}

function drawnAs(text) {
  const doc = Document.parseHTMLUnsafe(text);
  const elements = Array.from(shown(doc));
  const links = elements.filter(isLink);
  const texts = {};
  for (const link of links.filter((element) => element.localName === "a")) {
    const href = link.getAttribute("href");
    texts[href] = [...(texts[href] ?? []), ...(isHidden(link) ? [] : wordsIn(link))].sort();
  }
  return {
    shown: Array.from(new Set(links.map((link) => link.getAttribute("href")))).sort(),
    title: doc.title,
    texts,
    words: wordsIn(doc).sort(),
    runs: elements.some(runs),
    ids: Array.from(new Set(Array.from(doc.querySelectorAll("[id]:not([id=''])"), (element) => element.id))).sort(),
  };
}
