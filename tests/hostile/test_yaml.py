"""Hostile YAML: presets, curricula and settings from elsewhere run nothing, and end in an error with its place."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hornbeam import yaml_reader
from hornbeam.cli import run
from hornbeam.errors import UsageError
from tests.hostile.canaries import Canaries

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{one}: &{one} [{', '.join([f'*{other}'] * 10)}]\n" for one, other in zip("bcdefghij", "abcdefghi", strict=True)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{one}: &{one} {{" + ", ".join(f"k{n}: *{other}" for n in range(10)) + "}\n"
    for one, other in zip("bcdefghij", "abcdefghi", strict=True)
)
TEXTS = {
    "python_object": "samples: !!python/object:os.system {}\n",
    "python_apply": "samples: !!python/object/apply:os.system ['touch @MARK@']\n",
    "python_apply_root": "!!python/object/apply:os.system ['touch @MARK@']\n",
    "python_new": "samples: !!python/object/new:os.system ['touch @MARK@']\n",
    "python_name": "samples: !!python/name:os.system\n",
    "python_name_text": "samples: !!python/name:os.system 'x'\n",
    "python_module": "samples: !!python/module:os ''\n",
    "python_module_file": "samples: !!python/module:@MARK@ ''\n",
    "python_tuple": "samples: !!python/tuple [1, 2]\n",
    "python_key": "? !!python/object/apply:os.system ['touch @MARK@']\n: 1\n",
    "python_in_merge": "<<: !!python/object/apply:os.system ['touch @MARK@']\n",
    "python_in_list": "samples: [!!python/object/apply:subprocess.Popen [['touch', '@MARK@']]]\n",
    "python_handle": "%TAG !p! tag:yaml.org,2002:python/object/apply:\n---\nsamples: !p!os.system ['touch @MARK@']\n",
    "python_verbatim": "samples: !<tag:yaml.org,2002:python/object/apply:os.system> ['touch @MARK@']\n",
    "own_tag": "samples: !evil [1]\n",
    "own_tag_mapping": "samples: !evil {a: 1}\n",
    "include_tag": "samples: !include '@SECRET@'\n",
    "env_tag": "samples: !ENV HORNBEAM_CANARY\n",
    "set_tag": "samples: !!set {a, b}\n",
    "omap_tag": "samples: !!omap [a: 1]\n",
    "binary": "samples: !!binary aGVsbG8=\n",
    "date": "samples: 2001-01-01\n",
    "number_tag": "samples: !!int 'many'\n",
    "bool_tag": "samples: !!bool x\n",
    "timestamp_tag": "samples: !!timestamp x\n",
    "seq_tag_on_text": "samples: !!seq x\n",
    "set_tag_on_text": "samples: !!set x\n",
    "float_tag": "samples: !!float 'x'\n",
    "laughs": LAUGHS,
    "merges": MERGES,
    "cycle": "a: &a [*a]\n",
    "cycle_mapping": "a: &a {b: *a}\n",
    "cycle_merge": "a: &a {<<: *a}\n",
    "deep_lists": "a: " + "[" * 5000 + "]" * 5000 + "\n",
    "deep_open": "a: " + "[" * 100_000,
    "deep_mappings": "".join(f"{' ' * n}a:\n" for n in range(1000)),
    "deep_flow": "{a: " * 5000 + "}" * 5000,
    "twice": "samples: 1\nsamples: 2\n",
    "huge_number": f"samples: {'9' * 5000}\n",
    "huge_hexadecimal": f"samples: 0x{'f' * 5000}\n",
    "huge_sexagesimal": "samples: " + ":".join(["59"] * 3000) + "\n",
    "huge_exponent": "samples: 1.0e+999999\n",
    "infinite": "samples: .inf\n",
    "nan": "samples: .nan\n",
    "many_documents": "samples: 1\n---\nsamples: 2\n",
    "nul": "samples: 1\0\n",
    "control": "samples: \x1b]0;owned\x07\n",
    "escape": 'samples: "\\e]0;owned\\a\\e[2J"\n',
    "bidi": "samples: '\u202egnp'\n",
    "odd_key": "1: 2\n",
    "odd_keys": "[a, b]: 1\n",
    "unknown_alias": "samples: *nobody\n",
    "bad_merge": "<<: 3\n",
    "long_line": f"samples: {'x' * 1_000_000}\n",
    "tabs": "samples:\n\t- 1\n",
    "surrogate": 'samples: "\\ud800"\n',
    "reserved": "samples: @x\n",
    "unclosed": "samples: 'abc\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_presets(name: str, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each text as a preset: exit code 2, an error that names the file, and nothing was made."""
    text = TEXTS[name]
    for placeholder, value in birds.places(name).items():
        text = text.replace(f"@{placeholder}@", value)
    preset, out = tmp_path / "preset.yml", tmp_path / "out"
    preset.write_bytes(text.encode())
    for family in ("ancestors", "kandy", "star"):
        start = time.process_time()
        assert run(["generate", family, str(preset), "--out", str(out)]) == 2
        assert time.process_time() - start < 5
        printed = capsys.readouterr().err
        assert "preset.yml" in printed and "internal error" not in printed and "Traceback" not in printed
        assert len(printed) < 3000
        assert not any(character in printed for character in "\x1b\x07\0\u202e")
        assert birds.touched(printed) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside", "preset.yml"]


@pytest.mark.parametrize("name", TEXTS)
def test_settings(name: str, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each text as the value of --set."""
    text = TEXTS[name].partition("samples: ")[2] or TEXTS[name]
    for placeholder, value in birds.places(name).items():
        text = text.replace(f"@{placeholder}@", value)
    if "\0" in text:
        pytest.skip("no argument of a command has a NUL")
    code = run(["generate", "ancestors", "small", "--out", str(tmp_path / "out"), "--set", f"samples={text}"])
    printed = "".join(capsys.readouterr())
    assert code in (0, 2) and "internal error" not in printed
    assert not any(character in printed for character in "\x1b\x07\0\u202e")
    assert birds.touched(printed) == []


def test_aliases_may_be_many() -> None:
    """What stands for few values is read, however often a block is used."""
    text = "a: &a [1, 2]\nb: [" + ", ".join(["*a"] * 10_000) + "]\n"
    assert len(yaml_reader.plain(yaml_reader.read_yaml(text, "a.yml"))["b"]) == 10_000
    with pytest.raises(UsageError, match=r"a.yml:\d+:\d+: with its aliases written out"):
        yaml_reader.read_yaml(LAUGHS, "a.yml")
