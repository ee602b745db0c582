"""The server of the app: pages registered, bound to the loopback address, asked only under its own names."""

from __future__ import annotations

from nicegui import app, ui
from starlette.middleware.trustedhost import TrustedHostMiddleware

__all__ = ["HOST", "serve"]

HOST = "127.0.0.1"


def serve(port: int = 8080, show: bool = True) -> None:
    """Serve until Ctrl-C. Only this machine can connect, and a foreign page cannot reach in under a name of its own."""
    from routh.app import bench_page, gallery_page, impact_page, vehicle_page

    for page in (gallery_page, bench_page, impact_page, vehicle_page):
        page.register()
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
