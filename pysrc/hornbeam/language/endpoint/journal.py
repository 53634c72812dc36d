"""The answers of a run on disk: one line each, written to the disk before the next question counts as asked.

A run that was killed goes on with what is there. A last line that was not written completely is cut off.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from hornbeam.data.files import whole_lines
from hornbeam.language.endpoint.client import Client, Messages
from hornbeam.language.endpoint.reply import FAILED, Reply
from hornbeam.writing import naming


def key_of(client: Client, messages: Messages) -> str:
    """The same for requests that are the same: model, settings and conversation."""
    parts = [client.url, client.model, client.sampling.to_json(), list(messages)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Journal:
    """The answers that a file holds, by the keys of their questions. Use it in a `with` statement to add some."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stream: TextIO | None = None
        self._replies = dict(self._read())

    def __enter__(self) -> Journal:
        self._stream = self._path.open("a", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def __len__(self) -> int:
        return len(self._replies)

    def get(self, key: str) -> Reply | None:
        """The answer to a question, if there is one."""
        return self._replies.get(key)

    def add(self, key: str, uid: str, reply: Reply) -> None:
        """Keep an answer; one that failed is not kept, so that it is asked again in the next run."""
        if reply.status == FAILED:
            return
        line = json.dumps({"key": key, "uid": uid, "reply": reply.to_json()}, ensure_ascii=False)
        with self._lock, naming(self._path):
            assert self._stream is not None
            self._replies[key] = reply
            self._stream.write(line + "\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def _read(self) -> Iterator[tuple[str, Reply]]:
        for line in whole_lines(self._path):
            # A line that is damaged is asked again.
            with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
                row: Any = json.loads(line)
                yield str(row["key"]), Reply.from_json(row["reply"])
