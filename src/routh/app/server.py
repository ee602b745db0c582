"""The server of the app: pages registered, bound to the loopback address, asked only under its own names."""

from __future__ import annotations

from typing import Any

from nicegui import app, ui
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse

__all__ = ["HOST", "serve"]

HOST = "127.0.0.1"


LARGEST_BODY = 2_000_000  # bytes of a request


class LimitedBody:
    """Refuses requests whose body is larger than LARGEST_BODY, before it is written to disk: 413."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        length = dict(scope.get("headers", ())).get(b"content-length", b"0")
        if scope["type"] == "http" and not (length.isdigit() and int(length) <= LARGEST_BODY):
            await PlainTextResponse("too large", status_code=413)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Any:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b"")) if message["type"] == "http.request" else 0
            if taken > LARGEST_BODY:
                raise HTTPException(413, "too large")
            return message

        await self.app(scope, counted if scope["type"] == "http" else receive, send)


class OwnPages:
    """Answers requests of its own pages only, and lets no other page frame them.

    A request with the Origin of another page is refused with 403, on the socket too.
    """

    def __init__(self, app: Any, origins: frozenset[bytes]) -> None:
        self.app, self.origins = app, origins

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        origin = dict(scope.get("headers", ())).get(b"origin")
        if scope["type"] == "websocket" and origin is not None and origin not in self.origins:
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http" and origin is not None and origin not in self.origins:
            await PlainTextResponse("not from here", status_code=403)(scope, receive, send)
            return

        async def framed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (b"x-frame-options", b"DENY"),
                                                  (b"content-security-policy", b"frame-ancestors 'none'")]}
            await send(message)

        await self.app(scope, receive, framed if scope["type"] == "http" else send)


def origins_of(port: int) -> frozenset[bytes]:
    """Origins of the pages of this server."""
    return frozenset(f"http://{host}:{port}".encode() for host in (HOST, "localhost"))


def serve(port: int = 8080, show: bool = True) -> None:
    """Serve until Ctrl-C. Only this machine can connect, and a foreign page cannot reach in under a name of its own."""
    from routh.app import bench_page, gallery_page, impact_page, model_page, vehicle_page

    for page in (gallery_page, bench_page, impact_page, vehicle_page, model_page):
        page.register()
    app.add_middleware(LimitedBody)
    app.add_middleware(OwnPages, origins=origins_of(port))
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    ui.run(
        host=HOST,
        port=port,
        title="Routh",
        reload=False,
        show=show,
        favicon="📐",
        dark=None,
        message_history_length=4,
        reconnect_timeout=30.0,
        uvicorn_logging_level="warning",
        show_welcome_message=False,
        gzip_middleware_factory=None,  # nothing travels further than this machine: packing would only take time
        ws_per_message_deflate=False,
        tailwind=False,  # it reads the whole page anew at every change
    )
