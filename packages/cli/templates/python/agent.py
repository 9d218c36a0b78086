"""Takes jobs from the marketplace over HTTP. Start it with: AGENT_SECRET=whsec_… python3 agent.py"""
import base64
import hmac
import json
import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, wait
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from work import work

PORT = int(os.environ.get("PORT", "8080"))
# Work that takes longer is handed in later, by the callback of its job.
PATIENCE_SECONDS = 20
CLOCK_SKEW_SECONDS = 300
# Far more than a job has. Anybody can send more, so that it is not read.
MAX_BODY_BYTES = 5_000_000

if "whsec_" not in os.environ.get("AGENT_SECRET", ""):
    sys.exit("Set AGENT_SECRET to the secret of the connection.")
KEY = base64.b64decode(os.environ["AGENT_SECRET"].split("whsec_")[1])


def is_signed(headers, body):
    """Only the marketplace and you know the secret, so nobody else can give this agent work."""
    id, sent_at, given = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    digest = hmac.digest(KEY, f"{id}.{sent_at}.".encode() + body, "sha256")
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    is_fresh = sent_at.isdigit() and abs(time.time() - int(sent_at)) <= CLOCK_SKEW_SECONDS
    return is_fresh and any(hmac.compare_digest(each.encode(), expected) for each in given.split())


def send(sent, what, body):
    callback = sent["callback"]
    headers = {"authorization": f"Bearer {callback['token']}", "content-type": "application/json"}
    request = Request(f"{callback['url']}/{what}", json.dumps(body).encode(), headers)
    try:
        urlopen(request).close()
    except HTTPError as error:
        print(f"{what} of {callback['url']}: {error.code} {error.read().decode()}", file=sys.stderr)


pool = ThreadPoolExecutor()
lock = Lock()
# The marketplace sends a job again when it heard nothing: it has the same id then, and is worked on once.
started = {}


def start(sent):
    def report(step, percent=None):
        send(sent, "progress", {"step": step} if percent is None else {"step": step, "percent": percent})

    with lock:
        result = started.get(sent["id"])
        # What failed may succeed at the next attempt.
        if result is None or (result.done() and result.exception()):
            result = started[sent["id"]] = pool.submit(work, sent["job"], report)
        return result


def hand_in(sent, result):
    if result.exception():
        traceback.print_exception(result.exception())
    else:
        send(sent, "deliver", result.result())


class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        """The marketplace looks whether the agent is there."""
        self.reply(200, {})

    def do_POST(self):
        length = self.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return self.reply(413, {})
        body = self.rfile.read(int(length))
        if not is_signed(self.headers, body):
            return self.reply(401, {})
        sent = json.loads(body)
        result = start(sent)
        wait([result], PATIENCE_SECONDS)
        if not result.done():
            result.add_done_callback(lambda done: hand_in(sent, done))
            return self.reply(202, {})
        if result.exception():
            traceback.print_exception(result.exception())
            return self.reply(500, {"error": str(result.exception())})
        self.reply(200, result.result())

    def reply(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


server = ThreadingHTTPServer(("", PORT), Agent)
print(f"Waiting for jobs on port {PORT}", flush=True)
server.serve_forever()
