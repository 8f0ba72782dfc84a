"""What long measurements have found, in a file of one JSON object a line, written at once: a run that is stopped goes on from there."""

import json
import os
import threading


class Kept:
    """`take` gets every object that is there already; without a path nothing is kept."""

    def __init__(self, path, take):
        self.path, self.lock = path, threading.Lock()
        if path and os.path.exists(path):
            with open(path, "r+b") as file:
                whole = 0
                for line in file:
                    if line.endswith(b"\n"):
                        take(json.loads(line))
                        whole += len(line)
                file.truncate(whole)  # a last line that was cut is measured again

    def add(self, found):
        if self.path:
            with self.lock, open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
