"""Runs of the app can be cancelled and are bounded; requests are small."""

from __future__ import annotations

import dataclasses
import threading
import time

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import routh as rt
from routh.app import bench_page
from routh.app.server import LARGEST_BODY, LimitedBody, OwnPages, origins_of
from routh.sim.progress import stopping_when

ENDLESS = rt.ModelFile(
    rt.Model("planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 0.1)],
             contacts=[rt.Contact("bounce", rt.shapes.HalfSpace("ground", normal=(0, 1)), rt.shapes.Disk("ball", 0.1),
                                  rt.Newton(1.0, 0.0))]),
    rt.State(ball={"y": 0.2}), 1e9)


def test_a_run_that_nobody_wants_any_more_ends_within_a_second():
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    result, _ = bench_page._computed(ENDLESS, 1e9, stop)
    assert result.status == "interrupted"
    assert time.monotonic() - began < 5.0  # one second, and the picture of what there is


def test_a_run_of_the_app_stops_at_its_time_and_memory(monkeypatch):
    monkeypatch.setattr(bench_page, "MOST_SECONDS", 0.2)
    assert bench_page._computed(ENDLESS, 1e9, threading.Event())[0].status == "interrupted"
    monkeypatch.setattr(bench_page, "MOST_SECONDS", 60.0)
    monkeypatch.setattr(bench_page, "MOST_MEMORY", 2e6)
    assert bench_page._computed(ENDLESS, 1e9, threading.Event())[0].status == "memory limit"


def test_a_stopped_run_of_steps_keeps_what_it_has():
    file = dataclasses.replace(ENDLESS, options=rt.Options(engine="stepping", output=1.0))
    count = iter(range(100))
    with stopping_when(lambda: next(count) >= 2):
        result = dataclasses.replace(file, t_end=1e4).simulate()
    assert result.status == "interrupted"
    assert result.t[-1] < 1e4


@pytest.mark.parametrize("chunked", [False, True])
def test_a_large_request_is_refused_before_it_is_stored(chunked):
    async def take(request):
        return PlainTextResponse(str(len(await request.body())))

    client = TestClient(LimitedBody(Starlette(routes=[Route("/", take, methods=["POST"])])), raise_server_exceptions=False)
    large = b"x" * (LARGEST_BODY + 1)
    answer = client.post("/", content=iter([large[:1000], large[1000:]]) if chunked else large)
    assert answer.status_code == 413
    assert client.post("/", content=b"small").text == "5"


async def answer(request):
    return PlainTextResponse("page")


async def echo(socket):
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


def test_pages_of_others_get_no_answer_and_cannot_frame_ours():
    inner = Starlette(routes=[Route("/", answer), WebSocketRoute("/socket", echo)])
    client = TestClient(OwnPages(inner, origins_of(8080)))
    own = client.get("/", headers={"origin": "http://127.0.0.1:8080"})
    assert own.text == client.get("/").text == "page"  # a page that is typed in has no origin
    assert own.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in own.headers["content-security-policy"]
    assert client.get("/", headers={"origin": "http://evil.test"}).status_code == 403
    with client.websocket_connect("/socket", headers={"origin": "http://localhost:8080"}) as socket:
        assert socket.receive_text() == "hello"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/socket", headers={"origin": "http://evil.test"}):
        pass
