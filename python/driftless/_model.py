"""Models, built as the tree of a model file: what a file may say, keywords say, and mistakes have the paths of the file."""

import json
import os
import tempfile

from . import _core
from ._results import Page, Results


def _plain(value):
    """numpy numbers and arrays, tuples, as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    raise TypeError(f"{type(value).__name__} is nothing a model file could hold: {value!r}")


class Ground:
    """The world: `points`, `axes` (in space) and `shapes`."""

    def __init__(self, tree):
        self._tree = tree

    points = property(lambda self: self._tree.setdefault("points", {}))
    axes = property(lambda self: self._tree.setdefault("axes", {}))
    shapes = property(lambda self: self._tree.setdefault("shapes", []))


class Comparison:
    """Methods side by side: `rows`, one of each run, `reference`, and `page` if it was asked for."""

    def __init__(self, answer):
        self.title, self.reference, self.rows = answer["title"], answer["reference"], answer["rows"]
        self.page = Page(answer["html"]) if answer["html"] else None

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self):
        lines = [f"{self.title}; reference {self.reference}"]
        for r in self.rows:
            setting = f"rtol {r['rtol']:g}" if r["rtol"] else f"step {r['step']:g} s"
            lines.append(f"{r['method']:<40} {setting:<12} error {r['error']:<9.1e} {r['evaluations']:>9} evaluations  {r['status']}")
        return "\n".join(lines)


class _Runnable:
    def _target(self, parameters):
        raise NotImplementedError

    def run(self, parameters=None, start_from=None, out=None, **settings):
        """Simulates, and gives back Results. Settings are those of the command line: t_end, rtol, coordinates, options={…}.

        parameters: values instead of the model's; start_from: a result file to go on from; out: a file to write (.h5, .csv).
        Ctrl-C ends the run; other threads of Python go on meanwhile.
        """
        return Results(_core.run(self._target(parameters), settings, _path(start_from), _path(out)))

    def check(self, parameters=None, **settings):
        """Degrees of freedom, names of coordinates and rows, redundant rows, parameters and where they are used."""
        return _core.check(self._target(parameters), settings)

    def compare(self, methods=None, rtol=(), step=(), parameters=None, page=False, **settings):
        """Runs several methods, each at several tolerances: what they cost and how right they are."""
        methods = "" if methods is None else methods if isinstance(methods, str) else ",".join(methods)
        lists = [[x] if isinstance(x, (int, float)) else list(x) for x in (rtol, step)]
        return Comparison(_core.compare(self._target(parameters), settings, methods, *lists, page))


    def sweep(self, values, measures=(), random=0, seed=0, jobs=None, out=None, parameters=None, **settings):
        """Runs the model for all combinations of values, in worker processes: sweep({"k": "500:5000:20", "c": [1, 2, 5]}, ["max(strut)"]).

        values: lists, or texts as of `driftless sweep`; random: so many points at random instead; out: a file (.h5), with which a
        sweep that was killed goes on where it was.
        """
        axes = [f"{name}={v if isinstance(v, str) else ','.join(repr(float(x)) for x in _list(v))}" for name, v in values.items()]
        measures = [measures] if isinstance(measures, str) else list(measures)
        with tempfile.TemporaryDirectory(prefix="driftless-sweep-") as folder:
            path = os.path.join(folder, "sweep.h5") if out is None else os.fspath(out)
            return Sweep(_core.sweep(self._target(parameters), settings, axes, random, seed, measures, jobs or os.cpu_count() or 1, path))


def _list(values):
    return [values] if isinstance(values, (int, float)) else values


class Sweep:
    """The runs of a sweep: `parameters` and `measures` by name, arrays of one value a run; `status`, `message`; `page`."""

    def __init__(self, answer):
        self.parameters, self.measures = answer["parameters"], answer["measures"]
        self.status, self.message, self.page = answer["status"], answer["message"], Page(answer["html"])

    def __len__(self):
        return len(self.status)

    def __getitem__(self, name):
        return self.measures[name] if name in self.measures else self.parameters[name]

    def to_pandas(self):
        import pandas

        return pandas.DataFrame({**self.parameters, **self.measures, "status": self.status})

    def __repr__(self):
        failed = sum(status not in ("ok", "stopped") for status in self.status)
        return f"Sweep of {len(self)} runs over {', '.join(self.parameters)}, {failed} failed"


def _path(path):
    return None if path is None else os.fspath(path)


class Model(_Runnable):
    """A mechanism: bodies, joints, drivers, forces, outputs.

        m = Model("pendulum", gravity=[0, -9.81], parameters={"L": 1.0})
        m.ground.points["O"] = (0, 0)
        m.body("bar", mass=1, inertia="L^2/12", center_of_mass=["L/2", 0], points={"O": (0, 0), "tip": ("L", 0)})
        m.joint("pin", "revolute", a="ground.O", b="bar.O")
        m.output("angle", "joint", joint="pin", value="angle")
        r = m.run(t_end=2, rtol=1e-9, coordinates="relative", parameters={"L": 1.2})

    Any number may be an expression in parameters. docs/model-format.md says what each field means; `driftless.help("joint")`
    lists the types.
    """

    def __init__(self, name="", *, space=None, gravity=None, parameters=None, description=None, simulate=None, folder="."):
        self.tree = {"driftless": 1}
        for key, value in (("name", name), ("description", description), ("space", space), ("gravity", gravity),
                           ("parameters", parameters), ("simulate", simulate)):
            if value is not None and not (isinstance(value, str) and not value):
                self.tree[key] = dict(value) if isinstance(value, dict) else list(value) if isinstance(value, tuple) else value
        self._source = os.path.join(folder, name or "model") if folder != "." else name or "model"
        self._functions = {}  # inputs that are computed here: name -> (function, names it reads)

    @property
    def name(self):
        return self.tree.get("name", "")

    @property
    def parameters(self):
        return self.tree.setdefault("parameters", {})

    @property
    def simulate(self):
        """Run settings of the model: m.simulate["t_end"] = 2."""
        return self.tree.setdefault("simulate", {})

    @property
    def ground(self):
        return Ground(self.tree.setdefault("ground", {}))

    @property
    def initial(self):
        """Where the motion starts: m.initial["joints"] = {"pin": {"value": 0.4}}."""
        return self.tree.setdefault("initial", {})

    def body(self, name, **fields):
        """Adds a body: mass, inertia, center_of_mass, points, position, angle or orientation, velocity, shapes."""
        return self._add("bodies", {"name": name, **fields})

    def joint(self, name, type, **fields):
        return self._add("joints", {"name": name, "type": type, **fields})

    def driver(self, name, type, **fields):
        return self._add("drivers", {"name": name, "type": type, **fields})

    def force(self, name, type, **fields):
        return self._add("forces", {"name": name, "type": type, **fields})

    def contact(self, name, type, **fields):
        return self._add("contacts", {"name": name, "type": type, **fields})

    def output(self, name, type, **fields):
        return self._add("outputs", {"name": name, "type": type, **fields})

    def switch(self, name, **fields):
        return self._add("switches", {"name": name, **fields})

    def stop_when(self, output, crosses, direction="any"):
        """Adds a stop condition: a run ends where the output passes the value (direction: any, up, down)."""
        entry = {"output": output, "crosses": crosses, **({"direction": direction} if direction != "any" else {})}
        self.simulate.setdefault("stop_when", []).append(entry)
        return entry

    def input(self, name, value=0.0, *, reads=(), unit=None, every=None):
        """Adds a value that laws of forces read by its name while a run goes on.

        value: a number, a function of time or an expression in outputs and other inputs, as in a model file; or a function of Python,
        called with t and the values named in `reads`: m.input("torque", lambda t, angle, rate: -5*angle - 0.3*rate,
        reads=["pin.angle", "pin.angle_rate"]). every: taken at multiples of this time [s] and held in between.
        """
        is_function = callable(value)
        entry = {"value": 0.0 if is_function else value}
        if unit is not None:
            entry["unit"] = unit
        if every is not None:
            entry["every"] = every
        self.tree.setdefault("inputs", {})[name] = entry
        self._functions.pop(name, None)
        if is_function:
            self._functions[name] = (value, [reads] if isinstance(reads, str) else list(reads))
        elif reads:
            raise TypeError("reads: only functions have it; an expression names what it reads")
        return entry

    def include(self, file, prefix="", **fields):
        """Adds another model file as a part: parameters={…}, position=[…], angle or orientation."""
        return self._add("include", {"file": os.fspath(file), **({"prefix": prefix} if prefix else {}), **fields})

    def _add(self, section, entry):
        self.tree.setdefault(section, []).append(entry)
        return entry

    def to_dict(self):
        """The tree of the model file."""
        return json.loads(self.to_json())

    def to_json(self):
        """The text of the model file."""
        return json.dumps(self.tree, default=_plain, ensure_ascii=False, indent=2, allow_nan=False)

    def save(self, path):
        """Writes the model file, expressions and all. Inputs that are functions of Python cannot be written."""
        if self._functions:
            raise TypeError("inputs that are functions of Python have no place in a model file: " + ", ".join(self._functions))
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json() + "\n")

    def _target(self, parameters):
        return {"text": self.to_json(), "source": self._source, "name": self.name or os.path.splitext(os.path.basename(self._source))[0],
                "parameters": dict(parameters or {}), **({"inputs": self._functions} if self._functions else {})}

    def __repr__(self):
        counts = ", ".join(f"{len(self.tree.get(key, []))} {key}" for key in ("bodies", "joints", "drivers", "contacts", "forces", "outputs")
                           if key in self.tree or key in ("bodies", "joints"))
        return f"Model {self.name!r}: {counts}"


class Problem(_Runnable):
    """A problem or model by the name that `driftless problems` lists, or a model file: Problem("andrews").run(t_end=0.03)."""

    def __init__(self, name):
        self.name = name

    def _target(self, parameters):
        return {"named": self.name, "parameters": dict(parameters or {})}

    def __repr__(self):
        return f"Problem({self.name!r})"


class Equations(_Runnable):
    """Your own equations M v' + J^T lambda = f, g(t, q) = 0, as functions of numpy arrays.

        e = Equations("bead", nq=2, rows=1, mass=lambda t, q: np.eye(2), force=lambda t, q, v: [0, -9.81],
                      constraint=lambda t, q: [q @ q - 1], q0=[1, 0])
        r = e.run(t_end=2)

    Required: nq, mass(t, q), force(t, q, v), and constraint(t, q) if rows > 0. What is left out is differentiated: jacobian(t, q),
    time_derivative(t, q), gamma(t, q, v). Also: nv with kinematics, nonholonomic_rows with nonholonomic(t, q), potential(t, q),
    applied_power(t, q, v), quantities(t, q, v) with quantity_names, names, q0, v0, t0, time_dependent. docs/user-systems.md.
    """

    KEYS = ("nq", "nv", "rows", "nonholonomic_rows", "mass", "force", "constraint", "jacobian", "time_derivative", "gamma",
            "nonholonomic", "nonholonomic_gamma", "kinematics", "potential", "applied_power", "quantities", "quantity_names",
            "names", "q0", "v0", "t0", "time_dependent")

    def __init__(self, name="equations", **equations):
        unknown = [key for key in equations if key not in self.KEYS]
        if unknown:
            from ._errors import InputError

            raise InputError("", [(unknown[0], "one of " + ", ".join(self.KEYS), repr(unknown[0]), "")])
        self.name, self.equations = name, equations

    def _target(self, parameters):
        if parameters:
            raise TypeError("equations have no parameters: close over them")
        return {"equations": self.equations, "name": self.name}


def load_model(path):
    """A model file as a Model; comments of the file are not kept."""
    model = Model()
    model.tree = _core.read_json(os.fspath(path))
    model._source = os.fspath(path)
    return model
