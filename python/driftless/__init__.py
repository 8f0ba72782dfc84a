"""Simulation of constrained multibody systems without drift.

    import driftless as dl
    m = dl.Model("pendulum", gravity=[0, -9.81], parameters={"L": 1.0})
    m.ground.points["O"] = (0, 0)
    m.body("bar", mass=1, inertia="L^2/12", center_of_mass=["L/2", 0], points={"O": (0, 0), "tip": ("L", 0)})
    m.joint("pin", "revolute", a="ground.O", b="bar.O")
    m.output("angle", "joint", joint="pin", value="angle")
    r = m.run(t_end=2, rtol=1e-9, coordinates="relative")
    r.t, r["angle"], r.q["bar.theta"]

Runs are those of the program `driftless`, bit for bit.
"""

from . import _core
from ._errors import InputError
from ._model import Comparison, Equations, Model, Problem, Sweep, load_model
from ._results import Columns, Page, Results, load, view
from ._records import describe as help

__version__ = _core.version
__all__ = ["Columns", "Comparison", "Equations", "InputError", "Model", "Page", "Problem", "Results", "Sweep", "compare", "help",
           "load", "load_model", "sweep", "view"]


def compare(model, **keywords):
    """Several methods on one model, problem or set of equations: model.compare(…)."""
    return model.compare(**keywords)


def sweep(model, values, measures=(), **keywords):
    """A model over many values of its parameters: model.sweep(…)."""
    return model.sweep(values, measures, **keywords)
