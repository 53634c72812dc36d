// Prolog for CodeMirror: what the rules of the studio are made of, no more.
"use strict";
CodeMirror.defineMode("hornbeam-prolog", function () {
  const symbols = /[-+*\/\\^<>=~:.?@#&$]/;
  const words = new Set(["is", "mod", "rem", "xor", "div", "rdiv"]);
  function quoted(stream, state, quote) {
    while (!stream.eol()) {
      const letter = stream.next();
      if (letter === "\\") { stream.next(); continue; }
      if (letter === quote && !stream.eat(quote)) { state.quote = null; break; }
    }
    return quote === "'" ? "atom" : "string";
  }
  function comment(stream, state) {
    if (stream.skipTo("*/")) { stream.match("*/"); state.comment = false; } else { stream.skipToEnd(); }
    return "comment";
  }
  return {
    startState: function () { return { quote: null, comment: false, head: true, depth: 0 }; },
    token: function (stream, state) {
      if (state.comment) { return comment(stream, state); }
      if (state.quote) { return quoted(stream, state, state.quote); }
      if (stream.eatSpace()) { return null; }
      if (stream.match("/*")) { state.comment = true; return comment(stream, state); }
      const letter = stream.next();
      if (letter === "%") { stream.skipToEnd(); return "comment"; }
      if (letter === "'" || letter === "\"" || letter === "`") {
        state.quote = letter;
        const style = quoted(stream, state, letter);
        return style === "atom" && state.head && state.depth === 0 ? "def" : style;
      }
      if (/[A-Z_]/.test(letter)) { stream.eatWhile(/\w/); return "variable-2"; }
      if (/\d/.test(letter)) { stream.match(/^(?:'.|\d*(?:\.\d+)?(?:[eE][-+]?\d+)?)/); return "number"; }
      if (/[a-z]/.test(letter)) {
        stream.eatWhile(/\w/);
        if (words.has(stream.current())) { return "operator"; }
        if (state.head && state.depth === 0) { return "def"; }
        return stream.peek() === "(" ? "builtin" : "atom";
      }
      if (/[([{]/.test(letter)) { state.depth += 1; return "bracket"; }
      if (/[)\]}]/.test(letter)) { state.depth = Math.max(0, state.depth - 1); return "bracket"; }
      if (letter === "." && (stream.eol() || /[\s%]/.test(stream.peek()))) { state.head = true; state.depth = 0; return "keyword"; }
      if (letter === "!" || letter === "," || letter === ";" || letter === "|") { return "operator"; }
      if (symbols.test(letter)) {
        stream.eatWhile(symbols);
        if (/^(:-|-->|=>)$/.test(stream.current())) { state.head = false; return "keyword"; }
        return "operator";
      }
      return null;
    },
    indent: function (state, after) {
      return state.head ? 0 : /^[)\]}]/.test(after) ? 0 : 4;
    },
    lineComment: "%", blockCommentStart: "/*", blockCommentEnd: "*/",
  };
});
CodeMirror.defineMIME("text/x-prolog", "hornbeam-prolog");
