"""What the tests of the command line share: the program, models, and a test case with a folder of its own.
The program is $DRIFTLESS_CLI or the first argument. Python's own library only.
"""

import copy
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

CLI = os.environ.get("DRIFTLESS_CLI")
if CLI is None and len(sys.argv) > 1:
    CLI = sys.argv.pop(1)

PENDULUM = {
    "driftless": 1,
    "name": "pendulum",
    "description": "a bar on a pin",
    "gravity": [0, -9.81],
    "ground": {"points": {"O": [0, 0]}},
    "bodies": [
        {"name": "bob", "mass": 1, "inertia": 0.1, "points": {"A": [-0.5, 0], "B": [0.5, 0]},
         "position": [0.55, 0], "angle": 0.1},
    ],
    "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "bob.A"}],
    "outputs": [{"name": "tip_y", "type": "point", "point": "bob.B", "component": "y"}],
    "simulate": {"t_end": 0.4},
}


def bar(name, x, y=0.1, angle=0.0):
    return {"name": name, "mass": 1, "inertia": 0.1, "points": {"A": [-0.5, 0], "B": [0.5, 0]},
            "position": [x, y], "angle": angle}


# Two bars of length 1 cannot span 3.
UNCLOSABLE = {
    "driftless": 1, "name": "open", "ground": {"points": {"O": [0, 0], "P": [3, 0]}},
    "bodies": [bar("a", 0.5), bar("b", 1.5)],
    "joints": [{"name": "left", "type": "revolute", "a": "ground.O", "b": "a.A"},
               {"name": "middle", "type": "revolute", "a": "a.B", "b": "b.A"},
               {"name": "right", "type": "revolute", "a": "b.B", "b": "ground.P"}],
}

# Three parallel cranks on one coupler: one row too many, and it moves all the same.
REDUNDANT = {
    "driftless": 1, "name": "three-crank", "gravity": [0, -9.81],
    "ground": {"points": {"O1": [0, 0], "O2": [1, 0], "O3": [2, 0]}},
    "bodies": [bar(f"c{i}", i - 1, 0.5, math.pi / 2) for i in (1, 2, 3)] +
              [{"name": "coupler", "mass": 1, "inertia": 0.3, "points": {"P1": [-1, 0], "P2": [0, 0], "P3": [1, 0]},
                "position": [1, 1]}],
    "joints": [{"name": f"g{i}", "type": "revolute", "a": f"ground.O{i}", "b": f"c{i}.A"} for i in (1, 2, 3)] +
              [{"name": f"p{i}", "type": "revolute", "a": f"c{i}.B", "b": f"coupler.P{i}"} for i in (1, 2, 3)],
}


def driftless(*arguments, timeout=60, **keywords):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **keywords)


def changed(model, change):
    out = copy.deepcopy(model)
    change(out)
    return out


class CliTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="driftless-cli-")
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return self.path(name)

    def ok(self, *arguments, **keywords):
        done = driftless(*arguments, **keywords)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}{done.stdout}")
        return done

    def json_of(self, *arguments):
        done = self.ok(*arguments, "--json")
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def refused(self, *arguments, words=(), **keywords):
        """Exit status 2, a message on stderr with these words, nothing on stdout; with --json the object too."""
        done = driftless(*arguments, **keywords)
        self.assertEqual(done.returncode, 2, f"{arguments}: {done.stderr}{done.stdout}")
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.strip(), arguments)
        for word in words:
            self.assertIn(word, done.stderr)
        return done


def read_csv(path):
    """Remarks, and rows as dictionaries."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().splitlines()
    remarks = [line for line in lines if line.startswith("#")]
    return remarks, list(csv.DictReader(lines[len(remarks):]))


def main():
    if not CLI:
        sys.exit("usage: *_test.py PROGRAM   (or set DRIFTLESS_CLI)")
    unittest.main(verbosity=1)
