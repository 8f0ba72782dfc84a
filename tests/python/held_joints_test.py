"""Joints that come on where bodies are (`"hold": "here"`): momentum, moment of momentum and the energy lost, in plane and space.

Run without arguments; the exit status says whether all is well.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ["DRIFTLESS_CLI"]
M1, M2, I1, I2, V = 2.0, 3.0, 0.1, 0.2, 1.5
failures = []


def turned(v):
    """A rotation of space that spares no axis."""
    rows = [[2 / 3, -1 / 3, 2 / 3], [2 / 3, 2 / 3, -1 / 3], [-1 / 3, 2 / 3, 2 / 3]]
    return [sum(a * x for a, x in zip(row, v)) for row in rows]


def near(what, found, expected, within):
    if not abs(found - expected) <= within:
        failures.append(f"{what}: {found!r}, expected {expected!r} within {within:g}")


def caught(space, joint, *more):
    """A body that passes another at a distance of 0.3 m and grips it 0.4 s later, 0.4 m before they are abreast."""
    spatial = space == "spatial"
    zero = [0, 0, 0] if spatial else [0, 0]
    place = (lambda x, y: turned([x, y, 0])) if spatial else (lambda x, y: [x, y])
    model = {"driftless": 1, "name": "caught", "space": space, "ground": {"points": {"O": zero}}, "gravity": zero,
             "bodies": [{"name": "a", "mass": M1, "inertia": [I1] * 3 if spatial else I1, "points": {"c": zero},
                         "velocity": place(V, 0)},
                        {"name": "b", "mass": M2, "inertia": [I2] * 3 if spatial else I2, "points": {"c": zero},
                         "position": place(1, 0.3)}],
             "joints": [{"name": "grip", "type": joint, "a": "a.c", "b": "b.c"}],
             "switches": [{"name": "catch", "joint": "grip", "do": "on", "hold": "here", "when": {"time": 0.4}},
                          {"name": "release", "joint": "grip", "do": "off", "when": {"time": 1.1}}]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        path.write_text(json.dumps(model))
        text = subprocess.run([PROGRAM, "run", str(path), "--json", "--t-end", "2", "--rtol", "1e-9", "--atol", "1e-11", *more],
                              capture_output=True, text=True)
    try:
        return json.loads(text.stdout)
    except json.JSONDecodeError:
        return {"status": text.stderr.strip()}


def grips(space, *more):
    what = " ".join([space, *more])
    result = caught(space, "fixed", *more)
    if result["status"] != "ok":
        failures.append(f"{what}: {result['status']} {result.get('message', '')}")
        return
    # The pair turns with ω = μ d·V/(I₁ + I₂ + μ |r|²) about its centre, and loses what that leaves of ½ μ V².
    mu = M1 * M2 / (M1 + M2)
    inertia = I1 + I2 + mu * (0.4**2 + 0.3**2)
    spin = mu * 0.3 * V / inertia
    near(f"{what}: lost", result["energy"]["lost"], 0.5 * mu * V**2 - 0.5 * inertia * spin**2, 1e-9)
    v = result["final"]["v"]
    half, d = len(v) // 2, 3 if space == "spatial" else 2
    start = turned([M1 * V, 0, 0]) if d == 3 else [M1 * V, 0]
    for k in range(d):
        near(f"{what}: momentum {k}", M1 * v[k] + M2 * v[half + k], start[k], 1e-12)
    if d == 2:
        q = result["final"]["q"]
        moment = sum(m * (q[i] * v[i + 1] - q[i + 1] * v[i]) + own * v[i + 2] for m, own, i in ((M1, I1, 0), (M2, I2, 3)))
        near(f"{what}: moment of momentum", moment, 0, 1e-7)  # an error of the method: positions times velocities


def pins():
    """A pin that is held at an offset turns about a place of the first body: the second keeps its own spin, none here."""
    result = caught("planar", "revolute")
    if result["status"] != "ok":
        failures.append(f"pin: {result['status']} {result.get('message', '')}")
        return
    # About b's centre a has I₁ + μ |r|², and b does not turn.
    mu = M1 * M2 / (M1 + M2)
    inertia = I1 + mu * (0.4**2 + 0.3**2)
    spin = mu * 0.3 * V / inertia
    near("pin: lost", result["energy"]["lost"], 0.5 * mu * V**2 - 0.5 * inertia * spin**2, 1e-9)
    near("pin: a", result["final"]["v"][2], spin, 1e-9)
    near("pin: b", result["final"]["v"][5], 0, 1e-12)


def main():
    for formulation, integrator in (("lagrange", "dopri5"), ("index3", "generalized-alpha"), ("penalty", "dopri5")):
        grips("planar", "--formulation", formulation, "--integrator", integrator)
        for coordinates in ("reference-point", "euler-parameters"):
            grips("spatial", "--coordinates", coordinates, "--formulation", formulation, "--integrator", integrator)
    pins()
    print("\n".join(failures) or "ok")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
