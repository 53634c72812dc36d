"""What a server answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from hornbeam.errors import HornbeamError

ANSWERED, CUT_OFF, FILTERED, FAILED = "answered", "cut off", "filtered", "failed"


class Refused(HornbeamError):
    """The server refuses all requests of this run: a wrong key, an unknown model, a parameter that it does not take."""


class Unreachable(HornbeamError):
    """There is no server at the address."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one request.

    Attributes:
        text: What the model wrote; empty if it wrote nothing.
        status: `answered`, `cut off` (at the most tokens), `filtered` (by the server), or `failed` after all tries.
        prompt_tokens: As the server counts them; None if it does not say.
        completion_tokens: Likewise.
        seconds: From the first byte sent to the last one read, of the try that succeeded.
        tries: How many requests it took.
        model: The model that the server names.
        message: Why it failed.
    """

    text: str
    status: str = ANSWERED
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    tries: int = 1
    model: str = ""
    message: str = ""

    @classmethod
    def failed(cls, message: str, tries: int) -> Reply:
        return cls("", FAILED, tries=tries, message=message)

    @classmethod
    def of_body(cls, body: object, *, seconds: float, tries: int) -> Reply:
        """The reply in the body of a chat completion.

        Raises:
            ValueError: if it is not one.
        """
        if not isinstance(body, Mapping) or not isinstance(body.get("choices"), list) or not body["choices"]:
            raise ValueError("it has no choices")
        choice = body["choices"][0]
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(message, Mapping):
            raise ValueError("its first choice has no message")
        finish = str(choice.get("finish_reason") or "")
        status = {"length": CUT_OFF, "content_filter": FILTERED}.get(finish, ANSWERED)
        usage = body.get("usage")
        counts: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
        return cls(
            text=_text(message.get("content")),
            status=status,
            prompt_tokens=_count(counts.get("prompt_tokens")),
            completion_tokens=_count(counts.get("completion_tokens")),
            seconds=round(seconds, 4),
            tries=tries,
            model=str(body.get("model") or ""),
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Reply:
        """The reply that :meth:`to_json` wrote; ValueError for anything else."""
        return msgspec.convert(value, cls)


def _text(content: object) -> str:
    """The text of a message; some servers send it in parts."""
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    # JSON may hold halves of characters, which no file can.
    return content.encode("utf-8", "replace").decode() if isinstance(content, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
