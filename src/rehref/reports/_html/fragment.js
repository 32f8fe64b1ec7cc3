// Keeps the view in the URL's fragment, so that a link to it can be sent: #view=pages&text=logo

// The fragment as an object of texts.
function readFragment() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Keep these texts in the fragment; empty ones are left out. The page does not scroll, and the history does not grow,
// unless push is true.
function writeFragment(texts, push) {
  const kept = new URLSearchParams(Object.entries(texts).filter(([, text]) => text !== ""));
  const url = "#" + kept;
  if (url === (location.hash || "#")) return;
  try {
    if (push) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  } catch {
    location.replace(url); // if the history may not be changed
  }
}

// Several names as one text of the fragment, and back. An invalid text gives no names.
function textOfNames(names) {
  return names.map(name => name.replace(/[%,]/g, encodeURIComponent)).join(",");
}

function namesOfText(text) {
  try {
    return text.split(",").filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}
