"use strict";
(function () {
  const root = document.documentElement;

  // Theme: the system's until the button is used. Files opened from disk may have no storage.
  const toggle = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = (function () { try { return localStorage.getItem("theme"); } catch (e) { return null; } })();
  if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  function isDark() { return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches; }
  function name() {
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", "Switch to the " + toggle.textContent.toLowerCase() + " theme");
  }
  toggle.addEventListener("click", function () {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { /* not remembered, then */ }
    name();
  });
  dark.addEventListener("change", name);
  name();
  toggle.hidden = false;

  // On a phone the contents would fill the first screen.
  if (matchMedia("(max-width: 820px)").matches) document.querySelector("nav details").open = false;

  function key(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return { number: true, value: parseFloat(cell.dataset.v) };
    return { number: false, value: cell.textContent };
  }

  // Cells without a figure stay below those with one, whichever way the column is sorted.
  function sort(table, column, descending) {
    const body = table.tBodies[0];
    const numeric = table.tHead.rows[0].cells[column].classList.contains("n");
    const rows = Array.from(body.rows);
    rows.sort(function (a, b) {
      const x = key(a, column), y = key(b, column);
      if (numeric && x.number !== y.number) return x.number ? -1 : 1;
      const order = x.number && y.number ? x.value - y.value : String(x.value).localeCompare(String(y.value), "en", { numeric: true });
      return descending ? -order : order;
    });
    body.append.apply(body, rows);
  }

  document.querySelectorAll("table:not(.evidence)").forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.append(button);
      button.addEventListener("click", function () {
        const descending = head.getAttribute("aria-sort") === "ascending";
        Array.from(head.parentNode.cells).forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, column, descending);
      });
    });
  });

  document.querySelectorAll(".filter").forEach(function (label) {
    const input = label.querySelector("input"), out = label.querySelector("output");
    const rows = Array.from(label.parentNode.querySelector("tbody").rows);
    label.hidden = false;
    input.addEventListener("input", function () {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(function (row) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (w) { return text.includes(w); });
        if (!row.hidden) shown++;
      });
      out.textContent = words.length ? shown + " of " + rows.length + " rows" : "";
    });
  });
})();
