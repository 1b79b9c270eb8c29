"""Drives headless Chromium through its debugging pipe: evaluate, click, drag, type, photograph, print. Standard library only."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
)  # fmt: skip
READY = "new Promise((done) => { const look = () => document.documentElement.dataset.ready ? done() : setTimeout(look, 20); look(); })"
MIDDLE = "one.scrollIntoView({block: 'center', behavior: 'instant'}); const box = one.getBoundingClientRect();"


class Browser:
    """One browser with one page; messages go through two pipes, each ended by a zero byte."""

    def __init__(self, profile: Path) -> None:
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4.
        shell = f'exec "$@" 3</dev/fd/{from_us} 4>/dev/fd/{to_us}'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh", program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(from_us, to_us), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(from_us)
        os.close(to_us)
        self.input, self.output = os.fdopen(to_browser, "wb", buffering=0), os.fdopen(from_browser, "rb")
        self.address = ""  # of the page under test
        self.count, self.session, self.events = 0, "", list[dict[str, Any]]()
        target = next(one for one in self.send("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self.session = ""
        self.send("Browser.close")
        self.input.close()
        self.output.close()
        self.process.wait(20)

    # ---- messages

    def send(self, method: str, **parameters: Any) -> Any:
        """What the browser answers to a command; events that come before are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})
        self.input.write(json.dumps(message).encode() + b"\0")
        while True:
            found = self.receive()
            if found.get("id") == self.count:
                if "error" in found:
                    raise AssertionError(f"{method}: {found['error']['message']}")
                return found["result"]
            self.events.append(found)

    def receive(self) -> dict[str, Any]:
        """The next message."""
        parts = bytearray()
        while (byte := self.output.read(1)) != b"\0":
            if not byte:
                raise AssertionError("the browser is gone")
            parts += byte
        return json.loads(parts)  # type: ignore[no-any-return]

    def wait(self, condition: Callable[[dict[str, Any]], bool]) -> None:
        """Wait for an event."""
        while not any(map(condition, self.events)):
            self.events.append(self.receive())

    # ---- the page

    def open(self, address: str) -> None:
        """Open a page and wait until its script has run."""
        self.events.clear()
        self.send("Page.navigate", url=address)
        self.wait(lambda event: event.get("method") == "Page.loadEventFired")
        self.evaluate(READY)

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"].get("exception", {}).get("description", str(found["exceptionDetails"])))
        return found["result"].get("value")

    def complaints(self) -> list[str]:
        """Errors of the script and everything that was fetched."""
        said = []
        for event in self.events:
            method, given = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                said.append(given["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
                said.append(given["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not given["request"]["url"].startswith(("file:", "data:", "blob:")):
                said.append(given["request"]["url"])
        return said

    def show(self, width: int, height: int = 900, dark: bool = False, touch: bool = False, media: str = "") -> None:
        """Set the size of the screen, its colours, and whether it is touched."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)
        # Without motion the page does not scroll smoothly, and what is clicked stands where it was seen.
        features = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[{"name": name, "value": value} for name, value in features.items()])

    def offline(self) -> None:
        """Take the network away."""
        self.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def picture(self, path: Path, selector: str = "") -> None:
        """Photograph the page, or one part of it."""
        clip = {}
        if selector:
            script = f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            box = self.evaluate(script + " return [box.left + scrollX, box.top + scrollY, box.width, box.height]; })()")
            clip = {"clip": dict(zip(("x", "y", "width", "height"), box, strict=True), scale=1), "captureBeyondViewport": True}
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png", **clip)["data"]))

    def pdf(self, path: Path) -> None:
        """Print the page."""
        path.write_bytes(base64.b64decode(self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]))

    # ---- the reader

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element, scrolled into view."""
        script = f"(() => {{ const one = document.querySelector({json.dumps(selector)}); {MIDDLE}"
        x, y = self.evaluate(script + " return [box.left + box.width / 2, box.top + box.height / 2]; })()")
        return x, y

    def click(self, selector: str) -> None:
        """Click an element with the mouse."""
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, selector: str, across: float) -> None:
        """Drag an element sideways with the mouse."""
        x, y = self.place(selector)
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for part in (0.3, 0.7, 1):
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + part * across, y=y, button="left", buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + across, y=y, button="left", clickCount=1)

    def swipe(self, selector: str, across: float) -> None:
        """Drag an element sideways with a finger."""
        x, y = self.place(selector)
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in (0.3, 0.7, 1):
            self.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + part * across, "y": y}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name: str, code: int) -> None:
        """Press a key."""
        more = {"text": "\r"} if name == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def type(self, selector: str, text: str) -> None:
        """Type a text into a field, in place of what stands there."""
        self.evaluate(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.select(); }})()")
        self.send("Input.insertText", text=text)
