#!/usr/bin/env python3
"""CPU seconds and memory of `driftless check` and `driftless run` on large models.

Chains of N bars in plane and space, and a net of rows x columns cells of bars pinned at its nodes, in reference-point and in
relative coordinates. Growth is the exponent between neighbouring sizes: 1 is linear.

    benchmarks/large_models.py build/release/driftless [--largest 100000] [--only TEXT]
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile


def planar_bar(name, x, y, angle, length=1.0):
    return {"name": name, "mass": 1.0, "inertia": length**2 / 12, "position": [x, y], "angle": angle}


def pin(name, a, at_a, b, at_b):
    return {"name": name, "type": "revolute", "a": {"body": a, "at": at_a}, "b": {"body": b, "at": at_b}}


def planar_chain(n):
    """Bars of length 1 that start straight, 45 degrees below the horizontal."""
    c = math.sqrt(0.5)
    bodies, joints = [], []
    for i in range(n):
        bodies.append(planar_bar(f"bar{i}", (i + 0.5) * c, -(i + 0.5) * c, -math.pi / 4))
        a, at = ("ground", [0, 0]) if i == 0 else (f"bar{i - 1}", [0.5, 0])
        joints.append(pin(f"pin{i}", a, at, f"bar{i}", [-0.5, 0]))
    return {"space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}, n


def spatial_chain(n):
    """The same in space, all pins about y."""
    bodies, joints = [], []
    for i in range(n):
        bodies.append(
            {
                "name": f"bar{i}",
                "mass": 1.0,
                "inertia": [[0.001, 0, 0], [0, 1 / 12, 0], [0, 0, 1 / 12]],
                "position": [i + 0.5, 0, 0],
            }
        )
        a, at = ("ground", [0, 0, 0]) if i == 0 else (f"bar{i - 1}", [0.5, 0, 0])
        joint = pin(f"pin{i}", a, at, f"bar{i}", [-0.5, 0, 0])
        joint["axis"] = [0, 1, 0]
        joints.append(joint)
    return {"space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints}, n


def net(n):
    """A square net of about n bars of length 1, hung up at the nodes of its upper edge."""
    side = max(2, round(math.sqrt(n / 2)))
    bodies, joints = [], []
    at_node = {}  # node -> [(bar, point on it)]
    for i in range(side):
        for j in range(side):
            across, down = f"across{i}_{j}", f"down{i}_{j}"
            if j + 1 < side and i > 0:
                bodies.append(planar_bar(across, j + 0.5, -i, 0.0))
                at_node.setdefault((i, j), []).append((across, [-0.5, 0]))
                at_node.setdefault((i, j + 1), []).append((across, [0.5, 0]))
            if i + 1 < side:
                bodies.append(planar_bar(down, j, -(i + 0.5), -math.pi / 2))
                at_node.setdefault((i, j), []).append((down, [-0.5, 0]))
                at_node.setdefault((i + 1, j), []).append((down, [0.5, 0]))
    for (i, j), ends in sorted(at_node.items()):
        ends = sorted(ends)
        first = ("ground", [j, 0]) if i == 0 else ends.pop(0)
        for k, (bar, at) in enumerate(ends):
            joints.append(pin(f"pin{i}_{j}_{k}", first[0], first[1], bar, at))
    return {"space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}, len(bodies)


def sizes(kind, smallest, largest):
    """Numbers of bodies asked for; nets of 25 x 25, 50 x 50, 100 x 100 loops."""
    if kind == "net":
        return [n for n in (1352, 5202, 20402) if n <= largest]
    return [smallest * 10**k for k in range(9) if smallest * 10**k <= largest]


def measure(command):
    """CPU seconds (user + system), peak megabytes, exit code, last line of what it said."""
    output = tempfile.TemporaryFile()
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    output.seek(0)
    said = output.read().decode(errors="replace").strip().splitlines()
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, said[-1] if said else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--largest", type=int, default=100000)
    parser.add_argument("--smallest", type=int, default=1000)
    parser.add_argument("--only", default="", help="cases whose line contains this")
    parser.add_argument("--limit", type=float, default=120, help="CPU seconds after which a case is not made larger")
    given = parser.parse_args()
    kinds = {"planar chain": planar_chain, "spatial chain": spatial_chain, "net": net}
    print(f"{'model':14} {'coordinates':16} {'':6} {'bodies':>7} {'CPU s':>8} {'MB':>7} {'growth':>7}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for kind, make in kinds.items():
            for coordinates in ("reference-point", "relative"):
                for task in ("check", "run"):
                    label = f"{kind:14} {coordinates:16} {task:6}"
                    if given.only not in label:
                        continue
                    before = None
                    for n in sizes(kind, given.smallest, given.largest):
                        model, bodies = make(n)
                        path = os.path.join(folder, f"{kind.replace(' ', '_')}_{n}.json")
                        if not os.path.exists(path):
                            with open(path, "w", encoding="utf-8") as file:
                                json.dump({"driftless": 1, "name": kind, **model}, file)
                        command = [given.program, task, path, "--coordinates", coordinates]
                        if task == "run":
                            command += ["--t-end", "0.01", "--rtol", "1e-4"]
                        seconds, megabytes, code, said = measure(command)
                        growth = ""
                        if before:
                            growth = f"{math.log(seconds / before[1]) / math.log(bodies / before[0]):7.2f}"
                        note = "" if code == 0 else f"  exit {code}: {said}"
                        failed |= code != 0
                        print(f"{label} {bodies:7} {seconds:8.2f} {megabytes:7.0f} {growth:>7}{note}", flush=True)
                        before = (bodies, seconds)
                        if seconds > given.limit or code != 0:
                            break
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
