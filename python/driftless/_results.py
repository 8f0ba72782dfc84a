"""Results of a run: arrays that are views on what the program computed."""

import html as _html
from collections.abc import Mapping

import numpy as _np

from . import _core


_COMPONENTS = tuple(a + b for b in ("", "_joint") for a in ("fx", "fy", "fz", "tx", "ty", "tz"))  # of reactions


class Columns(Mapping):
    """A table with named columns: `table["bar.theta"]` is a column over time, `table.array` all of them.

    Arrays are views, without copies: read-only, and valid as long as anyone holds them.
    """

    def __init__(self, core, name, summary=None):
        self._core, self._name = core, name
        names, units = core.names(name)
        self.names, self.units = tuple(names), dict(zip(names, units))
        self._index = {column: i for i, column in enumerate(names)}
        self.array = core.table(name)
        self.summary = summary

    def __getitem__(self, column):
        try:
            return self.array[:, self._index[column]]
        except KeyError:
            raise KeyError(f"{column!r}; there are {', '.join(map(repr, self.names)) or 'none'}") from None

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __repr__(self):
        text = f"{self._name}: {len(self.array)} records of {', '.join(self.names)}"
        return text if self.summary is None else f"{text}\n{self.summary}"


class Positions(Columns):
    """Positions by name; in coordinates that have them not, `BODY.x`, `BODY.y`, `BODY.z` and, in the plane, `BODY.theta` are those of the
    poses: new arrays, turns counted from record to record."""

    def __getitem__(self, column):
        body, _, part = column.rpartition(".")
        core = self._core
        if column in self._index or body not in core.body_names or part not in ("x", "y", "z", "theta"):
            return super().__getitem__(column)
        pose = core.poses[:, core.body_names.index(body)]
        if part != "theta":
            return pose[:, "xyz".index(part)].copy()
        if _np.any(pose[:, 4:6] != 0):
            raise KeyError(f"{column!r}: in space attitudes are in r.poses, as quaternions")
        return _np.unwrap(2 * _np.arctan2(pose[:, 6], pose[:, 3]))

    def __contains__(self, column):
        return column in self._index


class Results(Mapping):
    """What happened in a run.

    `r["angle"]` is an output over time, `r["pin.fx"]` a reaction (world axes; `pin.fx_joint` along those of the joint); `r.t` the times; `r.q`, `r.v`, `r.vdot`, `r.multipliers` positions, velocities,
    accelerations and multipliers by name; `r.drift` and `r.energy` over time with their `summary`; `r.poses` (records x
    bodies x 7) and `r.reactions` (records x joints x 12) with `r.body_names` and `r.joint_names`.
    """

    def __init__(self, core):
        self._core = core

    # -- arrays
    @property
    def t(self):
        return self._core.t

    @property
    def outputs(self):
        return Columns(self._core, "quantities")

    @property
    def q(self):
        return Positions(self._core, "q")

    @property
    def v(self):
        return Columns(self._core, "v")

    @property
    def vdot(self):
        return Columns(self._core, "vdot")

    @property
    def multipliers(self):
        return Columns(self._core, "lambda")

    @property
    def steps(self):
        return Columns(self._core, "steps")

    @property
    def drift(self):
        return Columns(self._core, "drift", self._core.drift)

    @property
    def energy(self):
        return Columns(self._core, "energy", self._core.energy)

    @property
    def poses(self):
        return self._core.poses

    @property
    def reactions(self):
        return self._core.reactions

    def __getitem__(self, name):
        joint, _, component = name.rpartition(".")
        if component in _COMPONENTS and joint in self.joint_names and name not in self.outputs.names:
            return self.reactions[:, self.joint_names.index(joint), _COMPONENTS.index(component)]
        return self.outputs[name]

    def __contains__(self, name):
        return name in self.outputs.names

    def __iter__(self):
        return iter(self.outputs)

    def __len__(self):
        return len(self.outputs)

    # -- figures and words
    @property
    def ok(self):
        """Whether the run ended as asked for: at the end time, or at a stop condition."""
        return self.status in ("ok", "stopped")

    @property
    def name(self):
        return self._core.provenance["problem"]

    @property
    def parameters(self):
        return self._core.provenance["parameters"]

    def __getattr__(self, name):
        if name in ("status", "message", "warnings", "notices", "statistics", "provenance", "events", "redundant_rows",
                    "body_names", "joint_names"):
            return getattr(self._core, name)
        raise AttributeError(f"results have no {name!r}")

    def __repr__(self):
        lines = [f"{self.name}: {self.status}, t = {self.t[0] if len(self.t) else 0:g} … {self.t[-1] if len(self.t) else 0:g} s, "
                 f"{len(self.t)} records, {self.statistics['steps']} steps"]
        lines += [f"message: {self.message}"] * bool(self.message)
        lines += [f"WARNING: {text}" for text in self.warnings] + [f"note: {text}" for text in self.notices]
        return "\n".join(lines + [f"outputs: {', '.join(self.outputs.names)}"] * bool(len(self)))

    # -- elsewhere
    def to_pandas(self):
        """A DataFrame over the time: outputs, positions, velocities, energies, drift."""
        import pandas

        data = {}
        for prefix, table in (("", self.outputs), ("", self.q), ("", self.v), ("energy.", self.energy), ("drift.", self.drift)):
            for column in table:
                data.setdefault(prefix + column, table[column])
        return pandas.DataFrame(data, index=pandas.Index(self.t, name="t"))

    def to_xarray(self):
        """A Dataset: outputs by name, and q, v, vdot, multipliers, energy, drift, poses, reactions with labelled axes."""
        import xarray

        axes = {"q": self.q, "v": self.v, "vdot": self.vdot, "multipliers": self.multipliers, "energy": self.energy, "drift": self.drift}
        data = {name: (("t", f"{name}_name"), table.array) for name, table in axes.items() if len(table)}
        coordinates = {f"{name}_name": list(table.names) for name, table in axes.items() if len(table)}
        for name in self.outputs:
            data[name] = ("t", self[name], {"units": self.outputs.units[name]})
        if self.body_names:
            data["poses"] = (("t", "body", "pose"), self.poses)
            coordinates.update(body=self.body_names, pose=["x", "y", "z", "qw", "qx", "qy", "qz"])
        if self.joint_names:
            data["reactions"] = (("t", "joint", "component"), self.reactions)
            coordinates.update(joint=self.joint_names, component=list(_COMPONENTS))
        about = {key: str(value) for key, value in self.provenance.items() if isinstance(value, str) and value}
        return xarray.Dataset(data, {"t": self.t, **coordinates}, {**about, **{f"parameter.{k}": v for k, v in self.parameters.items()}})

    def save(self, path):
        """Writes FILE.h5 or FILE.csv, as `driftless run --out` does."""
        self._core.save(str(path))

    def view(self):
        return view([self])

    def _repr_html_(self):
        return f"<pre>{_html.escape(repr(self))}</pre>"


class Page:
    """A page with the animated mechanism and its curves: shows itself in a notebook, or `save("a.html")` it."""

    def __init__(self, html):
        self.html = html

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return str(path)

    def _repr_html_(self):
        return f'<iframe srcdoc="{_html.escape(self.html)}" style="width:100%;height:640px;border:0"></iframe>'


def load(path):
    """The results in a file (.h5)."""
    return Results(_core.load(str(path)))


def view(results, names=None, title=None):
    """The page of one or several results, their curves laid over one another."""
    results = [results] if isinstance(results, Results) else list(results)
    if not results:
        raise ValueError("view: expected at least one result")
    if names is None:
        names = [r.name for r in results]
        if len(set(names)) < len(names):
            names = [f"{name} {i + 1}" for i, name in enumerate(names)]
    return Page(_core.page([r._core for r in results], list(names), title or ", ".join(dict.fromkeys(r.name for r in results))))
