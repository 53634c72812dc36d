"""Asks a server that speaks the OpenAI protocol, with retries.

The standard library suffices for one POST a question, so there is no further dependency. Redirects are not followed:
they would carry the key to another host.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.language.endpoint.reply import Refused, Reply, Unreachable
from hornbeam.version import __version__

_PATH = "/chat/completions"
_MOST_BYTES = 20 << 20
_SHOWN = 300  # characters of a server's message
_LONGEST_WAIT = 120.0
_RETRIED = frozenset({408, 409, 425, 429, *range(500, 600)})

Messages = Sequence[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model is to answer. Only what is set is sent."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        own: dict[str, Json] = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }
        return {**{name: value for name, value in own.items() if value is not None}, **self.extra}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request may take, how often it is tried, and how long the first wait between tries is."""

    seconds: float = 120.0
    tries: int = 6
    wait: float = 1.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """One model of one server. Any number of threads may ask.

    Args:
        endpoint: The address, as https://host/v1 or with /chat/completions at its end.
        model: The name of the model.
        key_variable: The environment variable that holds the key. The key is sent, and never written or shown.
        sampling: How the model is to answer.
        patience: Timeouts and retries.

    Raises:
        UsageError: if the address is none, or holds a password.
    """

    def __init__(
        self,
        endpoint: str,
        model: str,
        *,
        key_variable: str = "OPENAI_API_KEY",
        sampling: Sampling | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.url = address(endpoint)
        self.model = model
        self.sampling = sampling or Sampling()
        self._patience = patience or Patience()
        self._key_variable = key_variable
        self._key = os.environ.get(key_variable, "").strip()
        if any(not " " < char < "\x7f" for char in self._key):
            raise UsageError(f"the key in the variable {key_variable} has characters that no key has")
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._reached = threading.Event()
        self._lock = threading.Lock()
        self._closed_until = 0.0  # a server that has too much to do closes for all threads
        self.stop = threading.Event()

    def ask(self, messages: Messages) -> Reply:
        """The reply to a conversation; its status is `failed` if no try succeeded.

        Raises:
            Refused: if the server refuses this and every other request.
            Unreachable: if there is no server.
        """
        body = {"model": self.model, "messages": list(messages), "stream": False, **self.sampling.to_json()}
        data = json.dumps(body, ensure_ascii=False).encode()
        message = ""
        for tried in range(1, self._patience.tries + 1):
            self._wait_until_open()
            if self.stop.is_set():
                return Reply.failed("stopped", tried - 1)
            try:
                return self._try(data, tried)
            except _TryAgain as again:
                message = self._hidden(str(again))
                if not self._reached.is_set() and again.nobody and tried > 1:
                    raise Unreachable(f"cannot reach {self.url}: {message}") from None
                self._pause(tried, again.after)
        return Reply.failed(message, self._patience.tries)

    # One request ------------------------------------------------------------------------------------------------------

    def _try(self, data: bytes, tried: int) -> Reply:
        headers = {"Content-Type": "application/json", "User-Agent": f"hornbeam/{__version__}"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self.url, data, headers, method="POST")
        start = time.monotonic()
        try:
            with self._opener.open(request, timeout=self._patience.seconds) as response:
                text = self._read(response, start)
        except urllib.error.HTTPError as error:
            self._reached.set()
            raise self._of_status(error) from None
        except urllib.error.URLError as error:
            raise _TryAgain(str(error.reason), nobody=True) from None
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgain(str(error) or type(error).__name__) from None
        self._reached.set()
        try:
            return Reply.of_body(json.loads(text), seconds=time.monotonic() - start, tries=tried)
        except (ValueError, RecursionError) as error:
            raise _TryAgain(f"the server's reply is not a chat completion: {str(error)[:_SHOWN]}") from None

    def _read(self, response: Any, start: float) -> bytes:
        """The body. The time limit is on all of it: a server may send a byte a minute."""
        parts: list[bytes] = []
        size = 0
        while part := response.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                raise _TryAgain("the server's reply is too long")
            if time.monotonic() - start > self._patience.seconds:
                raise _TryAgain(f"no whole reply within {self._patience.seconds:g} s")
        expected = response.headers.get("Content-Length")
        if expected is not None and expected.isdecimal() and size < int(expected):
            raise _TryAgain(f"the connection was cut after {size} of {expected} bytes")
        return b"".join(parts)

    def _of_status(self, error: urllib.error.HTTPError) -> Exception:
        """What an HTTP status other than success means."""
        code = error.code
        said = self._hidden(_said(error))
        if code in _RETRIED:
            return _TryAgain(f"the server says {code} {said}".strip(), after=retry_after(dict(error.headers)))
        if code in (401, 403):
            given = "the key in" if self._key else "no key: set"
            return Refused(f"the server refuses access ({code}) with {given} the variable {self._key_variable}. {said}")
        if code == 404:
            return Refused(f"the server does not know the model {self.model}, or the address {self.url} (404). {said}")
        if 300 <= code < 400:
            return Refused(f"the server redirects ({code}) to another address, which is not followed: {self.url}")
        return Refused(f"the server refuses the request ({code}). {said}")

    def _hidden(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    # Waiting ----------------------------------------------------------------------------------------------------------

    def _pause(self, tried: int, after: float | None) -> None:
        if tried >= self._patience.tries:
            return
        if after is not None:
            with self._lock:
                self._closed_until = max(self._closed_until, time.monotonic() + min(after, _LONGEST_WAIT))
            return
        longest = min(self._patience.wait * 2 ** (tried - 1), 60.0)
        self.stop.wait(longest * random.uniform(0.5, 1.0))

    def _wait_until_open(self) -> None:
        while not self.stop.is_set() and (left := self._closed_until - time.monotonic()) > 0:
            self.stop.wait(left)


class _TryAgain(Exception):
    """A try failed; `after` is the server's own wish, `nobody` whether no server was there."""

    def __init__(self, message: str, *, after: float | None = None, nobody: bool = False) -> None:
        super().__init__(message)
        self.after, self.nobody = after, nobody


def address(endpoint: str) -> str:
    """The address that requests go to.

    Raises:
        UsageError: if it is no address of the web, or holds a password.

    >>> address("http://127.0.0.1:8000/v1/")
    'http://127.0.0.1:8000/v1/chat/completions'
    """
    parts = urlsplit(endpoint.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--endpoint {endpoint}: expected an address, e.g. http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query:
        raise UsageError("--endpoint: keys do not belong into an address; put the key into an environment variable")
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path if path.endswith(_PATH) else path + _PATH}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of a Retry-After header: a number, or a date.

    >>> retry_after({"Retry-After": "2"}), retry_after({})
    (2.0, None)
    """
    value = next((value for name, value in headers.items() if name.lower() == "retry-after"), "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time()) if value else None
    except (TypeError, ValueError, OverflowError):
        return None


def _said(error: urllib.error.HTTPError) -> str:
    """The server's own message, if there is one."""
    try:
        text = error.read(1 << 16).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return ""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    inner = body.get("error", body.get("message")) if isinstance(body, dict) else None
    said = inner.get("message") if isinstance(inner, dict) else inner
    return f"It says: {' '.join(str(said).split())[:_SHOWN]}" if said else ""
