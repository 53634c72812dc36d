"""What a damaged dataset is told as: file, line, key and what was expected; in the command and in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.errors import DatasetError
from tests.fuzz.cases import INDEX, SAMPLES, Bench, call, copied, index_again, rehash, replace
from tests.fuzz.conftest import make_bench

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bench]:
    return {name: make_bench(name, tmp_path_factory.mktemp(name)) for name in ("clutrr", "kandy", "rudas", "star")}


def edited(bench: Bench, edit: Edit, line: int = 2) -> Path:
    """A copy whose sample on this line was edited, while manifest and index agree."""
    folder = copied(bench.dataset, bench.work / "edited")
    lines = (folder / SAMPLES).read_text(encoding="utf-8").splitlines()
    value = json.loads(lines[line - 1])
    edit(value)
    lines[line - 1] = json.dumps(value, ensure_ascii=False)
    replace(folder / SAMPLES, ("\n".join(lines) + "\n").encode())
    rehash(folder, SAMPLES)
    index_again(folder)
    return folder


def _set(*keys: Any, to: object) -> Edit:
    def edit(value: Any) -> None:
        for key in keys[:-1]:
            value = value[key]
        value[keys[-1]] = to

    return edit


def _without_gender(symbolic: dict[str, Any]) -> None:
    """A member of the family is neither male nor female."""
    symbolic["family"] = symbolic["family"].replace(" m ", " x ", 1)


CASES: list[tuple[str, Edit, str]] = [
    ("star", _set("input", "edges", 0, to=[0, "DC"]), 'key "input.edges[0]": expected a list of length 3'),
    ("star", _set("input", "query", to=[0, "x"]), 'key "input.query[1]": expected a whole number, found "x"'),
    ("star", _set("input", "query", to=[0, 99]), 'key "input": the query (0, 99) asks about node 99'),
    ("star", _set("input", "edges", 0, 1, to="DD"), "key \"input\": edge (0, 1): unknown rcc8 relation 'DD'"),
    ("star", _set("label", to=None), 'key "label": expected a text, found null'),
    ("star", lambda value: value.pop("input"), 'the key "input" is missing'),
    ("star", _set("symbolic", "kk", to=1), 'key "symbolic": unknown key "kk"'),
    ("star", _set("split", to="tran"), 'key "split"'),
    ("clutrr", _set("input", "edges", 0, 2, to=77), 'key "input.edges[0]": there is no node 77'),
    ("clutrr", _set("input", "edges", 0, 1, to="pal"), 'key "input.edges[0][1]": "pal" is no kinship word'),
    ("clutrr", lambda value: _without_gender(value["symbolic"]), 'key "symbolic.family": expected members as name'),
    ("rudas", _set("input", "arguments", to=["a"] * 7), 'key "input.arguments": p'),
    ("rudas", _set("proof", to={"depth": 1, "rule": 99, "premises": []}), 'key "proof.rule": expected the number'),
    ("kandy", _set("symbolic", "tree", to={"stak": []}), "key \"symbolic.tree\": unknown operator 'stak'"),
    ("kandy", _set("input", "image", to="../x.png"), "key \"input.image\": the manifest lists no file '../x.png'"),
    ("kandy", _set("input", "objects", 0, "rgb", to=[0, 0, 300]), 'key "input.objects[0].rgb[2]": expected a whole'),
]


@pytest.mark.parametrize(("family", "edit", "expected"), CASES, ids=[f"{one}: {two}" for one, _, two in CASES])
def test_a_sample_that_was_edited(family: str, edit: Edit, expected: str, benches: dict[str, Bench]) -> None:
    folder = edited(benches[family], edit)
    done = call("check", folder)
    assert (done.code, done.warnings) == (2, ()), done.err
    assert SAMPLES in done.err and expected in done.err
    if "symbolic.family" not in expected:  # which is read where it is needed
        assert f"{SAMPLES}:2: " in done.err
        with pytest.raises(DatasetError, match=re.escape(expected)) as caught:
            list(hornbeam.load(folder).samples)
        assert (caught.value.file, caught.value.line) == (str(folder / SAMPLES), 2)


def test_two_samples_with_one_id(benches: dict[str, Bench]) -> None:
    bench = benches["star"]
    done = call("check", edited(bench, _set("id", to=bench.ids[0])))
    assert done.code == 2
    assert f'{SAMPLES}:2: key "id": "{bench.ids[0]}" is also the id of line 1' in done.err


def test_a_picture_that_is_none(benches: dict[str, Bench]) -> None:
    bench = benches["kandy"]
    folder = copied(bench.dataset, bench.work / "edited")
    name = next(name for name in bench.files if name.endswith(".png"))
    for data, said in ((b"GIF89a", "not a PNG picture"), (_png(9, 7), "expected a picture of 64x64 pixels, found one")):
        replace(folder / name, data)
        rehash(folder, name)
        for command in ("check", "audit"):
            done = call(command, folder)
            assert done.code == 2
            assert f"{name}: {said}" in done.err


def _png(width: int, height: int) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


def test_an_index_that_does_not_fit(benches: dict[str, Bench]) -> None:
    bench = benches["star"]
    folder = copied(bench.dataset, bench.work / "edited")
    replace(folder / INDEX, b"\x80\x04N.")  # a pickle
    rehash(folder, INDEX)
    done = call("check", folder)
    assert (done.code, done.warnings) == (2, ())
    assert f"{INDEX}: not an index of samples" in done.err


def test_a_link_that_leads_out(benches: dict[str, Bench], tmp_path: Path) -> None:
    bench = benches["star"]
    folder = copied(bench.dataset, bench.work / "edited")
    outside = tmp_path / "facts.pl"
    outside.write_bytes((folder / "facts.pl").read_bytes())
    (folder / "facts.pl").unlink()
    (folder / "facts.pl").symlink_to(outside)
    with pytest.raises(DatasetError, match=r"facts\.pl: is a link that leads out of the dataset's folder"):
        hornbeam.load(folder)
