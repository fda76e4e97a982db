"""Google's Python client against a running server: every method, in one of two ways of building it."""

import inspect
import json
import sys
import urllib.request

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build, build_from_document
from googleapiclient.errors import HttpError

way, root, suspend_at = sys.argv[1:]
credentials = Credentials("alice")
# Versions before 2 have neither documents of their own nor these two options.
is_old = "client_options" not in inspect.signature(build).parameters
discovery = root + "$discovery/rest?version={apiVersion}"
if way == "api_endpoint" and is_old:
    document = json.load(urllib.request.urlopen(root + "$discovery/rest"))
    document["rootUrl"] = root
    api = build_from_document(document, credentials=credentials)
elif way == "api_endpoint":
    api = build("workspaceevents", "v1", credentials=credentials, client_options={"api_endpoint": root})
else:
    fresh = {} if is_old else {"static_discovery": False}
    api = build("workspaceevents", "v1", credentials=credentials, discoveryServiceUrl=discovery, **fresh)
subscriptions = api.subscriptions()
FILE_CREATED = "google.workspace.drive.file.v3.created"


def body(target):
    return {
        "targetResource": "//drive.googleapis.com/files/" + target,
        "eventTypes": [FILE_CREATED],
        "notificationEndpoint": {"pubsubTopic": "projects/p/topics/changes"},
        "ttl": "3600s",
    }


def refusal(request):
    try:
        request.execute()
    except HttpError as error:
        return error
    raise AssertionError("was not refused")


created = subscriptions.create(validateOnly=False, body=body("one")).execute()
assert created["done"] and created["response"]["state"] == "ACTIVE", created
name = created["response"]["name"]
assert subscriptions.get(name=name).execute()["name"] == name
for target in ["two", "three"]:
    subscriptions.create(body=body(target)).execute()

names = []
request = subscriptions.list(filter='event_types:"%s"' % FILE_CREATED, pageSize=1)
while request is not None:
    answer = request.execute()
    names += [one["name"] for one in answer.get("subscriptions", [])]
    request = subscriptions.list_next(request, answer)
assert len(names) == 3 and len(set(names)) == 3, names
# Longer than an address may be, so that the client sends it in another way.
long_filter = " OR ".join(['event_types:"%s"' % FILE_CREATED] * 50)
assert len(subscriptions.list(filter=long_filter).execute()["subscriptions"]) == 3

patched = subscriptions.patch(name=name, updateMask="ttl", body={"ttl": "0s"}).execute()
assert patched["response"]["expireTime"] > created["response"]["expireTime"], patched

still_active = refusal(subscriptions.reactivate(name=name, body={}))
assert still_active.resp.status == 400, still_active
urllib.request.urlopen(suspend_at + name).read()
reactivated = subscriptions.reactivate(name=name, body={}).execute()
assert reactivated["response"]["state"] == "ACTIVE", reactivated

assert api.operations().get(name=created["name"]).execute() == created
mismatch = refusal(subscriptions.delete(name=name, etag="bad"))
assert mismatch.resp.status == 409, mismatch
details = json.loads(mismatch.content)["error"]["details"]
assert details[0]["reason"] == "ETAG_MISMATCH", details
deleted = subscriptions.delete(name=name, allowMissing=True).execute()
assert deleted["response"]["@type"] == "type.googleapis.com/google.protobuf.Empty", deleted
assert refusal(subscriptions.get(name=name)).resp.status == 404
print(json.dumps({"way": way, "listed": len(names)}))
