"""`hornbeam ask` against a server that answers, and one that misbehaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.language.endpoint.client import Client, Patience, address
from hornbeam.language.endpoint.reply import Refused, Reply, Unreachable
from tests.language.conftest import Made
from tests.language.stub_server import Answer, Body, Stub, error, question, said

KEY = "sk-very-secret-0123456789"
QUICK = Patience(seconds=5.0, tries=4, wait=0.01)
MESSAGES = [{"role": "user", "content": "Which?"}]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)


@pytest.fixture(scope="module")
def star(made: Made) -> Dataset:
    return made("star")


def right_answers(dataset: Dataset) -> Callable[[int, Body], Answer]:
    """A model that knows all answers."""
    gold = {item.text: item.target for item in hb.prompts(dataset, split="test")}
    return lambda number, body: said(f"<answer>{gold[question(body)]}</answer>")


def command(dataset: Dataset, stub: Stub, out: Path, *more: str) -> list[str]:
    server = ["--endpoint", stub.url, "--model", "stub", "--key-variable", "STUB_KEY", "--out", str(out)]
    return ["ask", str(dataset.path), *server, *more]


# From the command to what a person wants to know ----------------------------------------------------------------------


def test_a_model_is_asked_judged_and_compared_with_a_learner(
    star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = right_answers(star)
    with Stub(
        lambda number, body: right(number, body) if number % 4 else said("<answer>DC or EC</answer>")
    ).running() as stub:
        prices = ["--price-in", "10", "--price-out", "20"]
        assert run(command(star, stub, tmp_path / "run", "--limit", "20", "--json", *prices)) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["questions"], report["right"], report["shortcuts"]) == (20, 15, {"several options": 5})
        assert report["interval"][0] < report["accuracy"] == 0.75 < report["interval"][1]
        assert sum(level["count"] for level in report["levels"].values()) == 20
        assert sum(cell["count"] for cell in report["groups"]["k"].values()) == 20
        assert report["cost"] == pytest.approx(20 * (100 * 10 + 10 * 20) / 1e6)
        # A longer run asks only what is new.
        assert run(command(star, stub, tmp_path / "run", "--limit", "24", "--json", *prices)) == 0
        assert len(stub.requests) == 24
        capsys.readouterr()
    assert stub.headers[0]["Authorization"] == f"Bearer {KEY}"
    written = b"".join(file.read_bytes() for file in (tmp_path / "run").rglob("*") if file.is_file())
    assert KEY.encode() not in written
    page = (tmp_path / "run" / "answers.html").read_text()
    assert "By level" in page and "several options" in page
    learners = ["--learners", "algebra", "--answers", str(tmp_path / "run"), "--timeout", "20"]
    assert run(["compare", str(star.path), *learners, "--out", str(tmp_path / "table"), "--json"]) == 0
    rows = {row["learner"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["algebra"]["accuracy"] == 1.0
    assert rows["stub"]["answers"] == 24
    assert rows["stub"]["cost"] / 24 == pytest.approx(0.0012)
    table = (tmp_path / "table" / "table.md").read_text()
    assert "seconds an answer" in table and "cost an answer" in table


def test_rules_may_be_written_again_after_what_is_wrong_was_said(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = made("kandy")
    truth = str(dataset.truth_of("t00_red"))
    replies = [
        "```prolog\nvalid(X) :- sample(_, _, _, 1, X).\n```",
        "```prolog\nvalid(_).\n```",
        f"```prolog\n{truth}\n```",
    ]
    with Stub(lambda number, body: said(replies[len(body["messages"]) // 2 - 1])).running() as stub:
        more = ["--kind", "induce", "--task", "t00_red", "--rounds", "3", "--json"]
        assert run(command(dataset, stub, tmp_path / "run", *more)) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["right"], report["verdicts"]) == (1, {"equal": 1})
    first, second = (request["messages"][-1]["content"] for request in stub.requests[1:])
    assert "sample/5 holds or tells labels" in first
    assert "training samples" in second and "fresh" not in second
    # The theory stands in the table of learners, with its verdict.
    table = [
        "compare",
        str(dataset.path),
        "--answers",
        str(tmp_path / "run"),
        "--out",
        str(tmp_path / "table"),
        "--json",
    ]
    assert run(table) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["learner"], row["task"], row["accuracy"], row["equivalent"]) == ("stub", "t00_red", 1.0, True)
    assert "extract_color" in row["theory"]
    assert run(["compare", str(dataset.path), "--out", str(tmp_path / "none")]) == 2
    assert "--learners A,B,... or --answers FOLDER" in capsys.readouterr().err


def test_pictures_are_sent_as_data(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Stub(lambda number, body: said("<answer>valid</answer>")).running() as stub:
        assert run(command(made("kandy"), stub, tmp_path / "run", "--limit", "1", "--set", "picture=image")) == 0
    parts = stub.requests[0]["messages"][-1]["content"]
    assert any(
        part["image_url"]["url"].startswith("data:image/png;base64,") for part in parts if part["type"] == "image_url"
    )


# A server that misbehaves ---------------------------------------------------------------------------------------------


def asked(*answers: Answer, patience: Patience = QUICK) -> tuple[Reply, Stub]:
    """The reply of a server that gives these answers in turn, and the last one for ever."""
    with Stub(lambda number, body: answers[min(number, len(answers) - 1)]).running() as stub:
        reply = Client(stub.url, "stub", key_variable="STUB_KEY", patience=patience).ask(MESSAGES)
    return reply, stub


@pytest.mark.parametrize(
    ("bad", "requests"),
    [
        ([error(500), error(503)], 3),
        ([error(429, Retry_After="0")], 2),
        ([error(429)], 2),
        ([Answer(b"{")], 2),
        ([Answer(b"[]"), Answer(b'{"choices": []}'), Answer(b'{"choices": [{}]}')], 4),
        ([Answer(b"<html>busy</html>")], 2),
        ([Answer(said("x").body, cut=5)], 2),
        ([Answer(said("x").body, cut=len(said("x").body))], 2),
        ([error(408), error(409)], 3),
    ],
)
def test_what_may_pass_is_tried_again(bad: list[Answer], requests: int) -> None:
    reply, stub = asked(*bad, said("fine"))
    assert (reply.text, reply.status, reply.tries, len(stub.requests)) == ("fine", "answered", requests, requests)


def test_a_slow_reply_is_given_up_and_asked_again() -> None:
    slow = Answer(said("late").body, seconds=30)
    reply, stub = asked(slow, said("fine"), patience=Patience(seconds=0.3, tries=3, wait=0.01))
    assert (reply.text, len(stub.requests)) == ("fine", 2)


def test_the_servers_wish_to_wait_is_granted() -> None:
    start = time.monotonic()
    reply, _ = asked(error(429, "slow down", Retry_After="1"), said("fine"))
    assert reply.text == "fine"
    assert time.monotonic() - start >= 1.0


def test_a_server_that_never_answers_gives_a_failed_reply() -> None:
    reply, stub = asked(error(500, f"no, {KEY}"))
    assert (reply.status, len(stub.requests)) == ("failed", 4)
    assert "500" in reply.message and KEY not in reply.message


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (error(401, f"bad key {KEY}"), "refuses access (401) with the key in the variable STUB_KEY"),
        (error(404, "no such model"), "does not know the model stub"),
        (error(400, "max_tokens is too large"), "refuses the request (400). It says: max_tokens is too large"),
        (Answer(b"", 302, {"Location": "http://127.0.0.1:9/v1"}), "redirects (302)"),
    ],
)
def test_what_will_not_pass_ends_the_run(answer: Answer, text: str) -> None:
    with pytest.raises(Refused) as raised:
        asked(answer)
    assert text in str(raised.value)
    assert KEY not in str(raised.value)


def test_nobody_at_the_address(star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--out", str(tmp_path / "run"), "--limit", "2"]
    assert run(["ask", str(star.path), *arguments]) == 1
    assert "cannot reach http://127.0.0.1:9/v1/chat/completions" in capsys.readouterr().err
    with pytest.raises(Unreachable):
        Client("http://127.0.0.1:9", "m", patience=QUICK).ask(MESSAGES)


def test_cut_off_filtered_and_empty_replies_are_noted(
    star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [said("<answer>D", finish="length"), said(None, finish="content_filter"), said(None, usage=False)]
    with Stub(lambda number, body: answers[number % 3]).running() as stub:
        assert run(command(star, stub, tmp_path / "run", "--limit", "3", "--workers", "1", "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["statuses"] == {"cut off": 1, "filtered": 1, "answered": 1}
    assert (report["right"], report["verdicts"], report["cost"]) == (0, {"no answer": 3}, None)
    assert report["tokens"] is None


def test_questions_without_a_reply_are_asked_in_the_next_run(
    star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = right_answers(star)
    sick = True

    def reply(number: int, body: Body) -> Answer:
        return error(500) if sick and len(question(body)) % 2 else right(number, body)

    with Stub(reply).running() as stub:
        arguments = command(star, stub, tmp_path / "run", "--limit", "12", "--tries", "1", "--json")
        assert run(arguments) == 1
        first = json.loads(capsys.readouterr().out)
        before, sick = len(stub.requests), False
        assert run(arguments) == 0
        second = json.loads(capsys.readouterr().out)
        assert len(stub.requests) == before + first["statuses"]["failed"]
    assert first["count"] == 12 - first["statuses"]["failed"] and first["accuracy"] == 1.0
    assert second["statuses"] == {"answered": 12}


def test_several_questions_are_asked_at_a_time(star: Dataset, tmp_path: Path) -> None:
    right = right_answers(star)

    def reply(number: int, body: Body) -> Answer:
        return Answer(right(number, body).body, seconds=0.2)

    with Stub(reply).running() as stub:
        assert run(command(star, stub, tmp_path / "run", "--limit", "12", "--workers", "4")) == 0
    assert 1 < stub.most_at_once <= 4


def test_no_more_is_spent_than_was_allowed(star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Stub(right_answers(star)).running() as stub:
        money = ["--price-in", "1000", "--price-out", "1000", "--budget", "0.5", "--workers", "1"]
        assert run(command(star, stub, tmp_path / "run", *money)) == 1
        assert "budget of 0.5 is spent" in capsys.readouterr().err
    assert len(stub.requests) == 5  # each costs 0.11


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_without_asking_twice(star: Dataset, tmp_path: Path, number: int) -> None:
    right = right_answers(star)
    patient = True

    def reply(number: int, body: Body) -> Answer:
        """From the tenth request on the server is so slow that a client that waits for it would never end."""
        return Answer(right(number, body).body, seconds=900.0 if patient and number >= 9 else 0.02)

    with Stub(reply).running() as stub:
        arguments = command(star, stub, tmp_path / "run", "--limit", "30", "--workers", "2", "--timeout", "900")
        line = [sys.executable, "-m", "hornbeam", *arguments]
        process = subprocess.Popen(line, env={**os.environ, "STUB_KEY": KEY}, stdout=subprocess.DEVNULL)
        calls = tmp_path / "run" / "calls.jsonl"
        while process.poll() is None and not (calls.is_file() and calls.read_bytes().count(b"\n") >= 5):
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait() in (-signal.SIGKILL, 130)
        patient = False
        with calls.open("ab") as stream:
            stream.write(b'{"key": "torn')
        kept = calls.read_bytes().count(b"\n")
        before = len(stub.requests)
        assert run(arguments) == 0
        assert len(stub.requests) == before + 30 - kept
    texts = [question(request) for request in stub.requests]
    # Only what was in flight when the client was killed is asked a second time: its reply was lost.
    assert len(texts) - len(set(texts)) <= 2
    assert len(calls.read_bytes().splitlines()) == 30


def test_another_run_does_not_share_a_folder(
    star: Dataset, made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Stub(right_answers(star)).running() as stub:
        assert run(command(star, stub, tmp_path / "run", "--limit", "2")) == 0
        assert run(command(star, stub, tmp_path / "run", "--limit", "2", "--temperature", "1")) == 2
        assert "another sampling" in capsys.readouterr().err
    assert (
        run(["compare", str(made("kandy").path), "--answers", str(tmp_path / "run"), "--out", str(tmp_path / "t")]) == 2
    )
    assert "on another dataset, star" in capsys.readouterr().err


@pytest.mark.parametrize("endpoint", ["localhost:8000", "ftp://host/v1", "http://", "https://me:secret@host/v1"])
def test_addresses_that_are_none(endpoint: str) -> None:
    with pytest.raises(UsageError, match="--endpoint") as raised:
        address(endpoint)
    assert "secret" not in str(raised.value)


# A real model ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tiny_model_with_random_weights_is_asked_and_judged(
    star: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    line = [sys.executable, "-m", "tests.language.tiny_server"]
    server = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        model = [
            "--endpoint",
            url,
            "--model",
            "tiny",
            "--max-tokens",
            "12",
            "--json",
            "--price-in",
            "1",
            "--price-out",
            "1",
        ]
        assert run(["ask", str(star.path), *model, "--limit", "20", "--out", str(tmp_path / "words")]) == 0
        words = json.loads(capsys.readouterr().out)
        assert run(["ask", str(star.path), *model, "--kind", "induce", "--out", str(tmp_path / "rules")]) == 0
        rules = json.loads(capsys.readouterr().out)
    finally:
        server.kill()
        server.wait()
    assert (words["questions"], words["count"], words["right"]) == (20, 20, 0)
    assert words["statuses"] == {"cut off": 20} and words["tokens"]["completion"] == 240
    assert words["seconds"] > 0 and words["cost"] > 0
    assert rules["verdicts"] == {"invalid": 1}
