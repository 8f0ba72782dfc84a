"""Every model in models/ fits schema/model.schema.json, and broken models do not.

The schema is generated from the element records (tests/unit/io/schema_test.cpp checks that it is up to date).
Run without arguments; the exit status says whether all is well.
"""

import copy
import json
import pathlib
import re
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]

# One element of every type, every form of time function.
SOUND = {
    "$schema": "../schema/model.schema.json",
    "driftless": 1,
    "name": "everything",
    "description": "one of each",
    "comment": "not a mechanism that could move",
    "space": "planar",
    "gravity": [0, -9.81],
    "ground": {"points": {"O": [0, 0], "S": [3, 0]}, "shapes": [{"type": "box", "size": [4, 0.1, 1], "position": "O"}]},
    "bodies": [
        {"name": "crank", "mass": 1, "inertia": 0.1, "center_of_mass": [0, 0],
         "points": {"A": [-0.5, 0], "B": [0.5, 0], "comment": "ends"},
         "position": [0.5, 0], "angle": 0.3, "velocity": [0, 0], "angular_velocity": 0},
        {"name": "rod", "mass": 2.5, "inertia": 1e-3, "points": {"A": [0, 0]},
         "shapes": [
             {"type": "box", "size": [1, 2, 3], "position": [0, 1], "angle": 0.3, "color": "#00fFa0", "comment": "a box"},
             {"type": "cylinder", "from": [0, 0, -1], "to": "A", "radius": 0.1},
             {"type": "capsule", "from": "A", "to": [1, 1], "radius": 0.1},
             {"type": "sphere", "radius": 0.2},
             {"type": "line", "points": ["A", [1, 0]], "radius": 0},
             {"type": "polygon", "points": ["A", [1, 0], [0, 1]], "thickness": 0.1, "z": -0.5},
         ]},
    ],
    "joints": [
        {"name": "j1", "type": "revolute", "a": "ground.O", "b": "crank.A", "comment": "a pin"},
        {"name": "j2", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "rod.A", "angle": 0.1},
        {"name": "j3", "type": "fixed", "a": "crank.B", "b": {"body": "rod", "at": [0.1, 0]}, "angle": 0},
        {"name": "j4", "type": "distance", "a": "ground.O", "b": "crank.A", "length": 0.5},
        {"name": "j5", "type": "point-on-line", "a": "ground.O", "axis": [0, 2], "b": "rod.A"},
        {"name": "j6", "type": "gear", "a": "crank", "b": "rod", "radius_a": 0.1, "radius_b": 0.2, "internal": True},
        {"name": "j7", "type": "rack-and-pinion", "carrier": "ground.O", "axis": [1, 0], "rack": "rod.A",
         "pinion": "crank", "radius": 0.1},
    ],
    "drivers": [
        {"name": "d1", "type": "angle", "a": "ground", "b": "crank", "function": "2*pi*t"},
        {"name": "d2", "type": "displacement", "a": "ground.O", "axis": [1, 0], "b": "rod.A",
         "function": {"type": "harmonic", "amplitude": 1, "frequency": 2, "phase": 0.1, "offset": 3}},
        {"name": "d3", "type": "path", "a": "ground.O", "b": "rod.A",
         "function": [{"type": "polynomial", "coefficients": [0, 1]}, 0]},
    ],
    "forces": [
        {"name": "f1", "type": "tsda", "a": "ground.S", "b": "crank.B", "stiffness": 100, "damping": 2, "free_length": 0.5,
         "actuator": {"type": "step", "time": 1, "after": 2}},
        {"name": "f2", "type": "tsda", "a": "ground.S", "b": "crank.B", "spring": [[-1, -5], [0, 0], [1, 9]]},
        {"name": "f3", "type": "rsda", "a": "ground", "b": "crank", "stiffness": 1,
         "actuator": {"type": "pulse", "start": 1, "duration": 1, "height": 2, "rise": 0.1}},
        {"name": "f4", "type": "point-force", "at": "rod.A", "frame": "body",
         "force": [{"type": "table", "points": [[0, 0], [1, 1]], "interpolation": "cubic"},
                   {"type": "ramp", "start": 0, "end_time": 1, "to": 1, "comment": "up"}]},
        {"name": "f5", "type": "torque", "body": "crank", "reaction_on": "rod",
         "torque": {"type": "expression", "text": "sin(t)"}},
        {"name": "f6", "type": "torque", "body": "crank", "torque": {"type": "constant", "value": 1}},
    ],
    "outputs": [
        {"name": "o1", "type": "point", "point": "crank.B", "component": "x"},
        {"name": "o2", "type": "joint", "joint": "j1", "value": "angle"},
        {"name": "o3", "type": "force", "force": "f1", "value": "length"},
    ],
    "initial": {"joints": {"j1": {"value": 0.4, "rate": 3}, "j2": {"rate": 1}}, "hold": ["crank.theta", "rod.x"]},
    "simulate": {
        "t_end": 2, "output_step": 0.01, "coordinates": "reference-point", "formulation": "lagrange",
        "integrator": "dopri5", "stabilization": "pstab", "rtol": 1e-6, "atol": 1e-7, "step": 0.001, "initial_step": 1e-4,
        "max_step": 0.1, "max_steps": 100000, "drift_limit": 0.01, "options": {"formulation.alpha": 5, "scale": "step"},
        "stop_when": [{"output": "o1", "crosses": 1.0, "direction": "up"}, {"output": "o2", "crosses": 0}],
    },
}

SPATIAL = {
    "driftless": 1,
    "space": "spatial",
    "gravity": [0, 0, -9.81],
    "ground": {"points": {"O": [0, 0, 0]}, "axes": {"up": [0, 0, 1], "comment": "against gravity"}},
    "bodies": [
        {"name": "a", "mass": 1, "inertia": [1, 1, 1], "center_of_mass": [0, 0, 0], "points": {"A": [0, 0, 1]},
         "axes": {"hinge": [0, 1, 0]}, "position": [1, 2, 3], "orientation": {"quaternion": [1, 0, 0, 0]},
         "velocity": [0, 0, 0], "angular_velocity": [0, 0, 1],
         "shapes": [{"type": "box", "size": [1, 1, 1], "orientation": {"axis": [1, 0, 0], "angle": 1}},
                    {"type": "line", "points": ["A", [1, 2, 3]]}]},
        {"name": "b", "mass": 1, "inertia": [1, 1, 1, 0.1, 0, -0.1], "orientation": {"axis": [1, 0, 0], "angle": 1},
         "angular_velocity_body": [0, 0, 1]},
        {"name": "c", "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "orientation": {"xyz": [0, 0, 1]}},
        {"name": "d", "mass": 1, "inertia": [1, 1, 1], "orientation": {"zxz": [0, 0, 1]}},
        {"name": "e", "mass": 1, "inertia": [1, 1, 1],
         "orientation": {"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "comment": "as it is"}},
    ],
    "joints": [
        {"name": "j1", "type": "distance", "a": "ground.O", "b": {"body": "a", "world": [1, 1, 1]}, "length": 2},
        {"name": "j2", "type": "distance", "a": "a.A", "b": {"body": "b", "at": [1, 1, 1]}, "length": 2},
    ],
    "initial": {"joints": {"j1": {"angle": {"value": 1}, "displacement": {"rate": 2}}, "j2": {"value": 1}},
                "hold": ["a.z", "b.orientation"]},
}

MISSING = object()

# Path in SOUND → a value that must be refused; MISSING takes the key out.
BROKEN = [
    (["driftless"], MISSING),
    (["driftless"], 2),
    (["bodies"], MISSING),
    (["bodies"], []),
    (["bodies"], {}),
    (["gravty"], [0, 0]),
    (["gravity"], 9.81),
    (["gravity"], [0, 0, -9.81]),
    (["space"], "spatial"),
    (["space"], "flat"),
    (["comment"], 5),
    (["ground", "joints"], {}),
    (["bodies", 0, "name"], MISSING),
    (["bodies", 0, "name"], "a.b"),
    (["bodies", 0, "name"], "a b"),
    (["bodies", 0, "name"], ""),
    (["bodies", 0, "name"], "ground"),
    (["bodies", 0, "mass"], MISSING),
    (["bodies", 0, "mass"], 0),
    (["bodies", 0, "mass"], "1"),
    (["bodies", 0, "inertia"], -1),
    (["bodies", 0, "points"], [1]),
    (["bodies", 0, "points", "A"], [1]),
    (["bodies", 0, "points", "A.B"], [1, 2]),
    (["bodies", 0, "colour"], "red"),
    (["bodies", 0, "axes"], {"u": [1, 0]}),
    (["bodies", 0, "orientation"], {"xyz": [0, 0, 1]}),
    (["ground", "axes"], {"u": [1, 0]}),
    (["bodies", 1, "shapes"], {}),
    (["bodies", 1, "shapes", 0, "type"], "cube"),
    (["bodies", 1, "shapes", 0, "size"], [1, 2]),
    (["bodies", 1, "shapes", 0, "size"], [1, 2, 0]),
    (["bodies", 1, "shapes", 0, "orientation"], {"xyz": [0, 0, 1]}),
    (["bodies", 1, "shapes", 0, "color"], "green"),
    (["bodies", 1, "shapes", 1, "to"], MISSING),
    (["bodies", 1, "shapes", 1, "radius"], 0),
    (["bodies", 1, "shapes", 3, "points"], ["A"]),
    (["bodies", 1, "shapes", 4, "points"], ["A"]),
    (["bodies", 1, "shapes", 5, "points", 1], [1, 0, 0]),
    (["joints", 0, "type"], "revolut"),
    (["joints", 0, "type"], MISSING),
    (["joints", 0, "name"], MISSING),
    (["joints", 0, "b"], MISSING),
    (["joints", 0, "b"], "crank"),
    (["joints", 0, "b"], {"body": "crank"}),
    (["joints", 0, "length"], 1),
    (["joints", 1, "axis"], [0, 0]),
    (["joints", 3, "length"], 0),
    (["joints", 5, "internal"], "yes"),
    (["drivers", 0, "type"], "revolute"),
    (["drivers", 0, "function"], True),
    (["drivers", 0, "function"], [1, 2]),
    (["drivers", 0, "function"], {"value": 1}),
    (["drivers", 1, "function", "type"], "harmonik"),
    (["drivers", 1, "function", "frequency"], MISSING),
    (["drivers", 1, "function", "value"], 1),
    (["drivers", 2, "function"], [1]),
    (["forces", 1, "spring"], [[0, 0]]),
    (["forces", 1, "spring"], [[0, 0], [1]]),
    (["forces", 3, "frame"], "World"),
    (["outputs", 0, "component"], "z"),
    (["outputs", 0, "component"], MISSING),
    (["initial", "joints", "j1"], {}),
    (["initial", "joints", "j1"], 0.4),
    (["initial", "hold"], ["crank"]),
    (["initial", "hold"], ["crank.z"]),
    (["simulate", "tend"], 1),
    (["simulate", "t_end"], 0),
    (["simulate", "max_steps"], 1.5),
    (["simulate", "options", "alpha"], [1]),
    (["simulate", "stop_when", 0, "crosses"], MISSING),
    (["simulate", "stop_when", 0, "direction"], "sideways"),
]

# The same for SPATIAL.
BROKEN_SPATIAL = [
    (["space"], MISSING),
    (["space"], "planar"),
    (["gravity"], [0, -9.81]),
    (["ground", "axes", "up"], [0, 0, 0]),
    (["ground", "axes", "up"], [0, 1]),
    (["bodies", 0, "inertia"], 1),
    (["bodies", 0, "inertia"], [1, 1]),
    (["bodies", 0, "inertia"], [0, 1, 1]),
    (["bodies", 0, "inertia"], [[1, 0, 0], [0, 1, 0]]),
    (["bodies", 0, "angle"], 1),
    (["bodies", 0, "points", "A"], [0, 0]),
    (["bodies", 0, "axes", "hinge"], [0, 0, 0]),
    (["bodies", 0, "orientation"], {}),
    (["bodies", 0, "orientation"], [1, 0, 0, 0]),
    (["bodies", 0, "orientation", "quaternion"], [1, 0, 0]),
    (["bodies", 0, "orientation", "xyz"], [0, 0, 0]),
    (["bodies", 1, "orientation", "angle"], MISSING),
    (["bodies", 1, "orientation", "axis"], [0, 0, 0]),
    (["bodies", 1, "angular_velocity"], [0, 0, 1]),
    (["joints", 0, "b", "world"], [1, 1]),
    (["joints", 0, "b", "at"], [1, 1, 1]),
    (["initial", "joints", "j1"], {}),
    (["initial", "joints", "j1", "angle"], {}),
    (["initial", "joints", "j1", "angle"], 1),
    (["initial", "joints", "j1", "value"], 1),
    (["initial", "hold"], ["a.theta"]),
]


def without_comments(text):
    """Model files may hold // and /* */ comments, which Python's json does not read."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return token.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def changed(sound, path, value):
    model = copy.deepcopy(sound)
    owner = model
    for key in path[:-1]:
        owner = owner[key]
    if value is MISSING:
        del owner[path[-1]]
    else:
        owner[path[-1]] = value
    return model


def errors_of(validator, model):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(model)]


def main():
    schema = json.loads((ROOT / "schema" / "model.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    for sound, broken in ((SOUND, BROKEN), (SPATIAL, BROKEN_SPATIAL)):
        space = sound["space"]
        failures += [f"the {space} sample model: {error}" for error in errors_of(validator, sound)]
        for path, value in broken:
            if not errors_of(validator, changed(sound, path, value)):
                shown = "(missing)" if value is MISSING else value
                failures.append(f"accepted although broken, {space}: {path} = {shown}")
    models = sorted([*(ROOT / "models").glob("*.json"), *(ROOT / "examples").glob("*/*.json")])
    if not models:
        failures.append(f"no models in {ROOT / 'models'}")
    for file in models:
        model = json.loads(without_comments(file.read_text(encoding="utf-8-sig")))
        failures += [f"{file.name}: {error}" for error in errors_of(validator, model)]
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(models)} models, {len(BROKEN) + len(BROKEN_SPATIAL)} broken variants, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
