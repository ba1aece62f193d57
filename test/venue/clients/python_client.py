#!/usr/bin/env python3
"""A client of the venue in Python's standard library, and nothing else.

python3 python_client.py URL API_KEY SECRET_KEY PAIR PRICE QTY

Places a post-only bid, reads it, finds it in the list of active orders, cancels it and reads it again. What it saw goes
to stdout as one JSON object.
"""

import base64
import hashlib
import hmac
import http.client
import json
import sys
from urllib.parse import quote, urlencode, urlsplit


class Refused(Exception):
    """The venue said no: an envelope whose code is not 200."""


class Venue:
    """One connection to one venue. Paths are those of the specification."""

    def __init__(self, url, key, secret):
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(address.hostname, address.port, timeout=10)
        self._key = key
        self._secret = secret.encode()

    def get(self, path, **query):
        """A public read, or one that needs the key: the key does no harm to a public one."""
        target = path + ("?" + urlencode(query) if query else "")
        return self._exchange("GET", target, None, {"x-api-key": self._key})

    def post(self, path, **fields):
        """A signed write: the signature is over exactly the bytes that are sent."""
        body = urlencode(fields, quote_via=quote).encode()
        digest = hmac.new(self._secret, body, hashlib.sha256).digest()
        headers = {
            "content-type": "application/x-www-form-urlencoded",
            "x-api-key": self._key,
            "x-signature": base64.b64encode(digest).decode(),
        }
        return self._exchange("POST", path, body, headers)

    def close(self):
        self._connection.close()

    def _exchange(self, method, target, body, headers):
        self._connection.request(method, target, body, headers)
        response = self._connection.getresponse()
        envelope = json.loads(response.read())
        if response.status != 200 or envelope["code"] != 200:
            raise Refused(envelope["msg"])
        return envelope["result"]


def main(url, key, secret, pair, price, qty):
    venue = Venue(url, key, secret)
    try:
        placed = venue.post(
            "/auth/order",
            pair=pair,
            side="BUY",
            price=price,
            qty=qty,
            post_only="true",
            oco="any text: é & =",
            timestamp=venue.get("/time"),
        )["order"]
        read = venue.get("/order", id=placed["id"])
        listed = [order["id"] for order in venue.get("/active_orders")]
        venue.post("/auth/cancel", id=placed["id"])
        after = venue.get("/order", id=placed["id"])
        left = [order["id"] for order in venue.get("/active_orders")]
        stranger = Venue(url, key, "not the secret")
        try:
            stranger.post("/auth/cancel", id=placed["id"])
            refusal = None
        except Refused as error:
            refusal = str(error)
        finally:
            stranger.close()
    finally:
        venue.close()
    seen = {"placed": placed, "read": read, "listed": listed, "after": after, "left": left, "refusal": refusal}
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
