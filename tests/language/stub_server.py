"""A server for chat completions on this machine that answers, or misbehaves, as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class Answer:
    """What the server sends: a status, headers, a body; `cut` bytes of it are left out, `seconds` pass first."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0
    seconds: float = 0.0


def said(text: str | None, *, finish: str = "stop", usage: bool = True) -> Answer:
    """A chat completion."""
    body: Body = {"model": "stub", "choices": [{"message": {"content": text}, "finish_reason": finish}]}
    if usage:
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 10}
    return Answer(json.dumps(body).encode())


def error(status: int, message: str = "", **headers: str) -> Answer:
    return Answer(json.dumps({"error": {"message": message}}).encode(), status, headers)


class Stub:
    """The server: `reply` gets the number of the request and its body. All requests are kept, with their headers."""

    def __init__(self, reply: Callable[[int, Body], Answer]) -> None:
        self.reply = reply
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self._running = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                stub.serve(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
            self.headers.append(dict(handler.headers))
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
        try:
            answer = self.reply(number, body)
            self._ended.wait(answer.seconds)
            handler.send_response(answer.status)
            for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(answer.body[: len(answer.body) - answer.cut])
        except OSError:
            pass  # the client went away
        finally:
            handler.close_connection = True
            with self._lock:
                self._running -= 1

    @contextmanager
    def running(self) -> Iterator[Stub]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def question(body: Body) -> str:
    """The text of the last user message of a request."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
