"""A session with a limit against a server that enforces it: what is refused, and how much of the limit is reached.

    python benchmarks/bench_limits_session.py       # exits 1 when a bound is missed

300 cases, two xdist workers, an HTTP target on 127.0.0.1 that answers 429 to more than 20 requests in any second.
"""

from __future__ import annotations

import collections
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LIMIT = 20
CASES = 300
SUITE = """suite: limited
target: {{http: {{url: 'http://127.0.0.1:{port}/', body: {{q: '{{{{ input }}}}'}}, output: answer}}}}
defaults: {{criteria: [contains], retries: 0}}
cases:
"""


class Window:
    """A sliding window of one second."""

    def __init__(self) -> None:
        self._recent: collections.deque[float] = collections.deque()
        self._lock = threading.Lock()
        self.accepted: list[float] = []
        self.refused = 0

    def admits(self) -> bool:
        with self._lock:
            now = time.monotonic()
            while self._recent and self._recent[0] <= now - 1:
                self._recent.popleft()
            if len(self._recent) >= LIMIT:
                self.refused += 1
                return False
            self._recent.append(now)
            self.accepted.append(now)
            return True


def serve(window: Window) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:  # noqa: ARG002
            return

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body = b'{"answer": "ok"}'
            self.send_response(200 if window.admits() else 429)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def main() -> int:
    window = Window()
    port = serve(window).server_port
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text(f"[pytest]\nevals_limits =\n    *: {LIMIT} rps\n")
        rows = "".join(f"  - {{id: c{i}, input: q{i}, expected_output: ok}}\n" for i in range(CASES))
        (folder / "limited.eval.yaml").write_text(SUITE.format(port=port) + rows)
        command = [sys.executable, "-m", "pytest", "-q", "-n2", "-p", "no:randomly", "--evals-no-history"]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if len(window.accepted) < 2:
        print(ended.stdout)
        return 1
    rate = (len(window.accepted) - 1) / (window.accepted[-1] - window.accepted[0])
    refused = window.refused / (window.refused + len(window.accepted))
    held = ended.returncode == 0 and refused <= 0.01 and rate >= 0.9 * LIMIT
    print(f"{len(window.accepted)} answered, {refused:.1%} refused (at most 1 %)")
    print(f"{rate:.2f} of {LIMIT} calls a second: {rate / LIMIT:.1%} of the limit (at least 90 %)")
    print("held" if held else "MISSED")
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
