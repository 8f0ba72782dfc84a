"""Runs of the program seen from outside, in quantities that every coordinate set has: places, axes, velocities and angular
velocities of all bodies, forces and torques of all joints, energies. Used by the batteries. Python's own library only.

    observed(model)            the model with the outputs this needs, and no others
    run(program, model, …)     one run in a process of its own: Run, with State per record
    Scales.of(run, model)      what lengths and velocities are compared with
    distance(a, b, scales)     of two states: the largest of |Δp|/L, |Δaxis|, |Δv|/V, |Δω| L/V over all bodies
    amplification(…)           what the motion does to an error of its start: distance at the end per distance at the start
"""

import copy
import csv
import json
import math
import os
import signal
import subprocess
import tempfile

from _transform import is_spatial

AXES = "xyz"


def length_of(model):
    """The characteristic length, docs/model-format.md."""
    best = 0.0
    for body in model["bodies"]:
        zero = [0.0] * (3 if is_spatial(model) else 2)
        places = [body.get("center_of_mass", zero), *body.get("points", {}).values()]
        best = max([best] + [math.dist(a, b) for a in places for b in places])
    return best or 1.0


def has_attitude(body):
    return not body.get("point") and body.get("flexible", {}).get("type") != "cable"


def observed(model, reactions=False):
    out = copy.deepcopy(model)
    spatial, length = is_spatial(model), length_of(model)
    outputs = out.get("outputs", [])  # those that laws and switches read

    def add(name, **fields):
        outputs.append({"name": name, **fields})

    for body in out["bodies"]:
        name = body["name"]
        components = "x y z vx vy vz" if spatial else "x y vx vy"
        if has_attitude(body):
            components += " wx wy wz" if spatial else " wz angle"
        for c in components.split():
            add(f"{name}~{c}", type="body", body=name, component=c)
        if spatial and has_attitude(body):
            centre = body.get("center_of_mass", [0, 0, 0])
            for k in range(2):
                at = [x + (length if i == k else 0) for i, x in enumerate(centre)]
                for c in AXES:
                    add(f"{name}~{k}{c}", type="point", point={"body": name, "at": at}, component=c)
    if reactions:
        for joint in out.get("joints", []) + out.get("drivers", []):
            for c in ("fx fy fz tx ty tz" if spatial else "fx fy tz").split():
                add(f"{joint['name']}~~{c}", type="reaction", joint=joint["name"], component=c)
    out["outputs"] = outputs
    return out


class State:
    """One record: per body p, axes, v, w; per joint its force and torque, if they were asked for."""

    def __init__(self, t, values, bodies, joints, spatial, length):
        self.t, self.bodies, self.reactions = t, {}, {}
        axes = AXES if spatial else AXES[:2]
        for body in bodies:
            def vector(prefix, names=axes, body=body):
                return [values[f"{body}~{prefix}{c}"] for c in names]

            p = vector("")
            if f"{body}~wz" not in values:  # a point mass, a cable
                w, turned = [], []
            elif spatial:
                w, turned = vector("w"), [[(a - b) / length for a, b in zip(vector(str(k)), p)] for k in range(2)]
            else:
                angle = values[f"{body}~angle"]
                w, turned = [values[f"{body}~wz"]], [[math.cos(angle), math.sin(angle)]]
            self.bodies[body] = {"p": p, "axes": turned, "v": vector("v"), "w": w}
        for joint in joints:
            if f"{joint}~~fx" in values:
                self.reactions[joint] = {"F": [values[f"{joint}~~f{c}"] for c in axes],
                                         "T": [values[f"{joint}~~t{c}"] for c in (AXES if spatial else "z")]}


class Run:
    """status: ok, failed (exit 1), refused (exit 2), slow (killed) or crashed (any other exit)."""

    def __init__(self, status, message="", report=None, states=(), seconds=0.0, command=""):
        self.status, self.message, self.report, self.states = status, message, report or {}, list(states)
        self.seconds, self.command = seconds, command

    @property
    def warnings(self):
        return self.report.get("warnings", [])

    @property
    def notices(self):
        return self.report.get("notices", [])


def _number(text):
    return float(text) if text else math.nan


def read_states(path, model):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        names = [name.split(" [")[0].strip() for name in next(rows)]
        bodies = [body["name"] for body in model["bodies"]]
        joints = [joint["name"] for joint in model.get("joints", []) + model.get("drivers", [])]
        spatial, length = is_spatial(model), length_of(model)
        return [State(values["t"], values, bodies, joints, spatial, length)
                for values in ({n: _number(x) for n, x in zip(names, row)} for row in rows)]


def regular(states, arguments):
    """The records at multiples of --output-step. What happens in between adds records of its own, before and after; at such a
    time itself the last one counts."""
    words = list(map(str, arguments))
    if "--output-step" not in words or not states:
        return states
    step, start, near = float(words[words.index("--output-step") + 1]), states[0].t, {}
    for state in states:
        k = round((state.t - start) / step)
        off = abs(state.t - start - k * step) / step
        if off < 1e-6 and (k not in near or off <= near[k][0]):
            near[k] = (off, state)
    return [near[k][1] for k in sorted(near)]


def _limited(command, seconds):
    """Ends with a signal after so much CPU time: what counts as slow does not depend on what else the machine does."""
    return ["sh", "-c", 'ulimit -c 0; ulimit -t "$0"; exec "$@"', str(max(1, math.ceil(seconds))), *command]


def run(program, model, arguments, limit, path=None):
    """At most `limit` seconds of CPU time. The model, made by observed(), is written to a temporary file unless it is at `path`."""
    with tempfile.TemporaryDirectory(prefix="driftless-run-") as folder:
        if path is None:
            path = os.path.join(folder, "model.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(model, file)
        table = os.path.join(folder, "out.csv")
        out = finished([program, "run", path, *map(str, arguments), "--json", "--out", table], limit)
        if out.status == "ok":
            out.states = regular(read_states(table, model), arguments)
        return out


def finished(command, limit):
    """A run without its states; `command` asks for --json."""
    words = " ".join(command)
    try:
        done = subprocess.run(_limited(command, limit), capture_output=True, text=True, timeout=60 * limit)
    except subprocess.TimeoutExpired:
        return Run("slow", f"hangs: killed after {60 * limit:g} s", seconds=limit, command=words)
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return Run("slow", f"killed after {limit:g} s of CPU time", seconds=limit, command=words)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return Run("crashed", f"exit status {done.returncode}: {done.stderr.strip()[:300]}", command=words)
    status = {0: "ok", 1: "failed", 2: "refused"}.get(done.returncode, "crashed")
    return Run(status, report.get("message", ""), report, (), report.get("statistics", {}).get("cpu_seconds", 0.0), words)


class Scales:
    def __init__(self, length, speed):
        self.length, self.speed = length, speed

    @classmethod
    def of(cls, result, model):
        """One speed for all: the largest of any body, or its angular velocity times the length."""
        length = length_of(model)
        span = max(result.states[-1].t, 1e-12)
        speed = 1e-3 * length / span
        for state in result.states:
            for body in state.bodies.values():
                speed = max(speed, math.hypot(*body["v"]), length * math.hypot(*body["w"]))
        return cls(length, speed)


def distance(a, b, scales):
    worst = 0.0
    for name, one in a.bodies.items():
        other = b.bodies[name]
        for key, size in (("p", scales.length), ("v", scales.speed), ("w", scales.speed / scales.length)):
            worst = larger(worst, math.dist(one[key], other[key]) / size)
        for x, y in zip(one["axes"], other["axes"]):
            worst = larger(worst, math.dist(x, y))
    return worst


def larger(a, b):
    return b if b > a or math.isnan(b) else a  # NaN is the worst of all and stays


def distances(a, b, scales):
    """Of two runs with the same records, one after the other."""
    if len(a.states) != len(b.states):
        return [math.nan]
    return [distance(x, y, scales) for x, y in zip(a.states, b.states)]


def perturbed(model, random, size, scales):
    """Velocities changed by `size` of the scale: assembly brings the start back onto the constraints."""
    out = copy.deepcopy(model)
    spatial = is_spatial(model)
    speed, rate = size * scales.speed, size * scales.speed / scales.length

    def changed(old, by):
        return [x + by * random.gauss(0, 1) for x in old]

    for body in out["bodies"]:
        body["velocity"] = changed(body.get("velocity", [0] * (3 if spatial else 2)), speed)
        if body.get("point"):
            continue
        key = "angular_velocity_body" if "angular_velocity_body" in body else "angular_velocity"
        body[key] = changed(body.get(key, [0] * 3), rate) if spatial else body.get(key, 0) + rate * random.gauss(0, 1)
    for start in out.get("initial", {}).get("joints", {}).values():
        for value in [start] + [item for item in start.values() if isinstance(item, dict)]:
            if "rate" in value:
                value["rate"] += rate * random.gauss(0, 1)
    return out


def amplification(reference, others, scales):
    """Largest growth of a perturbation over the records, 1 at least; `others` are runs from perturbed starts."""
    worst = 1.0
    for other in others:
        grown = distances(reference, other, scales)
        if grown[0] > 1e-12:
            worst = larger(worst, max(grown) / grown[0])
    return worst
