"""Who may talk to the studio: a browser on this machine that was opened with the token of this start.

Every request passes :class:`Guard`. It refuses other hosts (a page that rebinds its name to this machine), other
origins, visitors without the token, and forms that no page of the studio made.

* The token is in the URL once. It is exchanged for a cookie that scripts cannot read and that other sites do not send.
* The cookie is signed with the token: a session that was ended is opened again, one of another start is not.
* A form carries a token of its own, in the field `form_token` or, from scripts, in the header `X-Form-Token`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import URL, Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hornbeam.studio.sessions import Sessions, TooManySessions

HOSTS = ("127.0.0.1", "localhost")
LARGEST_BODY = 1 << 20
FORM_FIELD, FORM_HEADER = "form_token", "x-form-token"
_SAFE = ("GET", "HEAD")
_ID = re.compile(r"[0-9a-f]{32}\Z")

HEADERS = {
    # No inline script, no inline style, no other host.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    # Not `no-referrer`: a form would then be sent with the origin `null`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Refusal = Callable[[Request, int, str], Response]
Failure = Callable[[Request, Exception], Response]


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


class Keys:
    """What is derived from the token of a start: the name and the signature of the cookie, the tokens of forms.

    >>> keys = Keys("secret")
    >>> keys.session(keys.cookie("0" * 32)) == "0" * 32
    True
    >>> keys.session("0" * 32 + ".forged") is None
    True
    """

    def __init__(self, token: str) -> None:
        self._token = token
        # Two studios on one machine share the cookies of its name.
        self.cookie_name = f"hornbeam-{self._sign('name')[:8]}"

    def _sign(self, text: str) -> str:
        return hmac.new(self._token.encode(), text.encode(), hashlib.sha256).hexdigest()

    def opens(self, token: str) -> bool:
        """Whether it is the token of this start."""
        return hmac.compare_digest(token.encode(), self._token.encode())

    def cookie(self, session: str) -> str:
        return f"{session}.{self._sign(f'session {session}')}"

    def session(self, cookie: str) -> str | None:
        """The id of the session that a cookie names; None if it was not made with this token."""
        session, _, signature = cookie.partition(".")
        genuine = hmac.compare_digest(signature.encode(), self._sign(f"session {session}").encode())
        return session if genuine and _ID.match(session) else None

    def form(self, session: str) -> str:
        """The token that the forms of a session carry."""
        return self._sign(f"form {session}")


class Guard:
    """The middleware that every request passes.

    Args:
        app: What is behind it.
        keys: What is derived from the token.
        sessions: The visitors.
        refuse: Makes the page of a refusal from its status and message.
        failed: Makes the page of an error that nobody expected.
    """

    def __init__(self, app: ASGIApp, *, keys: Keys, sessions: Sessions, refuse: Refusal, failed: Failure) -> None:
        self._app, self._keys, self._sessions = app, keys, sessions
        self._refuse, self._failed = refuse, failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"the studio has no {scope['type']}")
        guarded = _with_headers(scope, send)
        headers = Headers(scope=scope)
        problem = _wrong_sender(scope, headers)
        if problem is not None:
            await self._answer(scope, receive, guarded, 403, problem)
        elif scope["path"].startswith("/static/") and scope["method"] in _SAFE:
            await self._app(scope, receive, guarded)
        else:
            await self._visit(scope, receive, guarded, headers)

    async def _visit(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        name = self._keys.session(_cookie(headers, self._keys.cookie_name))
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and scope["method"] == "GET" and self._keys.opens(given):
            await self._welcome(scope, receive, send, name)
            return
        if name is None:
            message = "Open the studio with the URL that `hornbeam studio` printed: it holds the token of this start."
            await self._answer(scope, receive, send, 403, message)
            return
        try:
            scope["session"] = self._sessions.open(name)
        except TooManySessions as error:
            await self._answer(scope, receive, send, 503, str(error))
            return
        scope["form_token"] = self._keys.form(name)
        if scope["method"] in _SAFE:
            await self._through(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await self._answer(scope, receive, send, 413, f"A form may have at most {LARGEST_BODY >> 20} MB.")
        elif not self._made_here(headers, body, name):
            await self._answer(scope, receive, send, 403, "This form is of an earlier start. Reload the page.")
        else:
            await self._through(scope, _replayed(body, receive), send)

    async def _through(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in. Its errors are answered here, where answers get their headers."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            if begun:
                raise
            await self._failed(Request(scope, receive), error)(scope, receive, send)

    async def _welcome(self, scope: Scope, receive: Receive, send: Send, name: str | None) -> None:
        """Exchange the token of the URL for a cookie; the address without it is what remains in the browser."""
        kept = parse_qs(scope["query_string"].decode("latin-1"))
        kept.pop("token")
        place = URL(scope=scope).path + (f"?{urlencode(kept, doseq=True)}" if kept else "")
        # `//host` would be another host.
        response = RedirectResponse("/" + place.lstrip("/"), status_code=303)
        cookie = self._keys.cookie(name or secrets.token_hex(16))
        response.set_cookie(self._keys.cookie_name, cookie, httponly=True, samesite="strict", path="/")
        await response(scope, receive, send)

    def _made_here(self, headers: Headers, body: bytes, name: str) -> bool:
        given = headers.get(FORM_HEADER) or _field(headers, body)
        return hmac.compare_digest(given.encode(), self._keys.form(name).encode())

    async def _answer(self, scope: Scope, receive: Receive, send: Send, status: int, message: str) -> None:
        await self._refuse(Request(scope, receive), status, message)(scope, receive, send)


def _wrong_sender(scope: Scope, headers: Headers) -> str | None:
    """What is wrong with the host or the origin of a request."""
    host = headers.get("host", "")
    if host.rpartition(":")[0] not in HOSTS and host not in HOSTS:
        return f"The studio answers to {HOSTS[0]} only."
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return "This request comes from another site."
    if scope["method"] not in _SAFE and headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return "This form comes from another site."
    return None


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _field(headers: Headers, body: bytes) -> str:
    kind = headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        return ""
    return fields(body).get(FORM_FIELD, [""])[-1]


def fields(body: bytes) -> dict[str, list[str]]:
    """The fields of a form, empty ones among them."""
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None if it is too large."""
    parts, size = [], 0
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > LARGEST_BODY:
            return None
        parts.append(part)
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body again that was read to look at its token."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _with_headers(scope: Scope, send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not scope["path"].startswith("/static/"):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return guarded
