"""The command `ask`: questions of a dataset to a language model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from hornbeam.cli.options import DIR, JSON, TASK
from hornbeam.cli.prompting import levels_of
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar, say

app = typer.Typer()


@app.command()
def ask(
    folder: Path = DIR,
    endpoint: str = typer.Option(
        ..., "--endpoint", help="The server, e.g. http://127.0.0.1:8000/v1.", show_default=False
    ),
    model: str = typer.Option(..., "--model", help="The name of the model.", show_default=False),
    out: Path = typer.Option(Path("answers"), "--out", "-o", help="The folder for replies, rulings and the report."),
    key_variable: str = typer.Option("OPENAI_API_KEY", "--key-variable", help="The environment variable with the key."),
    kind: str = typer.Option("answer", "--kind", help="answer: the label of each sample; induce: the rules of a task."),
    split: str | None = typer.Option("test", "--split", help="Ask samples of this split; all for every split."),
    task: str | None = TASK,
    level: str | None = typer.Option(None, "--level", help="Only this level, 1 to 20, or a range, e.g. 4-8."),
    limit: int | None = typer.Option(None, "--limit", min=1, help="The most questions to ask."),
    shots: int = typer.Option(0, "--shots", min=0, help="Solved training samples in front of each question."),
    style: str = typer.Option("natural", "--style", help="natural, formal, or symbols: meaningless names."),
    prompt_seed: int = typer.Option(0, "--prompt-seed", help="The seed of the order, the names and the shots."),
    settings: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="A setting of prompts: picture=both."),
    rounds: int = typer.Option(1, "--rounds", min=1, max=20, help="induce: how often a program may be written."),
    workers: int = typer.Option(8, "--workers", "-w", min=1, max=256, help="Questions at a time."),
    timeout: float = typer.Option(120.0, "--timeout", min=0.1, help="Seconds for a reply."),
    tries: int = typer.Option(6, "--tries", min=1, max=50, help="Requests for one reply, if the server fails."),
    temperature: float | None = typer.Option(None, "--temperature", help="Sent to the server if given."),
    top_p: float | None = typer.Option(None, "--top-p", help="Sent to the server if given."),
    max_tokens: int | None = typer.Option(None, "--max-tokens", min=1, help="The most tokens of a reply."),
    seed: int | None = typer.Option(None, "--seed", help="Of the model's choices; sent to the server if given."),
    price_in: float | None = typer.Option(None, "--price-in", min=0, help="What a million tokens of prompts cost."),
    price_out: float | None = typer.Option(None, "--price-out", min=0, help="What a million tokens of replies cost."),
    budget: float | None = typer.Option(None, "--budget", min=0, help="Ask no more when so much is spent."),
    lenient: bool = typer.Option(False, "--lenient", help="Accept answers in another form than was asked for."),
    as_json: bool = JSON,
) -> None:
    """Put the questions of a dataset to a language model, and judge its replies.

    The server speaks the OpenAI protocol (chat completions). The key is read from an environment variable and is never
    written. Every reply is on disk before the next question counts as asked: run the same command again after an
    interruption, or with a larger --limit, and only what is missing is asked. --out has a page, answers.html;
    `hornbeam compare DIR --answers FOLDER` shows the model beside learners.

    Example: hornbeam ask data/rcc8 --endpoint http://127.0.0.1:8000/v1 --model qwen --limit 200 --out answers
    """
    import hornbeam
    from hornbeam.config import key_values
    from hornbeam.language.answers_page import figures
    from hornbeam.language.asking import PAGE, Habits
    from hornbeam.language.asking import ask as run
    from hornbeam.language.endpoint.client import Client, Patience, Sampling
    from hornbeam.language.endpoint.reply import FAILED
    from hornbeam.language.endpoint.run import Prices

    sampling = Sampling(temperature, top_p, max_tokens, seed)
    client = Client(endpoint, model, key_variable=key_variable, sampling=sampling, patience=Patience(timeout, tries))
    data = hornbeam.load(folder)
    chosen: dict[str, Any] = {"shots": shots, "style": style, "seed": prompt_seed, **key_values(settings)}
    asked_split = None if split in (None, "all") or kind == "induce" else split
    items = hornbeam.prompts(data, kind=kind, split=asked_split, task=task, level=levels_of(level), **chosen)
    count = min(len(items), limit or len(items))
    habits = Habits(workers, rounds if kind == "induce" else 1, Prices(price_in, price_out), budget, lenient)
    with progress_bar(f"asking {model}") as progress:
        report = run(
            data,
            items[:count],
            client,
            out,
            kind=kind,
            prompt_settings={**chosen, "split": asked_split, "task": task},
            habits=habits,
            progress=progress,
        )
    if as_json:
        print_json(report.to_json())
    else:
        print_figures(figures(report))
        rows = [["level", name, *one.cells()] for name, one in report.levels.items()]
        rows += [["task", name, *one.cells()] for name, one in report.tasks.items() if len(report.tasks) > 1]
        rows += [[group, name, *one.cells()] for group, own in report.by_group.items() for name, one in own.items()]
        print_table("By level and group", ["of", "", "questions", "right", "accuracy", "95 % interval"], rows)
        say(out / PAGE, file=sys.stderr)
    failed = report.statuses.get(FAILED, 0)
    if failed:
        first = next(one.reply.message for one in report.judged if one.reply.status == FAILED)
        say(f"hornbeam: {failed} questions have no reply ({first}); run it again to ask them", file=sys.stderr)
        raise typer.Exit(1)
