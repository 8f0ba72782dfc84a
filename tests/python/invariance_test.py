"""The rewriting of models that tools/invariance-battery stands on, and a handful of its cases. The battery itself is a full test."""

import json
import math
import pathlib
import random
import subprocess
import sys
import unittest

import _functions
import _transform
from _cli import CLI, main
from _fields import FIELDS, FRICTION, STOPS
from _mechanisms import mechanisms
from _transform import Motion, in_units, is_spatial, load, permuted, turned, why_not_varied

ROOT = pathlib.Path(__file__).resolve().parents[2]


def models():
    shipped = {path.stem: load(path) for path in sorted((ROOT / "models").glob("*.json"))}
    return {**{name: model for name, model in shipped.items() if not why_not_varied(model)}, **mechanisms()}


def numbers(value, path=""):
    """Every number of a JSON value with its path; expressions count as text."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from numbers(item, f"{path}[{i}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


class Rewriting(unittest.TestCase):
    def test_every_field_of_the_schema_is_known(self):
        definitions = json.loads((ROOT / "schema/model.schema.json").read_text(encoding="utf-8"))["$defs"]
        for group, word in (("joints", "joint"), ("drivers", "driver"), ("forces", "force"), ("contacts", "contact")):
            for space in ("planar", "spatial"):
                prefix = f"{space}-{word}-"
                for name in (name for name in definitions if name.startswith(prefix)):
                    properties, kind = definitions[name]["properties"], name[len(prefix):]
                    self.assertLessEqual(set(properties) - {"name", "type", "comment"}, set(FIELDS[group].get(kind, {})), name)
                    for part, fields in (("friction", FRICTION), ("stops", STOPS.get(kind))):
                        if part in properties:
                            self.assertLessEqual(set(properties[part]["properties"]) - {"comment"}, set(fields), f"{name}.{part}")

    def test_which_shipped_models_are_varied(self):
        left_out = {path.stem for path in (ROOT / "models").glob("*.json") if why_not_varied(load(path))}
        self.assertEqual(left_out, {"controlled-pendulum", "geneva-drive", "gripper"})

    def test_mechanisms_have_what_models_lack(self):
        """Every type of joint, driver and force is in one of the models that are varied."""
        used = {(group, element["type"]) for model in models().values() for group in FIELDS for element in model.get(group, [])}
        self.assertEqual({(group, kind) for group in FIELDS for kind in FIELDS[group]} - used, set())

    def test_units_there_and_back(self):
        for name, model in models().items():
            back = in_units(in_units(model, 1000, 1000), 1e-3, 1e-3)
            for (path, a), (_, b) in zip(numbers(model), numbers(back)):
                self.assertAlmostEqual(a, b, delta=1e-12 * abs(a), msg=f"{name}{path}")

    def test_turning_keeps_what_is_fixed_in_bodies(self):
        for name, model in models().items():
            motion = Motion.random(is_spatial(model), random.Random(3), 10)
            for a, b in zip(model["bodies"], turned(model, motion)["bodies"]):
                for key in ("mass", "inertia", "points", "flexible"):
                    self.assertEqual(a.get(key), b.get(key), name)

    def test_no_turn_changes_nothing(self):
        for name, model in models().items():
            spatial = is_spatial(model)
            n = 3 if spatial else 2
            still = Motion([[float(i == j) for j in range(n)] for i in range(n)], [0.0] * n)
            out = turned(model, still)
            for group in ("ground", "joints", "drivers"):
                now = dict(numbers(out.get(group)))
                for path, value in numbers(model.get(group)):
                    if ".function" not in path:  # may have become an expression
                        self.assertAlmostEqual(value, now[path], delta=1e-15, msg=f"{name}.{group}{path}")

    def test_functions(self):
        wave = {"type": "harmonic", "amplitude": 2, "frequency": 3, "offset": 1}
        self.assertEqual(_functions.scaled(wave, 2)["offset"], 2)
        self.assertEqual(_functions.raised("2*t", 0.5), "(2*t) + (0.5)")
        self.assertEqual(_functions.stretched("x*exp(x)", 10.0), "(x/(10.0))*exp((x/(10.0)))")
        self.assertEqual(_functions.stretched({"type": "table", "points": [[1, 2]]}, 10.0)["points"], [[10, 2]])
        with self.assertRaises(_functions.Unsupported):
            _functions.raised({"type": "pulse", "start": 0, "duration": 1, "height": 1}, 1)

    def test_another_order_is_the_same_model(self):
        for name, model in models().items():
            out = permuted(model, random.Random(1))
            for group in ("bodies", "joints", "drivers", "forces", "contacts"):
                key = lambda element: element["name"]
                self.assertEqual(sorted(model.get(group, []), key=key), sorted(out.get(group, []), key=key), name)

    def test_orientations(self):
        a = _transform.rotation({"zxz": [0.3, 0.4, 0.5]})
        b = _transform.product(_transform.about([0, 0, 1], 0.3), _transform.product(_transform.about([1, 0, 0], 0.4),
                                                                                    _transform.about([0, 0, 1], 0.5)))
        self.assertLess(max(abs(x - y) for u, v in zip(a, b) for x, y in zip(u, v)), 1e-15)
        self.assertLess(math.dist(_transform.times(_transform.about([0, 0, 2], math.pi / 2), [1, 0, 0]), [0, 1, 0]), 1e-15)


class Battery(unittest.TestCase):
    """Every joint and force once turned, once in other units, once in another order."""

    def test_a_few_cases(self):
        done = subprocess.run(
            [sys.executable, str(ROOT / "tools/invariance-battery"), "--program", CLI, "--seed", "1", "--json", "--formulations", "lagrange",
             "--coordinates", "reference-point", "--variations", "turn-0,mm-g,order-0",
             "--models", "planar-contacts,spatial-contacts,spatial-tree,spatial-gears,drawing-arm,five-link-suspension"],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(done.stdout)["count"], {"same": 18})


if __name__ == "__main__":
    main()
