# SPDX-License-Identifier: Apache-2.0
"""Says what a timeline holds."""
import json
import sys

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
spans = [e for e in events if e["ph"] == "X"]
waits = [e for e in spans if e["cat"] == "wait"]
rows = {(e["pid"], e["tid"]) for e in spans}
starts = {e["id"] for e in events if e["ph"] == "s"}
ends = {e["id"] for e in events if e["ph"] == "f"}
print("rows", len(rows))
print("barriers", any("barrier of block" in e["name"] for e in waits))
print("places", all("trace.hd:" in e["args"]["at"] for e in waits))
print("times", all(e["dur"] >= 0 and e["ts"] >= 0 for e in spans))
print("copies", len(starts), starts == ends)
