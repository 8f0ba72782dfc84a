"""The Python module of the build, $DRIFTLESS_PYTHON, for its tests; without it they are skipped."""

import os
import sys

FOLDER = os.environ.get("DRIFTLESS_PYTHON", "")
if not FOLDER:
    print("built without the Python module: skipped")
    sys.exit(0)
sys.path.insert(0, FOLDER)

import driftless as dl  # noqa: E402


def pendulum(**keywords):
    m = dl.Model("pendulum", gravity=[0, -9.81], parameters={"L": 1.0}, **keywords)
    m.ground.points["O"] = (0, 0)
    m.body("bar", mass=1, inertia="L^2/12", center_of_mass=["L/2", 0], points={"O": (0, 0), "tip": ("L", 0)})
    m.joint("pin", "revolute", a="ground.O", b="bar.O")
    m.output("angle", "joint", joint="pin", value="angle")
    return m
