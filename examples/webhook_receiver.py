"""A webhook receiver that accepts only signed deliveries.

Without a secret it passes the handshake and rejects every delivery. Create the subscription, then start
the receiver again with the returned whsec_... in WEBHOOK_SECRET. It needs nothing but Python.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_"))
TOLERANCE_SECONDS = 5 * 60

# A delivery may be repeated: an id that was seen is acknowledged and not handled again.
seen = set()


def is_signed(headers, body):
    """Whether one of the signatures matches the message, and its timestamp is within the tolerance."""
    identifier, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not SECRET or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    message = f"{identifier}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(SECRET, message, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_OPTIONS(self):
        """Before the first delivery the server asks for permission (CloudEvents WebHook handshake)."""
        self.send_response(200)
        self.send_header("WebHook-Allowed-Origin", self.headers.get("WebHook-Request-Origin", "*"))
        self.send_header("WebHook-Allowed-Rate", "*")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        identifier = self.headers["ce-id"]
        if identifier not in seen:
            seen.add(identifier)
            print(self.headers["ce-type"], self.headers["ce-subject"], body.decode(), flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Does nothing: the receiver prints events, not requests."""


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening", json.dumps({"port": server.server_port}), flush=True)
server.serve_forever()
