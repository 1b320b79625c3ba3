"""A client for a Sluice server, generated from its OpenAPI document. Do not edit."""

from __future__ import annotations

import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class SluiceError(Exception):
    """A refusal of the server. Handle it by its `code`, never by its text."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("detail", f"HTTP {status}"))
        self.status = status
        self.code: str | None = body.get("code")
        self.body = body


class Connection:
    """Calls the server and keeps its session, which is a cookie.

    `timeout` is in seconds. Of a stream it limits the silence: the server sends a heartbeat every 15 seconds.
    """

    def __init__(self, server: str, timeout: float = 60) -> None:
        self.server = server.rstrip("/")
        self.timeout = timeout
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies)

    def call(self, method: str, path: str, **parts: Any) -> Any:
        with self._open(method, path, "application/json", **parts) as response:
            content = response.read()
        return json.loads(content) if content else None

    def stream(self, method: str, path: str, **parts: Any) -> Iterator[Any]:
        with self._open(method, path, "text/event-stream", **parts) as response:
            for line in response:
                if line.startswith(b"data:"):
                    yield json.loads(line[len(b"data:") :])

    def _open(
        self,
        method: str,
        path: str,
        accept: str,
        *,
        path_values: Mapping[str, Any],
        query: Mapping[str, Any],
        headers: Mapping[str, Any],
        body: Any = None,
    ) -> Any:
        for name, value in path_values.items():
            path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
        given = {name: _text(value) for name, value in query.items() if value is not None}
        url = f"{self.server}{path}" + (f"?{urllib.parse.urlencode(given, doseq=True)}" if given else "")
        request = urllib.request.Request(url, method=method, headers={"Accept": accept})
        for name, value in headers.items():
            if value is not None:
                request.add_header(name, str(value))
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            return self.opener.open(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise SluiceError(error.code, _refusal(error.read())) from None


def _text(value: Any) -> Any:
    """A value in a query: booleans as JSON writes them, and lists repeated."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return [_text(one) for one in value] if isinstance(value, (list, tuple)) else value


def _refusal(content: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"detail": content[:200].decode(errors="replace")}
