// The editor: sends its text while one types, drops answers that come too late, and marks what is wrong at its place.
"use strict";
(function () {
  document.documentElement.classList.add("scripted");
  for (const chooser of document.querySelectorAll("select[data-go]")) {
    chooser.addEventListener("change", function () { if (chooser.value) { chooser.form.submit(); } });
  }
  const area = document.getElementById("text");
  const find = document.getElementById("find");
  if (find) {
    find.addEventListener("input", function () {
      const wanted = find.value.trim().toLowerCase();
      for (const entry of document.querySelectorAll("#predicates > li")) {
        entry.hidden = wanted !== "" && !entry.dataset.text.includes(wanted);
      }
    });
  }
  if (!area) { return; }
  const form = area.form, edit = document.getElementById("edit"), busy = document.getElementById("busy");
  const goal = area.dataset.kind === "goal";
  const editor = CodeMirror.fromTextArea(area, {
    mode: "hornbeam-prolog", lineNumbers: !goal, matchBrackets: true, indentUnit: 4, lineWrapping: true,
    inputStyle: "textarea", viewportMargin: Infinity,
    extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Enter": submit, "Cmd-Enter": submit },
  });
  const label = document.querySelector("label[for='text']");
  const field = editor.getInputField();
  field.setAttribute("aria-label", label ? label.textContent.trim() : "Prolog text");
  field.id = "editor-input";
  if (label) { label.addEventListener("click", function () { editor.focus(); }); }
  window.hornbeamEditor = editor;

  function submit() { editor.save(); form.requestSubmit(); }

  function insert(text) {
    const plain = text.replace(/[-+?:@!]+(?=[A-Z_])/g, "").replace(/:[a-z_]+(\([^()]*\))?/g, "");
    editor.replaceSelection(plain);
    editor.focus();
  }
  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-insert]");
    if (button) { insert(button.dataset.insert); }
    const example = event.target.closest("[data-goal]");
    if (example) { event.preventDefault(); editor.setValue(example.dataset.goal); submit(); }
  });
  if (goal) { return; }

  // Each page has a name of its own: a newer text of the same page ends the judging of an older one.
  document.getElementById("page").value = Array.from(crypto.getRandomValues(new Uint32Array(2)), String).join("-");
  let sent = 0, shown = 0, marks = [], waiting = null, timer = null;
  const verdict = document.getElementById("verdict"), said = document.getElementById("said");
  const token = form.elements.form_token.value;

  function ask(url, options) {
    const headers = { "HX-Request": "true", "X-Form-Token": token };
    return fetch(url, { ...options, headers: headers, credentials: "same-origin" });
  }

  // A newer text ends the request of an older one; an answer that comes late all the same is dropped.
  async function judge(more) {
    editor.save();
    const number = sent;
    if (waiting) { waiting.abort(); }
    const mine = waiting = new AbortController();
    busy.classList.add("on");
    const fields = new URLSearchParams(new FormData(form));
    for (const [name, value] of Object.entries(more || {})) { fields.set(name, value); }
    try {
      const answer = await ask(form.action, { method: "POST", body: fields, signal: mine.signal });
      const html = answer.status === 204 ? null : await answer.text();
      if (html === null || mine !== waiting || number < shown) { return; }
      shown = number;
      show(html);
      await explain();
    } catch (error) {
      if (error.name !== "AbortError") { verdict.textContent = "The studio does not answer: " + error.message; }
    } finally {
      if (mine === waiting) { busy.classList.remove("on"); }
    }
  }

  function show(html) {
    verdict.innerHTML = html;
    verdict.dataset.shown = String(shown);
    // A diff is of the text that it was asked for.
    for (const old of document.querySelectorAll("#diff details.done")) { old.open = false; }
    const found = document.getElementById("marks");
    mark(JSON.parse((found && found.dataset.marks) || "[]"));
    const line = verdict.querySelector(".big, .note");
    if (line) { said.textContent = line.textContent; }
  }

  async function explain(url) {
    const place = document.getElementById("why");
    const wanted = url || (place && place.dataset.why);
    if (!wanted) { return; }
    const answer = await ask(wanted, waiting ? { signal: waiting.signal } : {});
    const html = await answer.text();
    if (document.getElementById("why") === place) { place.innerHTML = html; }
  }

  editor.on("change", function () {
    sent += 1;
    edit.value = String(sent);
    clearTimeout(timer);
    timer = setTimeout(judge, 40);
  });
  form.addEventListener("submit", function (event) {
    const button = event.submitter;
    if (button && button.hasAttribute("formaction")) { return; }
    event.preventDefault();
    judge(button && button.name ? { [button.name]: button.value } : {});
  });
  verdict.addEventListener("click", function (event) {
    const link = event.target.closest("a[data-why]");
    if (!link) { return; }
    event.preventDefault();
    explain(link.dataset.why).then(function () { document.getElementById("why").scrollIntoView({ block: "nearest" }); });
  });

  function mark(places) {
    for (const one of marks) { one.clear(); }
    marks = [];
    editor.operation(function () {
      for (const place of places) {
        const line = Math.min(place.line - 1, editor.lastLine());
        const column = place.column ? place.column - 1 : 0;
        const text = editor.getLine(line) || "";
        let end = place.length ? column + place.length : column + Math.max(1, (text.slice(column).match(/^\w+/) || [""])[0].length);
        if (!place.column) { end = text.length; }
        const from = { line: line, ch: Math.min(column, Math.max(0, text.length - 1)) };
        marks.push(editor.markText(from, { line: line, ch: Math.max(end, from.ch + 1) }, { className: "mark-" + place.style, title: place.message }));
        const handle = editor.addLineClass(line, "gutter", "line-" + place.style);
        marks.push({ clear: function () { editor.removeLineClass(handle, "gutter", "line-" + place.style); } });
      }
    });
  }
  mark(JSON.parse(area.dataset.marks || "[]"));
  // A text that was not judged yet is judged at once.
  if (!verdict.querySelector(".score")) { judge(); }
})();
