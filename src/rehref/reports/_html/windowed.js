// A list of any length; only its visible rows are in the page. Rows may have any height.
//
// 1. A row has a key, which stays the same when the list changes. Heights are estimated, and measured once a row is drawn.
// 2. If measuring changes the height above the first visible row, the page scrolls by the difference: nothing jumps.
// 3. Rows are in the page in their order. The row with the focus stays, wherever it is; if the list changes, the focus
//    returns to its row, or to the element in it with the same data-name.
// 4. For printing, the first rows are put in the page, one below the other.

const OVERSCAN = 600;
const MOST_PRINTED = 500;

// container: an element of role list. row: returns {key, estimate} of an item; draw: makes its element.
function windowedList(container, row, draw) {
  let items = [], keys = [], tops = new Float64Array(1), width = 0, waiting = false;
  const heights = new Map(), drawn = new Map(); // by key; drawn: key to {element, index}

  function place() {
    tops = new Float64Array(items.length + 1);
    for (let at = 0; at < items.length; at++) {
      const known = heights.get(keys[at]);
      tops[at + 1] = tops[at] + (known === undefined ? row(items[at]).estimate : known);
    }
    container.style.height = tops[items.length] + "px";
  }

  // The number of the row at a height.
  function at(top) {
    let low = 0, high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tops[middle + 1] <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function element(index) {
    const own = draw(items[index], index);
    own.setAttribute("aria-setsize", items.length);
    own.setAttribute("aria-posinset", index + 1);
    return own;
  }

  function fill(first, last) {
    for (const [key, each] of drawn) {
      const has = each.element.contains(document.activeElement);
      if ((each.index < first || each.index >= last) && !has) {
        each.element.remove();
        drawn.delete(key);
      }
    }
    let next = null;
    const kept = [...drawn.values()].sort((a, b) => b.index - a.index);
    const put = index => {
      let each = drawn.get(keys[index]);
      if (!each) {
        each = {element: element(index), index};
        drawn.set(keys[index], each);
      }
      if (each.element.parentNode !== container || each.element.nextSibling !== next) container.insertBefore(each.element, next);
      next = each.element;
    };
    for (const each of kept) if (each.index >= last) next = each.element;
    for (let index = last - 1; index >= first; index--) put(index);
  }

  function measure() {
    let changed = false;
    for (const [key, each] of drawn) {
      const height = each.element.offsetHeight;
      if (height && heights.get(key) !== height) {
        heights.set(key, height);
        changed = true;
      }
    }
    return changed;
  }

  function render() {
    waiting = false;
    if (container.clientWidth !== width) {
      width = container.clientWidth;
      heights.clear();
      measure();
      place();
    }
    for (let turn = 0; turn < 4; turn++) {
      const above = -container.getBoundingClientRect().top;
      const first = at(above - OVERSCAN), last = Math.min(items.length, at(above + innerHeight + OVERSCAN) + 1);
      fill(first, last);
      const anchor = Math.min(at(Math.max(0, above)), items.length), before = tops[anchor];
      const changed = measure();
      if (changed) place();
      for (const each of drawn.values()) each.element.style.transform = "translateY(" + tops[each.index] + "px)";
      const moved = tops[anchor] - before;
      if (moved && above > 0) window.scrollBy({top: moved, behavior: "instant"});
      if (!changed) break;
    }
  }

  function ask() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(render);
    }
  }

  // Show other items, or the same ones in another way.
  function show(more) {
    const focused = [...drawn].find(([, each]) => each.element.contains(document.activeElement));
    const name = focused && document.activeElement.dataset.name;
    items = more;
    keys = items.map(item => row(item).key);
    for (const each of drawn.values()) each.element.remove();
    drawn.clear();
    place();
    render();
    const again = focused && drawn.get(focused[0]);
    if (again) (name && again.element.querySelector('[data-name="' + name + '"]') || again.element).focus({preventScroll: true});
  }

  // Scroll so that a row is visible, below the toolbar above the list, and return its element.
  function reveal(index, toTop) {
    if (index < 0 || index >= items.length) return null;
    for (let turn = 0; turn < 3; turn++) {
      const top = container.getBoundingClientRect().top + tops[index], bottom = container.getBoundingClientRect().top + tops[index + 1];
      const above = covered();
      if (toTop || top < above) window.scrollBy({top: top - above, behavior: "instant"});
      else if (bottom > innerHeight) window.scrollBy({top: Math.min(bottom - innerHeight, top - above), behavior: "instant"});
      render();
    }
    const found = drawn.get(keys[index]);
    return found ? found.element : null;
  }

  // The height of the window that the toolbar covers.
  function covered() {
    const bar = document.querySelector(".toolbar");
    return bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  }

  function print() {
    fill(0, Math.min(items.length, MOST_PRINTED));
    container.dispatchEvent(new CustomEvent("printed", {detail: Math.max(0, items.length - MOST_PRINTED)}));
  }

  addEventListener("scroll", ask, {passive: true});
  addEventListener("resize", ask);
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => { width = 0; render(); });
  return {
    show, reveal, covered,
    indexOf: target => {
      const own = target instanceof Element ? [...drawn.values()].find(each => each.element.contains(target)) : null;
      return own ? own.index : -1;
    },
    get size() { return items.length; },
    item: index => items[index],
    top: () => container.getBoundingClientRect().top,
  };
}
