"""A lamp, or a message in a chat, from what happens at the table. Only the standard library is needed.

    tabletop log ember-road --follow --json --seat Ana | python announce.py https://chat.example/hooks/abc
    tabletop log ember-road --follow --json | python announce.py http://lamp/api --only roll --send '{"on": true}'

Each line of the stream is one thing that was done. With `--seat` it holds what that player may know and nothing else:
use it for everything that players can see, and the GM's stream for a lamp on the GM's own desk.
"""

import argparse
import json
import sys
import urllib.request


def main() -> int:
    """Read the stream until it ends, and post what is wanted."""
    words = argparse.ArgumentParser(description="Post what happens at the table to a web address.")
    words.add_argument("url", help="takes a POST with JSON: a chat's webhook, a lamp, a home automation")
    words.add_argument("--only", default="", metavar="ACTIONS", help="roll,next: those alone; see tabletop offers")
    words.add_argument("--send", default="", metavar="JSON", help="this, in place of the words that were said")
    args = words.parse_args()
    wanted = {word for word in args.only.split(",") if word}
    for line in sys.stdin:
        entry = json.loads(line)
        # a player's stream names the action; the GM's has all of it
        action = entry["action"] if isinstance(entry["action"], str) else entry["action"]["do"]
        said = entry.get("said") or []
        if (wanted and action not in wanted) or not (said or args.send):
            continue
        post(args.url, args.send or json.dumps({"content": "\n".join(said)}))
    return 0


def post(url: str, body: str) -> None:
    """Send it; a lamp that is away must not stop the stream."""
    request = urllib.request.Request(url, body.encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=10).close()
    except OSError as error:
        print(f"{url}: {error}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
