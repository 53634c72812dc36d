"""Hostile templates of prompts run nothing and read nothing outside their folder; a mistake is no internal error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from tests.hostile.canaries import Canaries

# What gives Python's own objects to a template that is not held back.
ESCAPES = {
    "subclasses": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "builtins": "{{ cycler.__init__.__globals__['__builtins__']['open']('{SECRET}').read() }}",
    "system": "{{ cycler.__init__.__globals__.os.system('touch {MARK}') }}",
    "lipsum": "{{ lipsum.__globals__['os'].popen('touch {MARK}').read() }}",
    "joiner": "{{ joiner.__init__.__globals__.os.environ['HORNBEAM_CANARY'] }}",
    "self": "{{ self.__init__.__globals__.__builtins__.__import__('os').system('touch {MARK}') }}",
    "namespace": "{{ namespace.__init__.__globals__['os'].open('{MARK}', 64) }}",
    "format": "{{ '{0.__class__.__init__.__globals__}'.format(question) }}",
    "format_map": "{{ '{question.__class__.__mro__}'.format_map({'question': question}) }}",
    "attr": "{{ question|attr('__class__')|attr('__mro__') }}",
    "map": "{{ [question]|map(attribute='__class__.__mro__')|list }}",
    "code": "{{ question.__init__.__code__ }}",
    "change": "{% set _ = shots.append(1) %}{{ shots.clear() }}",
    "include": "{% include '{SECRET}' %}",
    "include_up": "{% include '../outside/secrets/secret.pl' %}",
    "import": "{% import '{SECRET}' as x %}{{ x }}",
    "extends": "{% extends '/etc/hostname' %}",
}
# What is only wrong.
MISTAKES = {
    "syntax": "{% if %}", "zero": "{{ 1 / 0 }}", "type": "{{ 1 + 'a' }}", "undefined": "{{ nowhere.at.all }}",
    "index": "{{ [][3] }}", "recursion": "{% include 'answer.j2' %}",
    "overflow": "{{ 10.0 ** 10000 }}", "filter": "{{ 1|nofilter }}", "call": "{{ 1() }}", "bytes": "\udcff\udcfe",
    "macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "range": "{% for i in range(10**9) %}{% endfor %}",
}  # fmt: skip


@pytest.fixture(scope="module")
def network_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("star") / "dataset"
    cells = "{cells: [{k: [2], b: [1], rows: 2}]}"
    hornbeam.generate(
        "star", "rcc8-small", out=folder, seed=3, overrides=dict.fromkeys(("train", "valid", "test"), cells)
    )
    return folder


def said_of(template: str, dataset: Path, folder: Path, printed: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of `prompts` with this template, all that it said, and all that it wrote."""
    folder.mkdir(exist_ok=True)
    (folder / "answer.j2").write_bytes(template.encode("utf-8", "surrogateescape"))
    out = folder.with_suffix(".jsonl")
    printed.readouterr()
    code = run(["prompts", str(dataset), "--templates", str(folder), "--out", str(out)])
    return code, "".join(printed.readouterr()) + (out.read_text() if out.exists() else "")


@pytest.mark.parametrize("name", ESCAPES)
def test_escapes(
    name: str, network_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = ESCAPES[name]
    for place, value in birds.places(name).items():
        template = template.replace(f"{{{place}}}", value)
    code, said = said_of(template, network_folder, tmp_path / "templates", capsys)
    assert not birds.touched(said)
    assert code == 2 and "internal error" not in said, said
    assert not {"<class", "<function", "<code"} & {*re.findall("<[a-z]+", said)}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str, network_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_of(MISTAKES[name], network_folder, tmp_path / "templates", capsys)
    assert code == 2 and "internal error" not in said and "template" in said, said


def test_a_link_in_a_folder_of_templates(
    network_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "system.j2").symlink_to(birds.secret)
    code, said = said_of("{{ question }}", network_folder, folder, capsys)
    assert code == 2 and "link" in said and not birds.touched(said)


def test_a_template_that_is_fine(network_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = "{% for shot in shots %}{{ shot }}{% endfor %}A question: {{ question.text|default('none')|upper }}"
    code, said = said_of(template, network_folder, tmp_path / "templates", capsys)
    assert code == 0 and "A question: " in said, said
