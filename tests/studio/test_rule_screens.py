"""Rule, Learn, Ask and Compare without a browser: every action is a form, every screen an address."""

from __future__ import annotations

import json
import time
from pathlib import Path

import psutil
import pytest

from hornbeam.theory import Theory
from hornbeam.theory.files import read_header
from tests.studio.conftest import Visitor, wait
from tests.studio.test_screens import text_of

RULE = "/d/pictures/rule/t00_red"
RED = "valid(Picture) :-\r\n    contains(Picture, Object),\r\n    extract_color(Object, red).\r\n"
BLUE = RED.replace("red", "blue")


# Rule -----------------------------------------------------------------------------------------------------------------


def test_the_rule_screen_hides_the_truth_until_asked(visitor: Visitor) -> None:
    assert visitor.get("/d/pictures/rule", follow_redirects=False).headers["location"] == RULE
    page = visitor.get(RULE).text
    said = text_of(page)
    assert "contains(+Node, ?Child)" in said and "Child is a direct child of Node." in said
    assert "The true rule" not in said and "extract_color(Object, red)" not in page
    shown = text_of(visitor.get(f"{RULE}?truth=1").text)
    assert "The true rule valid(" in shown and "red" in shown.partition("The true rule")[2]
    assert visitor.part(f"{RULE}/truth").text.count("<h3>") == 1
    found = text_of(visitor.get(f"{RULE}?find=palindrome").text)
    assert "contains(+Node, ?Child)" not in found


def test_an_edit_turns_verdicts_without_a_script(writer: Visitor) -> None:
    wrong = text_of(writer.post(RULE, text=BLUE).text)
    assert "of 16 right" in wrong and "Smallest counterexample" in wrong and "fails in valid(Picture)" in wrong
    right = writer.post(RULE, text=RED).text
    assert "16 of 16 right" in text_of(right) and "turned right" in text_of(right)
    assert text_of(right).count("edit 1") == 2  # the one before, and in the history
    assert "extract_color(Object, blue)" in writer.get(f"{RULE}?edit=1").text
    assert "extract_color(Object, red)" in writer.get(RULE).text  # the text stays


def test_a_session_that_ends_frees_its_processes(writer: Visitor) -> None:
    before = set(psutil.Process().children(recursive=True))
    writer.post(RULE, text=RED)
    writer.get("/d/pictures/ask?goal=true")
    started = set(psutil.Process().children(recursive=True)) - before
    assert len(started) >= 2
    assert writer.post("/end").status_code == 200
    _, alive = psutil.wait_procs(started, timeout=10)
    assert alive == []


def test_parts_for_scripts_carry_the_edit_and_the_marks(writer: Visitor) -> None:
    fields = {"form_token": writer.form_token, "text": "valid(X) :-\n  contains(X Y).", "edit": "7", "page": "p"}
    answer = writer.client.post(RULE, data=fields, headers={"hx-request": "true"})
    assert answer.headers["x-edit"] == "7" and "<html" not in answer.text
    assert "line 2, column 13" in text_of(answer.text) and "&#34;line&#34;: 2" in answer.text
    answer = writer.client.post(RULE, data={**fields, "text": BLUE}, headers={"hx-request": "true"})
    assert "/why?edit=1&amp;sample=" in answer.text and "fails in" not in answer.text
    wrong = writer.studio.sessions  # the visitor's own
    assert len(wrong) == 1
    name = answer.text.partition("&amp;sample=")[2].partition('"')[0]
    assert "fails in" in writer.part(f"{RULE}/why?edit=1&sample={name}").text
    assert writer.part(f"{RULE}/why?edit=99&sample={name}").status_code == 404


def test_text_is_escaped(writer: Visitor) -> None:
    page = writer.post(RULE, text="valid(X) :- '<script>alert(1)</script>'(X).").text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_a_rule_is_saved_below_the_folders_and_never_over_another(writer: Visitor, workplace: Path) -> None:
    assert "Saved as mine.pl" in text_of(writer.post(f"{RULE}/save", text=RED, file="mine").text)
    saved = (workplace / "mine.pl").read_text(encoding="utf-8")
    assert read_header(saved)["task"] == "t00_red" and len(Theory.parse(saved)) == 1
    again = writer.post(f"{RULE}/save", text=BLUE, file="mine.pl")
    assert again.status_code == 400 and "exists" in text_of(again.text)
    assert (workplace / "mine.pl").read_text(encoding="utf-8") == saved
    writer.post(f"{RULE}/save", text=BLUE, file="mine.pl", overwrite="yes")
    assert "blue" in (workplace / "mine.pl").read_text(encoding="utf-8")
    for name in ("../out.pl", "/tmp/hornbeam-out.pl", "pictures/new.pl", ".hidden.pl", "no/such/x.pl", ""):
        refused = writer.post(f"{RULE}/save", text=RED, file=name)
        assert refused.status_code == 400, name
    assert writer.post(f"{RULE}/save", text="valid(X) :-", file="broken").status_code == 400
    assert sorted(path.name for path in workplace.rglob("*.pl") if "pictures" not in path.parts
                  and "nested" not in path.parts) == ["blue.pl", "mine.pl"]  # fmt: skip
    assert "extract_color(Object, blue)" in writer.get(f"{RULE}?theory=mine").text


def test_the_diff_against_the_truth(writer: Visitor) -> None:
    job = writer.job(writer.post(f"{RULE}/diff", text=RED))
    assert job.state == "done", job.error
    page = text_of(writer.get(f"/compare/{job.id}").text)
    assert "proven equal" in page and "Clauses" in page
    bad = writer.post(f"{RULE}/diff", text="valid(X) :-")
    assert bad.status_code == 400 and "line 1" in text_of(bad.text)


def test_unknown_tasks_and_edits_are_told(visitor: Visitor) -> None:
    assert visitor.get("/d/pictures/rule/nothing").status_code == 404
    assert visitor.get("/d/pictures/rule/all").status_code == 404
    assert visitor.get("/d/nested.regions/rule", follow_redirects=False).headers["location"].endswith("/rule/all")


# Ask ------------------------------------------------------------------------------------------------------------------


def test_goals_are_answered_as_a_table_page_by_page(visitor: Visitor) -> None:
    page = visitor.get("/d/pictures/ask", params={"goal": "sample(Id, Task, Split, Label, _)"}).text
    said = text_of(page)
    assert "Limits of a goal: time 10 s" in said and "t00_red_train_0000" in said and "More answers" in said
    assert "The dataset suggests" in said
    second = text_of(visitor.get("/d/pictures/ask", params={"goal": "sample(Id, T, _, _, _)", "page": "3"}).text)
    assert "All answers: 80" in second
    false = visitor.part("/d/pictures/ask?goal=fail").text
    assert "<html" not in false and "false" in false
    assert "sandbox" in visitor.part("/d/pictures/ask?goal=shell(ls)").text
    assert "&lt;b&gt;" in visitor.part("/d/pictures/ask?goal=X%3D'<b>'").text


def test_a_new_process_forgets_what_was_asserted(writer: Visitor) -> None:
    writer.get("/d/pictures/ask?goal=assertz(noted(1))")
    assert "<code>1</code>" in writer.part("/d/pictures/ask?goal=noted(X)").text
    assert writer.post("/d/pictures/ask/restart").status_code == 303
    assert "does not exist" in writer.part("/d/pictures/ask?goal=noted(X)").text


# Learn ----------------------------------------------------------------------------------------------------------------


def test_a_learner_goes_from_the_form_to_the_diff(writer: Visitor, workplace: Path) -> None:
    form = text_of(writer.get("/d/pictures/learn?learner=mdie").text)
    assert "Settings of mdie" in form and "strategy" in form
    started = writer.post("/d/pictures/learn", kind="learn", name="mdie", task="t00_red", timeout="20", file="learned",
                          **{"set.nodes": "500"})  # fmt: skip
    assert started.status_code == 303
    (job,) = writer.studio.jobs.all(kind="learn")
    wait(job)
    assert job.state == "done", job.error
    page = writer.get("/d/pictures/learn").text
    said = text_of(page)
    assert "mdie on pictures, t00_red (nodes=500)" in said and "Verdict proven equal" in said
    assert "<polyline" in page and (workplace / "learned.pl").is_file()
    diff = writer.job(writer.post(f"{RULE}/diff", text=job.result["file"]))
    assert "proven equal" in diff.result["verdict"]
    assert "16 of 16 right" in text_of(writer.post(RULE, text=job.result["file"]).text)


def test_wrong_entries_come_back_to_the_form(writer: Visitor) -> None:
    given = {"kind": "learn", "name": "mdie", "task": "t00_red", "timeout": "20"}
    for change, words in (
        ({"name": "nobody"}, "unknown learner"),
        ({"task": "t99"}, "unknown task"),
        ({"timeout": "-1"}, "the time"),
        ({"file": "../out.pl"}, "not below"),
        ({"options": "earlier=/etc"}, "does not allow"),
    ):
        answer = writer.post("/d/pictures/learn", **{**given, **change})
        assert answer.status_code == 400 and words in text_of(answer.text), change
    assert writer.studio.jobs.all() == []


@pytest.mark.slow
def test_a_learner_is_stopped_with_its_best_theory(writer: Visitor) -> None:
    fields = {"kind": "learn", "name": "foil", "timeout": "600", "set.beam": "500"}
    tasks = writer.studio.workplace.dataset("pictures").tasks
    assert writer.post("/d/pictures/learn", task=tasks[-1], **fields).status_code == 303
    (job,) = writer.studio.jobs.all(kind="learn")
    while not (job.told().theory or job.over or job.seconds > 20):
        time.sleep(0.05)
    writer.post(f"/d/pictures/learn/{job.id}/stop")
    wait(job)
    if job.state == "done":
        assert job.result["status"] in ("interrupted", "finished") and job.result["verdict"]
    else:
        assert job.error == "it was stopped before it had a theory"
    assert job.seconds < 300


@pytest.mark.slow
def test_a_model_is_trained(writer: Visitor, workplace: Path) -> None:
    pytest.importorskip("torch")
    assert "cnn" in writer.get("/d/pictures/learn?model=").text
    fields = {"kind": "train", "name": "mlp", "setting": "joint", "seeds": "1", "out": "runs-one", "set.epochs": "1"}
    assert writer.post("/d/pictures/learn", **fields).status_code == 303
    (job,) = writer.studio.jobs.all(kind="train")
    wait(job)
    assert job.state == "done", job.error
    assert "Accuracy" in text_of(writer.get("/d/pictures/learn").text)
    assert (workplace / "runs-one" / "summary.json").is_file()


# Compare --------------------------------------------------------------------------------------------------------------


def test_two_theories_are_compared(writer: Visitor, workplace: Path) -> None:
    (workplace / "theories" / "red.pl").write_text(
        "% task: t00_red\n\nvalid(X) :- contains(X, Y), extract_color(Y, red).\n", encoding="utf-8"
    )
    job = writer.job(writer.post("/compare", true="theories.red", learned="theories.blue"))
    page = text_of(writer.get(f"/compare/{job.id}").text)
    assert job.state == "done" and "blue" in page and "red" in page, job.error
    assert "theories/red.pl and theories/blue.pl" in text_of(writer.get("/compare").text)
    assert writer.get("/compare/none").status_code == 404


@pytest.mark.slow
def test_a_theory_is_compared_with_the_truth_of_a_dataset(writer: Visitor) -> None:
    job = writer.job(writer.post("/compare", true="truth of pictures", learned="theories.blue"))
    assert "refuted" in text_of(writer.get(f"/compare/{job.id}").text), job.error
    assert "theories/blue.pl against the truth of pictures" in text_of(writer.get("/compare").text)


def test_two_runs_are_compared(writer: Visitor, workplace: Path) -> None:
    for name, accuracy in (("one", 0.5), ("two", 0.75)):
        figures = {"accuracy": {"mean": accuracy, "std": 0.0}, "tasks": {"t0": {"mean": accuracy, "std": 0.0}}}
        summary = {"model": "cnn", "setting": "joint", "seeds": [0], "accuracy": figures["accuracy"],
                   "metrics": {"test": figures}}  # fmt: skip
        (workplace / name).mkdir()
        (workplace / name / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    page = text_of(writer.get("/compare?run=one&other=two").text)
    assert "0.5000 ± 0.0000 0.7500 ± 0.0000 +0.2500" in page and "task t0" in page
    (workplace / "two" / "summary.json").write_text("{}", encoding="utf-8")
    assert writer.get("/compare?run=one&other=two").status_code == 400
