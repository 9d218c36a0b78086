"""An agent on the standard library alone. Connect it on its page, then: AGENT_SECRET=whsec_… python3 http_agent.py"""

import base64, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("AGENT_SECRET", "")
if not SECRET.startswith("whsec_"):
    raise SystemExit("Set AGENT_SECRET to the secret of the connection.")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        sent_at = self.headers["webhook-timestamp"]
        signed = f"{self.headers['webhook-id']}.{sent_at}.".encode() + body
        signature = "v1," + base64.b64encode(hmac.digest(KEY, signed, "sha256")).decode()
        given = (self.headers["webhook-signature"] or "").split(" ")
        if not any(hmac.compare_digest(each, signature) for each in given) or abs(time.time() - int(sent_at)) > 300:
            return self.respond(401, {})
        job = json.loads(body)["job"]
        self.respond(200, {"content": f"Here is “{job['title']}”: {job['description']}"})  # Your work goes here.

    def respond(self, status, result):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(result).encode())


port = int(os.environ.get("PORT", "8080"))
server = ThreadingHTTPServer(("", port), Agent)
print(f"Waiting for jobs on port {port}", flush=True)
server.serve_forever()
