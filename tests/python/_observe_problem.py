"""Runs of problems of the library, seen in their own coordinates: what _observe.py is for models.

    run(program, name, arguments, limit)    one run in a process of its own: _observe.Run, its states are States
    Sizes.of(run)                           what columns are compared with: the largest of their unit, 1 at least for angles
    distances(a, b, sizes)                  of two runs, record by record: the largest |Δ|/size over coordinates and velocities that both
                                            have (a method may ask for another coordinate set)
    amplification(…)                        what the motion does to an error of an early record

Python's own library only."""

import csv
import math
import os
import re
import tempfile

import _observe


class State:
    """One record: values of coordinates and velocities by name."""

    def __init__(self, t, values):
        self.t, self.values = t, values


def read_states(path, names):
    """Records, and the units of `names`."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        columns, units = {}, {}
        for i, title in enumerate(next(rows)):
            name, unit = re.fullmatch(r"(.*?)(?: \[([^][]*)\])?", title).groups()
            columns.setdefault(name, i)
            units[name] = unit or ""
        states = [State(float(row[0]), {name: float(row[columns[name]] or "nan") for name in names}) for row in rows]
    return states, {name: units[name] for name in names}


def run(program, name, arguments, limit, keep=None):
    """At most `limit` seconds of CPU time; `keep`: where the result file for --from goes."""
    with tempfile.TemporaryDirectory(prefix="driftless-run-") as folder:
        table = os.path.join(folder, "out.csv")
        words = [program, "run", name, *map(str, arguments), "--json", "--out", keep or table]
        out = _observe.finished(words, limit)
        if out.status == "ok":
            final = out.report["final"]
            if not keep:
                states, out.units = read_states(table, final["names"] + final["v_names"])
                out.states = _observe.regular(states, arguments)
        return out


class Sizes:
    def __init__(self, values):
        self.values = values

    @classmethod
    def of(cls, result):
        """By unit: a coordinate that hardly moves is as exact as the others, not more so."""
        by_unit = {}
        for state in result.states:
            for name, unit in result.units.items():
                by_unit[unit] = max(by_unit.get(unit, 1.0 if unit == "rad" else 0.0), abs(state.values[name]))
        return cls({name: by_unit[unit] or 1.0 for name, unit in result.units.items()})


def distance(a, b, sizes):
    worst = 0.0
    for name, size in sizes.values.items():
        if name in a.values and name in b.values:
            worst = _observe.larger(worst, abs(a.values[name] - b.values[name]) / size)
    return worst


def distances(a, b, sizes):
    if len(a.states) != len(b.states):
        return [math.nan]
    return [distance(x, y, sizes) for x, y in zip(a.states, b.states)]


def amplification(reference, others, sizes):
    """Largest growth of an error over the records that follow the first of each of `others`, 1 at least."""
    worst = 1.0
    for other in others:
        count = len(other.states)
        grown = [distance(x, y, sizes) for x, y in zip(reference.states[-count:], other.states)]
        if grown[0] > 1e-12:
            worst = _observe.larger(worst, max(grown) / grown[0])
    return worst
