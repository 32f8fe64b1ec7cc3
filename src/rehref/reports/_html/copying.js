// Copies a text, even if a page may not use the clipboard, such as one opened from a disk.

function announce(text) {
  document.getElementById("announcement").textContent = text;
}

function copyWithSelection(text) {
  const area = make("textarea", {value: text, readOnly: true, className: "heard", "aria-hidden": "true", tabIndex: -1});
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  if (focused) focused.focus({preventScroll: true});
  return done;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithSelection(text);
  }
}

// A button that copies a text, and says so.
function copyButton(text, what) {
  const button = make("button", {type: "button", className: "copy", "aria-label": "Copy " + what}, "Copy");
  button.addEventListener("click", async event => {
    event.stopPropagation();
    const done = await copyText(text);
    button.textContent = done ? "Copied" : "No access";
    announce(done ? "Copied " + text : "The browser does not let this page copy");
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}
