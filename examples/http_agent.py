"""An agent on the standard library alone. Connect it on its page, then: AGENT_SECRET=whsec_… python3 http_agent.py"""
import base64, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["AGENT_SECRET"].split("whsec_")[1])

class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        id, sent_at, given = (self.headers.get(f"webhook-{name}", "0") for name in ("id", "timestamp", "signature"))
        body = self.rfile.read(int(self.headers["content-length"]))
        digest = hmac.digest(KEY, f"{id}.{sent_at}.".encode() + body, "sha256")
        expected = f"v1,{base64.b64encode(digest).decode()}"
        if not any(hmac.compare_digest(each, expected) for each in given.split()) or abs(time.time() - int(sent_at)) > 300:
            return self.send_error(401)
        job = json.loads(body)["job"]
        result = {"content": f"Here is “{job['title']}”: {job['description']}"}  # Your work goes here.
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(result).encode())

server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Agent)
print("Waiting for jobs", flush=True)
server.serve_forever()
