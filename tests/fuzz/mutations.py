"""Ways to damage a file. Each takes the content and a random generator, and gives the damaged content; same seed, same
damage."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Damage = Callable[[bytes, random.Random], bytes]

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 0.5, 2**31, 2**63, 10**40, -(10**40), 1e308, "", " ", "x", "0", "null", "é", "名前",
    "a b", "p(", "'", '"', "\\", "../../etc/passwd", "/etc/passwd", "a;b", "a|b", "a,b", "\u0000", "\u202e", [], {},
    [None], [[]], [0], ["x"], [[0, "x", 1]], {"x": 1}, {"": None}, [1, 2, 3, 4, 5, 6, 7, 8, 9],
)  # fmt: skip


# Bytes ----------------------------------------------------------------------------------------------------------------


def empty(data: bytes, rng: random.Random) -> bytes:
    return b""


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """One to eight bytes are others."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def appended(data: bytes, rng: random.Random) -> bytes:
    return data + rng.choice([b"\n", b"\n\n", b"x", b"{}\n", b"null\n", b"\xff\xfe", b"\x00" * 8, data[:200]])


def with_mark(data: bytes, rng: random.Random) -> bytes:
    """With the mark that some editors put at the start of UTF-8."""
    return b"\xef\xbb\xbf" + data


def other_encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", errors="replace") + rng.choice(["", "é", "Ω"])
    return text.encode(rng.choice(["utf-16", "utf-32", "latin-1", "cp1252"]), errors="replace")


BYTES: tuple[Damage, ...] = (empty, truncated, flipped, flipped, appended, with_mark, other_encoding)


# Lines ----------------------------------------------------------------------------------------------------------------


def _lines(change: Callable[[list[bytes], random.Random], None]) -> Damage:
    def damage(data: bytes, rng: random.Random) -> bytes:
        lines = data.splitlines(keepends=True)
        if lines:
            change(lines, rng)
        return b"".join(lines)

    return damage


def _delete(lines: list[bytes], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def _repeat(lines: list[bytes], rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def _swap(lines: list[bytes], rng: random.Random) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _blank(lines: list[bytes], rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines) + 1), b"\n")


def _join(lines: list[bytes], rng: random.Random) -> None:
    place = rng.randrange(len(lines))
    lines[place] = lines[place].rstrip(b"\r\n")


def crlf(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", b"\r\n")


LINES: tuple[Damage, ...] = (*map(_lines, (_delete, _repeat, _swap, _blank, _join)), crlf)


# JSON -----------------------------------------------------------------------------------------------------------------


def changed_value(value: Any, rng: random.Random) -> Any:
    """The value with one part of it taken away, renamed, put in, or of another kind."""
    places = [*_places(value)]
    if not places:
        return rng.choice(STRANGE)
    holder, key = rng.choice(places)
    kind = rng.randrange(10)
    if isinstance(holder, dict) and kind < 4:
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder[rng.choice(["", "x", key + "s", key[:-1], "名前"])] = holder.pop(key)
        elif kind == 2:
            holder[rng.choice(["x", "extra", ""])] = rng.choice(STRANGE)
        else:
            other, second = rng.choice(places)
            holder[key], other[second] = other[second], holder[key]
        return value
    if isinstance(holder, list) and kind < 3:
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder.insert(key, holder[key])
        else:
            holder.append(rng.choice(STRANGE))
        return value
    holder[key] = _other(holder[key], rng)
    return value


def _other(value: Any, rng: random.Random) -> Any:
    near: list[Any] = []
    if isinstance(value, bool):
        near = [not value, str(value), int(value)]
    elif isinstance(value, int):
        near = [value + 1, -value - 1, value * 1000, float(value), str(value), [value]]
    elif isinstance(value, str):
        near = [value[:-1], value + "x", value.upper(), value + " ", [value], value * 50]
    elif isinstance(value, list):
        near = [value[:1], value + value, {str(place): part for place, part in enumerate(value)}, value[::-1]]
    elif isinstance(value, dict):
        near = [[*value.items()], {**value, "extra": 1}, [*value]]
    return rng.choice(near) if near and rng.random() < 0.5 else rng.choice(STRANGE)


def _places(value: Any) -> list[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [pair for key in keys for pair in [(value, key), *_places(value[key])]]


def json_text(value: Any, rng: random.Random) -> str:
    """JSON as our files have it; sometimes with what only Python's reader takes, or nested too deeply."""
    if rng.random() < 0.03:
        value = _deep(value, rng)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.2, separators=(",", ":"))
    if rng.random() < 0.03:
        text = text.replace(rng.choice(["0", "1", "true", "null"]), rng.choice(["NaN", "Infinity", "1e999"]), 1)
    return text


def _deep(value: Any, rng: random.Random) -> Any:
    places = _places(value)
    nested: Any = "x"
    for _ in range(rng.choice([50, 500])):
        nested = rng.choice([lambda inner: [inner], lambda inner: {"grid": [inner]}])(nested)
    if places:
        holder, key = rng.choice(places)
        holder[key] = nested
        return value
    return nested


def json_lines(data: bytes, rng: random.Random) -> bytes:
    """One line holds another value."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    place = rng.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except ValueError:
        return data
    lines[place] = json_text(changed_value(value, rng), rng).encode("utf-8", "surrogatepass") + b"\n"
    return b"".join(lines)


def json_file(data: bytes, rng: random.Random) -> bytes:
    try:
        value = json.loads(data)
    except ValueError:
        return data
    for _ in range(rng.choice([1, 1, 1, 3])):
        value = changed_value(value, rng)
    return json_text(value, rng).encode("utf-8", "surrogatepass")


# CSV, YAML, Prolog ----------------------------------------------------------------------------------------------------

CELLS = (
    "", "x", "0", "-1", "1e999", "nan", "[]", "{}", "[(0, 1)]", "['a', 'b']", "None", "True", '"', "'", "[", "é", "a;b",
    "{'a': 1}", "9" * 40, "(" * 300, "[" * 5000, "[0, 'x']", "__import__('os')", "1" * 5000,
)  # fmt: skip


def csv_cell(data: bytes, rng: random.Random) -> bytes:
    """One cell is another, or one column more or less."""
    import csv
    import io

    try:
        rows = [*csv.reader(io.StringIO(data.decode("utf-8")))]
    except (ValueError, csv.Error):
        return data
    rows = [row for row in rows if row]
    if not rows:
        return data
    kind = rng.randrange(6)
    row = rng.choice(rows)
    column = rng.randrange(len(row))
    if kind == 0:
        row.append(rng.choice(CELLS))
    elif kind == 1:
        del row[column]
    elif kind == 2:
        for one in rows:
            del one[column : column + 1]
    elif kind == 3:
        rows[0][rng.randrange(len(rows[0]))] = rng.choice(CELLS)
    else:
        row[column] = rng.choice([*CELLS, row[column][:-1], row[column] * 2, rng.choice(rng.choice(rows) or [""])])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


WORDS = (
    *("~", "null", "0", "-1", "1e9", "1e400", "true", "yes", ".nan", ".inf", "2030-01-01", "x", "''", '""', "[]", "{}"),
    *("[", "]", "{", "}", ":", "- ", "&a ", "*a ", "<<: ", "|", ">", "#", '"', "'", "\t", "\n", "%", "é"),
    *("!!python/x ", "!!int ", "!!binary aGk=", "!!set {a}", "!!timestamp x", "!!float x"),
    *("\0", "---\n", "...\n", "? ", "9" * 30, "0x1F", "1:30"),
)  # fmt: skip


def words(data: bytes, rng: random.Random) -> bytes:
    """A few pieces of text are cut out, put in, doubled or exchanged."""
    text = data.decode("utf-8", errors="replace")
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 3, 20]))
        piece = rng.choice(["", rng.choice(WORDS), text[start:end] * 2])
        text = text[:start] + piece + text[end:]
    return text.encode("utf-8", "surrogatepass")


CLAUSES = (
    ":- foo.", "p :- .", "p(X", "p(X) :- q(X), !.", "p(X) :- X.", ":- initialization(halt).", "'unclosed", "p(a) p(b).",
    "p :- p.", "0'", "/* open", "p(X) :- \\+ p(X).", "1.", "X.", "p(1.5e400).", "user:p(a).", "p(X) --> q.", "?- p.",
    "f(" * 300 + "a" + ")" * 300 + ".", "p('\\x110000\\').", "p(\"\\u12\").", "p({a}).", "é(a).", "p(_{a:1}).", "[p].",
    "rule(x, 1, (p(X) :- q(X))).", "rule(1, 2, 3).", "sample(a).", "rule(X, Y, Z).", "world(1).",
)  # fmt: skip


def clause(data: bytes, rng: random.Random) -> bytes:
    """A line of Prolog more, or in place of another."""
    lines = data.splitlines(keepends=True) or [b""]
    place = rng.randrange(len(lines))
    lines[place : place + rng.randint(0, 1)] = [rng.choice(CLAUSES).encode() + b"\n"]
    return b"".join(lines)


TEXT = (*BYTES, *LINES, words, words)
KINDS: dict[str, tuple[Damage, ...]] = {
    ".jsonl": (*BYTES, *LINES, *[json_lines] * 40),
    ".json": (*BYTES, *LINES, *[json_file] * 30),
    ".csv": (*TEXT, *[csv_cell] * 20),
    ".yml": (*TEXT, *[words] * 20),
    ".pl": (*TEXT, *[clause] * 10),
    ".txt": (*TEXT, *[clause] * 10),
}


def damage_of(name: str, rng: random.Random) -> Damage:
    """A way to damage a file of this name."""
    suffix = "." + name.rpartition(".")[2]
    return rng.choice(KINDS.get(suffix, (*BYTES, flipped, flipped, truncated)))
