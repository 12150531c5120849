#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the server under load, some of it hostile, and checks its answers.

    load_test.py SERVER PICTURE [--requests 2000] [--clients 16]

Starts SERVER on a free port of this machine, sends the requests, prints latencies and the server's
memory, and ends it with SIGTERM while requests are pending. The exit status is 1 if an answer was
wrong, a request was lost, memory grew or the server did not end properly.
"""

import argparse
import collections
import http.client
import json
import pathlib
import queue
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Scripts"))
from orderly import end_on_signals  # noqa: E402

MAX_BODY = 2_000_000
BODY_TIMEOUT = 2
IDLE_TIMEOUT = 3
OPTIONS = ["--port", "0", "--max-body", str(MAX_BODY), "--body-timeout", str(BODY_TIMEOUT),
           "--idle-timeout", str(IDLE_TIMEOUT)]
# The ratio of memory at the end to that after the first 200 requests.
MOST_GROWTH = 1.2


class Server:
    """The server in a process of its own."""

    def __init__(self, path):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([path] + OPTIONS, stderr=self.log)
        while True:
            match = re.search(rb"listening on 127\.0\.0\.1:(\d+)", self.read_log())
            if match:
                self.port = int(match[1])
                return
            if self.process.poll() is not None:
                raise SystemExit(self.read_log().decode())
            time.sleep(0.01)

    def read_log(self):
        self.log.seek(0)
        return self.log.read()

    def memory(self):
        """Resident memory in MB; None if the system does not report it."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
                return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1000
        except OSError:
            return None


class Raw:
    """A connection for sending any bytes."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)

    def send(self, data):
        """Sends what the server accepts."""
        try:
            self.socket.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def status(self):
        """The answer's status; 0 if the connection ends without an answer."""
        data = b""
        while b"\r\n" not in data:
            part = self.socket.recv(4096)
            if not part:
                return 0
            data += part
        match = re.match(rb"HTTP/1\.1 (\d{3}) ", data)
        return int(match[1]) if match else -1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def head(*lines):
    return ("\r\n".join(["POST /detect HTTP/1.1", "Host: localhost", *lines]) + "\r\n\r\n").encode()


def one_shot(port, request):
    with Raw(port) as raw:
        raw.send(request)
        return raw.status()


def post(port, body, kind="image/png"):
    return one_shot(port, head(f"Content-Type: {kind}", f"Content-Length: {len(body)}") + body)


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


def bomb(side):
    """A PNG of a few KB that claims side × side pixels."""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(4_000_000), 9)) + chunk(b"IEND", b""))


def endless(port):
    with Raw(port) as raw:
        raw.send(head("Content-Type: image/png", "Transfer-Encoding: chunked"))
        part = b"10000\r\n" + bytes(0x10000) + b"\r\n"
        for _ in range(2 * MAX_BODY // 0x10000):
            if not raw.send(part):
                break
        return raw.status()


def slow_body(port):
    with Raw(port) as raw:
        raw.send(head("Content-Type: image/png", "Content-Length: 100000"))
        end = time.monotonic() + BODY_TIMEOUT - 0.2
        while time.monotonic() < end:
            raw.send(b"\x89")
            time.sleep(0.1)
        return raw.status()


def slow_head(port):
    with Raw(port) as raw:
        raw.send(b"POST /detect HTTP/1.1\r\n")
        end = time.monotonic() + IDLE_TIMEOUT - 0.2
        while time.monotonic() < end:
            raw.send(b"X-Slow: 1\r\n")
            time.sleep(0.1)
        return raw.status()


def gone(port):
    """Disconnects in the middle of a body."""
    with Raw(port) as raw:
        raw.send(head("Content-Type: image/png", "Content-Length: 100000") + bytes(1000))
    return 0


def hostile_requests(picture):
    """The kinds of request, each with the status that it must get; 0 is none."""
    bombs = [bomb(30_000), bomb(5_000)]
    large = bytes(MAX_BODY + 1)
    return {
        "empty body": (lambda port: post(port, b""), 422),
        "truncated PNG": (
            lambda port: post(port, picture[:random.randrange(8, len(picture) - 12)]), 422),
        "bomb of 30,000 × 30,000": (lambda port: post(port, bombs[0]), 422),
        "bomb of 5,000 × 5,000": (lambda port: post(port, bombs[1]), 422),
        "random bytes": (lambda port: post(port, random.randbytes(10_000)), 422),
        "too large": (lambda port: post(port, large), 413),
        "endless chunks": (endless, 413),
        "wrong media type": (lambda port: post(port, picture, "image/jpeg"), 415),
        "wrong query": (lambda port: one_shot(
            port, b"POST /detect?score=2 HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: image/png\r\nContent-Length: 0\r\n\r\n"), 400),
        "wrong path": (
            lambda port: one_shot(port, b"GET /../x HTTP/1.1\r\nHost: localhost\r\n\r\n"), 404),
        "wrong method": (
            lambda port: one_shot(port, b"PUT /detect HTTP/1.1\r\nHost: localhost\r\n\r\n"), 405),
        "garbage": (lambda port: one_shot(port, b"\x16\x03\x01\x02\x00\r\n\r\n"), 400),
        "slow body": (slow_body, 408),
        "slow head": (slow_head, 0),
        "gone in the middle": (gone, 0),
    }


class Client:
    """A client that keeps its connection as long as the server does."""

    def __init__(self, port):
        self.port = port
        self.connection = None

    def detect(self, picture):
        """The answer's status and text, and whether the server closes the connection."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.connection.connect()
        self.connection.request(
            "POST", "/detect", picture, {"Content-Type": "image/png"})
        response = self.connection.getresponse()
        text = response.read()
        if response.getheader("Connection") == "close":
            self.leave()
        return response.status, text

    def leave(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def in_parallel(count, work):
    threads = [threading.Thread(target=work, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def percentile(sorted_values, fraction):
    return sorted_values[min(len(sorted_values) - 1, int(fraction * len(sorted_values)))]


class LoadTest:
    def __init__(self, server, picture, clients):
        self.server = server
        self.picture = picture
        self.clients = clients
        self.hostile = hostile_requests(picture)
        self.failures = []

    def run(self, requests):
        """Sends all requests, including hostile ones, from all clients; returns latencies."""
        names = list(self.hostile)
        jobs = queue.Queue()
        every = 10
        for number in range(requests):
            jobs.put(names[number // every % len(names)] if number % every == 0 else None)
        seen = collections.Counter()
        answers = set()
        latencies = []
        lock = threading.Lock()

        def work(_):
            client = Client(self.server.port)
            while True:
                try:
                    name = jobs.get_nowait()
                except queue.Empty:
                    return client.leave()
                start = time.monotonic()
                try:
                    if name:
                        # The server may close it as idle in the meantime.
                        client.leave()
                        act, expected = self.hostile[name]
                        status = act(self.server.port)
                    else:
                        expected = 200
                        status, text = client.detect(self.picture)
                    error = "" if status == expected else f"status {status}, not {expected}"
                except (OSError, http.client.HTTPException) as failure:
                    error = repr(failure)
                    client.leave()
                with lock:
                    seen[name or "picture"] += 1
                    if error:
                        self.failures.append(f"{name or 'picture'}: {error}")
                    elif not name:
                        latencies.append(time.monotonic() - start)
                        answers.add(text)

        in_parallel(self.clients, work)
        if len(answers) != 1 or len(json.loads(min(answers, default="{}")).get("faces", [])) != 1:
            self.failures.append(f"expected one and the same face, found {answers}")
        return sorted(latencies), seen

    def watch_health(self, done, times):
        """Requests /health ten times a second."""
        while not done.wait(0.1):
            start = time.monotonic()
            try:
                with Raw(self.server.port) as raw:
                    raw.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    status = raw.status()
                if status != 200:
                    self.failures.append(f"health: status {status}")
            except OSError as failure:
                self.failures.append(f"health: {failure!r}")
            times.append(time.monotonic() - start)

    def end_under_load(self):
        """Sends SIGTERM while every client waits for an answer; returns the outcomes of the requests, and
        how long the server took to end."""
        outcomes = collections.Counter()
        lock = threading.Lock()
        told = []
        deadline = time.monotonic() + 60

        def count(outcome):
            with lock:
                outcomes[outcome] += 1

        def work(index):
            client = Client(self.server.port)
            while time.monotonic() < deadline:
                try:
                    status, _ = client.detect(self.picture)
                    count("answered" if status == 200 else f"status {status}")
                    # Half of the clients open a connection for each request.
                    if index % 2:
                        client.leave()
                except ConnectionRefusedError:
                    return count("refused")
                except (OSError, http.client.HTTPException) as failure:
                    count(f"lost: {failure!r}")
                    client.leave()
            count("sent when the server had to be gone")

        def end():
            told.append(time.monotonic())
            self.server.process.send_signal(signal.SIGTERM)

        timer = threading.Timer(2, end)
        timer.start()
        in_parallel(self.clients, work)
        status = self.server.process.wait(60)
        if status != 0:
            self.failures.append(f"exit status {status}")
        for outcome, number in outcomes.items():
            if outcome not in ("answered", "refused"):
                self.failures.append(f"{number} requests {outcome}")
        return outcomes, time.monotonic() - told[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("server")
    parser.add_argument("picture")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--clients", type=int, default=16)
    options = parser.parse_args()
    end_on_signals()
    random.seed(7)
    with open(options.picture, "rb") as file:
        picture = file.read()

    server = Server(options.server)
    try:
        test = LoadTest(server, picture, options.clients)
        memory = [server.memory()]
        first = min(200, options.requests // 2)
        _, seen = test.run(first)
        memory.append(server.memory())

        done, health = threading.Event(), []
        watcher = threading.Thread(target=test.watch_health, args=(done, health))
        watcher.start()
        start = time.monotonic()
        latencies, rest = test.run(options.requests - first)
        duration = time.monotonic() - start
        done.set()
        watcher.join()
        memory.append(server.memory())
        outcomes, ending = test.end_under_load()
    finally:
        server.process.kill()

    for name, number in sorted((seen + rest).items()):
        print(f"{number:6} {name}")
    rate = (options.requests - first) / duration
    print(f"{rate:.1f} requests/s from {options.clients} clients, {len(latencies)} pictures in")
    for name, values in ("picture", latencies), ("health", sorted(health)):
        if not values:
            continue
        times = [f"p{p} {1000 * percentile(values, p / 100):.1f}" for p in (50, 90, 99)]
        print(f"  {name}: {', '.join(times)}, most {1000 * values[-1]:.1f} ms")
    if memory[0]:
        print("memory: at the start {:.1f}, after {} requests {:.1f}, at the end {:.1f} MB".format(
            memory[0], first, *memory[1:]))
        if memory[2] > MOST_GROWTH * memory[1]:
            test.failures.append("memory grew")
    print(f"SIGTERM under load: {dict(outcomes)}, ended after {ending:.1f} s", flush=True)
    if "Fatal" in server.read_log().decode(errors="replace"):
        test.failures.append("the log tells of a crash")
    for failure, number in collections.Counter(test.failures).items():
        print(f"FAILED {number} times: {failure}", file=sys.stderr)
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main()
