"""A real Chromium for the tests of this folder, and a page that notices errors and requests.

Debian's `chromium` (the test target of the Makefile installs it), or the browser that ROUTH_CHROMIUM names. There is no way
round it: without a browser these tests fail.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import routh

OUT = Path(__file__).parents[2] / "out" / "browser"
SOURCE = Path(routh.__file__).parents[1]
# WebGL in software; the page itself is put together as on any machine without a graphics card
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
    "--disable-dev-shm-usage",
]


def chromium_path():
    found = os.environ.get("ROUTH_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    assert found, "no Chromium on this machine: apt-get install chromium (make test does), or set ROUTH_CHROMIUM"
    return found


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page with its console errors, its exceptions and the addresses it asked for."""

    def __init__(self, page):
        self.page, self.errors, self.requests = page, [], []
        page.set_default_timeout(60_000)
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def until(self, holds, seconds=60):
        """Wait until `holds(page)`; asked from outside, since the policy of a report admits no script of ours."""
        for _ in range(int(20 * seconds)):
            if holds(self.page):
                return
            self.page.wait_for_timeout(50)
        pytest.fail(f"did not come to hold within {seconds} s")

    def shot(self, name):
        OUT.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=OUT / f"{name}.png", full_page=True)


@pytest.fixture
def open_page(browser):
    """`open_page(address, width=..., dark=...)`: a watched page; at the end none may have had an error."""
    opened = []

    def open_one(address, width=1280, height=900, dark=False, before="", errors_allowed=False):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", accept_downloads=True
        )
        watched = Watched(context.new_page())
        if before:
            watched.page.add_init_script(before)
        opened.append((context, watched, errors_allowed))
        watched.page.goto(address.as_uri() if isinstance(address, Path) else address)
        return watched

    yield open_one
    for context, watched, errors_allowed in opened:
        context.close()
        assert errors_allowed or not watched.errors


@pytest.fixture(scope="session")
def app_address():
    """The app, served by a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    environment.pop("PYTEST_CURRENT_TEST", None)  # NiceGUI takes it for its own test mode
    server = subprocess.Popen(
        [sys.executable, "-m", "routh", "app", "--no-browser", "--port", str(port)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            assert server.poll() is None, f"the app ended at once: {server.stdout.read().decode()}"
            try:
                urllib.request.urlopen(f"{address}/", timeout=5).read()
                break
            except OSError:
                time.sleep(0.5)
        else:
            pytest.fail("the app did not answer within two minutes")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)
