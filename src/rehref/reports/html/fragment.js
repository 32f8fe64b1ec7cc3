// What is shown, kept in the URL's fragment, so that a view can be sent: #view=pages&text=logo

// The fragment as an object of texts.
function readFragment() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Keep these texts in the fragment; what is "" is left out. The page does not scroll, and history does not grow, but if
// that is asked for (push).
function writeFragment(texts, push) {
  const kept = new URLSearchParams(Object.entries(texts).filter(([, text]) => text !== ""));
  const url = "#" + kept;
  if (url === (location.hash || "#")) return;
  try {
    if (push) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  } catch {
    location.replace(url); // where history may not be written
  }
}

// Several names as one text of the fragment, and back. What is no such text gives none.
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
