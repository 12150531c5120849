# SPDX-License-Identifier: Apache-2.0
"""Opens a page of the server in headless Chromium and prints as JSON what happens.

    browse.py CHROMIUM URL visit PICTURE      gives pictures to the page
    browse.py CHROMIUM URL evaluate SCRIPT    runs a script in it

Speaks the DevTools protocol over pipes (https://chromedevtools.github.io/devtools-protocol/).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Scripts"))
from orderly import end_on_signals  # noqa: E402


class Browser:
    """Chromium, which reads commands from file descriptor 3 and writes answers and events to 4, each
    ended by a zero byte."""

    def __init__(self, chromium, folder):
        commands, self.output = os.pipe()
        self.input, answers = os.pipe()
        arguments = [chromium, "--headless", "--disable-gpu", "--disable-dev-shm-usage",
                     "--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={folder}",
                     "--window-size=1000,1100"]
        # Chromium's sandbox does not work for root, who runs many containers.
        if os.getuid() == 0:
            arguments.append("--no-sandbox")

        def place():
            # Both are moved away first, since either may be 3 or 4.
            low, high = os.dup(commands), os.dup(answers)
            while min(low, high) < 5:
                low, high = os.dup(low), os.dup(high)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            arguments, preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.unread = b""
        self.events = []
        self.number = 0
        self.session = None

    def message(self):
        while b"\0" not in self.unread:
            part = os.read(self.input, 1 << 16)
            if not part:
                raise SystemExit("the browser ended")
            self.unread += part
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, event):
        while not any(message.get("method") == event for message in self.events):
            self.events.append(self.message())

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")


def state_after(browser, action):
    """What the page shows after it has processed a picture."""
    browser.evaluate("document.getElementById('status').textContent = ''")
    action()
    for _ in range(600):
        status = browser.evaluate("document.getElementById('status').textContent")
        if status and not status.endswith("…"):
            break
        time.sleep(0.1)
    return browser.evaluate("""(() => {
        const [status, canvas] = ["status", "picture"].map((id) => document.getElementById(id));
        return {
            status: status.textContent, isError: status.classList.contains("error"),
            faces: [...document.querySelectorAll("#faces li")].map((item) => item.textContent),
            canvas: canvas.hidden ? null : [canvas.width, canvas.height],
        };
    })()""")


def choose(browser, path):
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    field = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=field, files=[path])


# Drops the picture that the page shows, enlarged, as a JPEG.
DROP = """(async () => {
    const large = document.createElement("canvas");
    large.width = large.height = 3000;
    large.getContext("2d").drawImage(document.getElementById("picture"), 0, 0, 3000, 3000);
    const blob = await new Promise((resolve) => large.toBlob(resolve, "image/jpeg", 0.9));
    const data = new DataTransfer();
    data.items.add(new File([blob], "dropped.jpg", { type: "image/jpeg" }));
    document.getElementById("drop").dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
})()"""


def visit(browser, url, picture, folder):
    visit = {"chosen": state_after(browser, lambda: choose(browser, picture))}
    visit["dropped"] = state_after(browser, lambda: browser.evaluate(DROP))
    wrong = os.path.join(folder, "wrong.png")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write("no picture")
    visit["wrong"] = state_after(browser, lambda: choose(browser, wrong))

    requests = [message["params"]["request"] for message in browser.events
                if message.get("method") == "Network.requestWillBeSent"]
    visit["requests"] = [f"{request['method']} {request['url'].replace(url, '/')}"
                         for request in requests]
    visit["messages"] = [json.dumps(message["params"]) for message in browser.events
                         if message.get("method") in
                         ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                          "Log.entryAdded")]
    return visit


def main():
    end_on_signals()
    chromium, url, action, argument = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(chromium, os.path.join(folder, "profile"))
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
        browser.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log", "DOM"]:
            browser.call(f"{domain}.enable")
        browser.call("Page.navigate", url=url)
        browser.wait_for("Page.loadEventFired")
        if action == "evaluate":
            result = browser.evaluate(argument)
        else:
            result = visit(browser, url, argument, folder)
        browser.session = None
        browser.call("Browser.close")
        browser.process.wait(20)
        print(json.dumps(result))


main()
