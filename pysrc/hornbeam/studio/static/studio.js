// What the pages do beyond htmx: a literal of a proof marks what it speaks of. Everything works without it.
"use strict";
(() => {
  const clear = () => document.querySelectorAll(".marked").forEach((one) => one.classList.remove("marked"));

  function mark(literal) {
    clear();
    const names = new Set(literal.dataset.marks.split(" "));
    literal.classList.add("marked");
    const scope = literal.closest(".marking") || document;
    for (const one of scope.querySelectorAll("[data-node]"))
      if (names.has(one.dataset.node)) one.classList.add("marked");
    for (const one of scope.querySelectorAll("[data-edge]"))
      if (one.dataset.edge.split(" ").every((end) => names.has(end))) one.classList.add("marked");
  }

  // On a narrow screen samples come first: what is about the dataset unfolds on request.
  if (matchMedia("(max-width: 62rem)").matches)
    for (const panel of document.querySelectorAll(".browse aside details:not(#audit)")) panel.open = false;

  const literal = (event) => event.target instanceof Element && event.target.closest("[data-marks]");
  for (const kind of ["mouseover", "focusin"])
    document.addEventListener(kind, (event) => { const found = literal(event); if (found) mark(found); });
  for (const kind of ["mouseout", "focusout"])
    document.addEventListener(kind, (event) => { if (literal(event)) clear(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    // j and k go through samples, unless one is typing.
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const link = /^[a-z]$/.test(event.key) && document.querySelector(`a[data-key="${event.key}"]`);
    if (link) link.click();
  });
})();
