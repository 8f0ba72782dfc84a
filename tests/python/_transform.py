"""The same mechanism written down differently: turned and moved, in other units, in another order.

    load(path)                     a model file as a dictionary, without comments, shapes, outputs and stop conditions, with the
                                   values of its parameters in place of their names
    turned(model, Motion)          every place, direction, orientation and absolute angle, gravity and roads with them
    in_units(model, length, mass)  numbers per new unit: in_units(model, 1000, 1000) is in millimetres and grams
    permuted(model, random)        bodies, joints, drivers, forces and contacts in another order

What every field of every element is stands in _fields.py; a field or type that is not there raises Unsupported. Python's own
library only.
"""

import copy
import json
import math
import re

from _fields import FIELDS, FIRST_COORDINATE, FLEXIBLE, FRICTION, STOPS
from _functions import Unsupported, raised, scaled, stretched, substituted, text_of


def why_not_varied(model):
    """Empty: rewriting knows all of it."""
    for key, reason in (("include", "parts from other files"), ("inputs", "laws that read outputs and inputs"),
                        ("switches", "joints that come and go at values of outputs")):
        if key in model:
            return reason
    return ""


def _elements(model):
    for group in FIELDS:
        for element in model.get(group, []):
            if element["type"] not in FIELDS[group]:
                raise Unsupported(f"{group}: type '{element['type']}'")
            roles = FIELDS[group][element["type"]]
            for field in element:
                if field not in roles and field not in ("name", "type", "comment"):
                    raise Unsupported(f"{element['type']}.{field}")
            yield element, roles


# ---- files -----------------------------------------------------------------------------------------------

def strip_comments(text):
    pattern = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda match: match.group() if match.group()[0] == '"' else " ", text)


def _without_comments(value):
    if isinstance(value, dict):
        return {key: _without_comments(item) for key, item in value.items() if not (key == "comment" and isinstance(item, str))}
    return [_without_comments(item) for item in value] if isinstance(value, list) else value


def bare(model):
    """Without what is only looked at, and without what would end runs at different times."""
    out = _without_comments(copy.deepcopy(model))
    for owner in [out.get("ground", {})] + out["bodies"]:
        owner.pop("shapes", None)
    if not why_not_varied(out):
        out.pop("outputs", None)  # else inputs, laws and switches read them
    out.pop("$schema", None)
    out.get("simulate", {}).pop("stop_when", None)
    return out


def load(path):
    with open(path, encoding="utf-8") as file:
        return bare(with_values(json.loads(strip_comments(file.read()))))


def with_values(model):
    """Numbers that are written as expressions, and parameters in laws, have their values."""
    known = {name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "exp", "log", "pi")}
    parameters = {name: item["value"] if isinstance(item, dict) else item for name, item in model.get("parameters", {}).items()}

    def value_of(text):
        return float(eval(text.replace("^", "**"), {"__builtins__": {}}, {**known, **parameters}))  # our own files

    def walk(item, key):
        if isinstance(item, dict):
            return {name: walk(inner, name) for name, inner in item.items()}
        if isinstance(item, list):
            return [walk(inner, key) for inner in item]
        if not isinstance(item, str) or key in ("name", "type", "description", "text", "unit"):
            return item
        try:
            return value_of(item)
        except (NameError, SyntaxError, TypeError):
            for name, value in parameters.items():
                item = substituted(item, name, f"({value!r})")
            return item

    for name, item in list(parameters.items()):
        parameters[name] = value_of(item) if isinstance(item, str) else item
    return {key: walk(item, key) for key, item in model.items() if key != "parameters"} if parameters else model


def is_spatial(model):
    return model.get("space", "planar") == "spatial"


# ---- vectors and rotations -------------------------------------------------------------------------------

def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def from_quaternion(q):
    n = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (c / n for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def about(axis, angle):
    n = math.sqrt(sum(x * x for x in axis))
    return from_quaternion([math.cos(angle / 2)] + [math.sin(angle / 2) * x / n for x in axis])


def rotation(orientation):
    """The matrix of the `orientation` of a body."""
    if orientation is None:
        return about([1, 0, 0], 0)
    if "quaternion" in orientation:
        return from_quaternion(orientation["quaternion"])
    if "axis" in orientation:
        return about(orientation["axis"], orientation["angle"])
    x, y, z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
    for key, axes in (("xyz", (x, y, z)), ("zxz", (z, x, z))):
        if key in orientation:
            parts = [about(axis, angle) for axis, angle in zip(axes, orientation[key])]
            return product(product(parts[0], parts[1]), parts[2])
    return orientation["matrix"]


class Motion:
    """p → R p + shift; in the plane R turns by `angle`."""

    def __init__(self, R, shift, angle=0.0):
        self.R, self.shift, self.angle = R, shift, angle

    @classmethod
    def random(cls, spatial, random, reach):
        """Any orientation alike; the shift up to `reach` in each direction."""
        shift = [random.uniform(-reach, reach) for _ in range(3 if spatial else 2)]
        if spatial:
            return cls(from_quaternion([random.gauss(0, 1) for _ in range(4)]), shift)
        angle = random.uniform(-math.pi, math.pi)
        return cls([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]], shift, angle)

    def place(self, p):
        return [a + b for a, b in zip(times(self.R, p), self.shift)]

    def turn(self, u):
        return times(self.R, u)

    def turn_back(self, u):
        return times([list(column) for column in zip(*self.R)], u)

    def place_back(self, p):
        return self.turn_back([a - b for a, b in zip(p, self.shift)])


# ---- turned and moved ------------------------------------------------------------------------------------

def body_of(reference):
    return reference["body"] if isinstance(reference, dict) else reference.split(".")[0]


def _joint(model, name):
    return next(joint for joint in model["joints"] if joint["name"] == name)


class _Turn:
    def __init__(self, model, motion):
        self.model, self.motion, self.spatial = model, motion, is_spatial(model)

    def angle_of(self, body):  # in the plane, by which the angle of a body grows
        return 0 if body == "ground" or self.spatial else self.motion.angle

    def between(self, a, b):
        return self.angle_of(body_of(b)) - self.angle_of(body_of(a))

    def of_joint(self, joint):  # by which the angle of a planar joint grows
        return self.between(joint["a"], joint["b"]) if joint["type"] == "revolute" else 0

    def point(self, value):
        if not isinstance(value, dict):
            return value
        if "world" in value:
            return {**value, "world": self.motion.place(value["world"])}
        return {**value, "at": self.motion.place(value["at"])} if value["body"] == "ground" else value

    def direction(self, value, owner):
        if isinstance(value, list):
            return self.motion.turn(value) if owner == "ground" else value
        if isinstance(value, dict) and "world" in value:
            return {**value, "world": self.motion.turn(value["world"])}
        if isinstance(value, dict) and value["body"] == "ground":
            return {**value, "along": self.motion.turn(value["along"])}
        return value

    def element(self, element, roles):
        self.defaults(element)
        for field in [field for field in element if field in roles]:
            role, value = roles[field], element[field]
            if role == "point":
                element[field] = self.point(value)
            elif role.startswith("dir:"):
                owner = role[4:]
                element[field] = self.direction(value, "ground" if owner == "world" else body_of(element.get(owner, "ground")))
            elif role == "place":
                element[field] = self.motion.place(value)
            elif role == "curve":
                if body_of(element["a"]) == "ground":
                    element[field] = {**value, "points": [self.motion.turn(p) for p in value["points"]]}
            elif role == "stops":
                by = 0 if self.spatial else self.of_joint(element)
                element[field] = {key: item + by if STOPS[element["type"]][key] == "limit" else item for key, item in value.items()}
            elif not self.spatial:
                self.planar_field(element, field, role)
        if roles.get("function") == "path" and body_of(element["a"]) == "ground":
            texts = [text_of(f) for f in element["function"]]
            element["function"] = [" + ".join(f"({c!r})*({text})" for c, text in zip(row, texts)) for row in self.motion.R]

    def defaults(self, element):
        """What left out means an axis of the world."""
        ground = "a" in element and body_of(element["a"]) == "ground"
        if element["type"] == "tyre":
            axes = ([0, 0, 1], [1, 0, 0], [0, 0, 0]) if self.spatial else ([0, 1], [1, 0], [0, 0])
            for key, default in zip(("up", "along", "origin"), axes):
                element.setdefault(key, default)
        elif element["type"] == "bushing" and ground:
            if not self.spatial:
                element.setdefault("x_axis", [1, 0])
            elif "axis" not in element:
                element["axis"] = [0, 0, 1]
                element.setdefault("x_axis", [1, 0, 0])
            elif "x_axis" not in element:
                raise Unsupported("a bushing on the ground with an axis and no x_axis")
        elif element["type"] in ("translational", "fixed", "relative-angle") and not self.spatial:
            element.setdefault("angle", 0)
        elif element["type"] == "rsda" and not self.spatial:
            element.setdefault("free_angle", 0)

    def planar_field(self, element, field, role):
        value = element[field]
        if role == "turn":
            element[field] = value + self.between(element["a"], element["b"])
        elif role == "angle-function":
            element[field] = raised(value, self.between(element["a"], element["b"]))
        elif role == "joint-function":
            element[field] = raised(value, self.of_joint(_joint(self.model, element["joint"])))
        elif role == "free-angle" or (role.startswith("law") and element["type"] == "rsda"):
            by = self.of_joint(_joint(self.model, element["joint"])) if "joint" in element else \
                self.between(element["a"], element["b"])
            element[field] = value + by if role == "free-angle" else substituted(value, "x", f"(x-({by!r}))")
        elif role == "gear-phase":
            carrier = element.get("carrier", "ground")
            sign = -1 if element.get("internal") else 1
            element[field] = value + element["radius_a"] * self.between(carrier, element["a"]) + \
                sign * element["radius_b"] * self.between(carrier, element["b"])
        elif role == "rack-phase":
            element[field] = value - element["radius"] * self.between(element["carrier"], element["pinion"])
        elif role == "rolling-phase" and self.between(element["a"], element["b"]) != 0:
            raise Unsupported("the phase of a wheel that rolls on the ground")

    def split(self, force):
        """A force or torque in world axes: one element for each component, along where that points now."""
        key = {"point-force": "force", "torque": "torque"}.get(force["type"])
        if key is None or not isinstance(force[key], list) or force.get("frame", "world") != "world":
            return [force]
        parts = []
        for i, function in enumerate(force[key]):
            if function != 0:
                parts.append({**force, "name": force["name"] + (f"_part{i}" if parts else ""),
                              key: [scaled(function, row[i]) if abs(row[i]) > 0 else 0 for row in self.motion.R]})
        return parts or [force]


def turned(model, motion):
    out = copy.deepcopy(model)
    turn = _Turn(out, motion)
    if "gravity" in out:
        out["gravity"] = motion.turn(out["gravity"])
    ground = out.get("ground", {})
    for name, point in ground.get("points", {}).items():
        ground["points"][name] = motion.place(point)
    for name, axis in ground.get("axes", {}).items():
        ground["axes"][name] = motion.turn(axis)
    for body in out["bodies"]:
        body["position"] = motion.place(body.get("position", [0] * len(motion.shift)))
        if "velocity" in body:
            body["velocity"] = motion.turn(body["velocity"])
        if turn.spatial and not body.get("point"):
            body["orientation"] = {"matrix": product(motion.R, rotation(body.get("orientation")))}
            if "angular_velocity" in body:
                body["angular_velocity"] = motion.turn(body["angular_velocity"])
        elif not body.get("point"):
            body["angle"] = body.get("angle", 0) + motion.angle
    for hold in out.get("initial", {}).get("hold", []):
        if hold.rsplit(".", 1)[1] in ("x", "y", "z"):
            raise Unsupported(f"hold: '{hold}' along an axis of the world")
    for name, start in out.get("initial", {}).get("joints", {}).items():
        if not turn.spatial and "value" in start:
            start["value"] += turn.of_joint(_joint(out, name))
    for element, roles in _elements(out):
        turn.element(element, roles)
    if "forces" in out:
        out["forces"] = [part for force in out["forces"] for part in turn.split(force)]
    return out


# ---- other units -----------------------------------------------------------------------------------------

class _Units:
    def __init__(self, model, length, mass):
        self.model, self.L, self.M = model, length, mass

    def factor(self, words):
        return self.M ** int(words[0]) * self.L ** int(words[1])

    def coordinate(self, element, joint="joint", coordinate="coordinate"):  # the unit of a joint's coordinate
        kind = element.get(coordinate) or FIRST_COORDINATE[_joint(self.model, element[joint])["type"]]
        return self.L if kind == "displacement" else 1

    def point(self, value):
        if not isinstance(value, dict):
            return value
        return {key: [self.L * x for x in item] if key in ("at", "world") else item for key, item in value.items()}

    def part(self, value, roles):
        """An object inside an element."""
        unknown = [key for key in value if key not in roles]
        if unknown:
            raise Unsupported(f"field '{unknown[0]}'")
        return {key: self.part(item, roles[key]) if isinstance(roles[key], dict) else self.field(value, key, roles[key])
                for key, item in value.items()}

    def field(self, element, field, role):
        value, words = element[field], role.split(":")
        if role == "friction":
            return self.part(value, FRICTION)
        if role == "stops":
            return self.part(value, STOPS[element["type"]])
        if role == "point":
            return self.point(value)
        if role == "place":
            return [self.L * x for x in value]
        if role == "curve":
            return {**value, "points": [[self.L * x for x in p] for p in value["points"]]}
        if role.endswith("-phase"):
            return self.L * value
        if role == "road":
            return scaled(stretched(value, self.L), self.L)
        if role == "path":
            return [scaled(f, self.L) for f in value]
        if role == "joint-function":
            return scaled(value, self.coordinate(element))
        if role in ("ratio", "offset"):
            by = self.coordinate(element, "joint_b", "coordinate_b")
            return value * by / (self.coordinate(element, "joint_a", "coordinate_a") if role == "ratio" else 1)
        if words[0] == "fun":
            return scaled(value, self.factor(words[1:]))
        if words[0] == "components":
            factor = self.factor(words[1:])
            return [scaled(f, factor) for f in value] if isinstance(value, list) else scaled(value, factor)
        if words[0] == "pairs":
            return [[self.L ** int(words[3]) * x, self.factor(words[1:3]) * y] for x, y in value]
        if words[0] == "law":
            by = self.L ** int(words[3])
            inner = substituted(substituted(value, "x", f"(x/({by!r}))"), "v", f"(v/({by!r}))")
            return f"({self.factor(words[1:3])!r})*({inner})"
        if words[0].isdigit():
            factor = self.factor(words)
            return [factor * x for x in value] if isinstance(value, list) else factor * value
        return value  # names, directions, angles


def in_units(model, length, mass):
    out = copy.deepcopy(model)
    units, L = _Units(out, length, mass), length
    options = out.get("simulate", {}).get("options", {})
    for key in options:
        if key.endswith("datol"):
            options[key] *= L
    if "gravity" in out:
        out["gravity"] = [L * x for x in out["gravity"]]
    for owner in [out.get("ground", {})] + out["bodies"]:
        for name, point in owner.get("points", {}).items():
            owner["points"][name] = [L * x for x in point]
    for body in out["bodies"]:
        if "flexible" in body:
            flexible = body["flexible"]
            loads = [[node, mass * value] for node, value in flexible.pop("masses", [])]
            body["flexible"] = {**units.part(flexible, FLEXIBLE), **({"masses": loads} if loads else {})}
        if "mass" in body:
            body["mass"] *= mass
        if "inertia" in body:
            body["inertia"] = _deep(body["inertia"], mass * L * L)
        for key in ("center_of_mass", "position", "velocity"):
            if key in body:
                body[key] = [L * x for x in body[key]]
    for name, start in out.get("initial", {}).get("joints", {}).items():
        _scale_start(start, FIRST_COORDINATE[_joint(out, name)["type"]], L)
    for element, roles in _elements(out):
        for field in [field for field in element if field in roles]:
            element[field] = units.field(element, field, roles[field])
    return out


def _scale_start(start, kind, length):
    for key, value in start.items():
        if isinstance(value, dict):
            _scale_start(value, key, length)
        elif kind == "displacement":
            start[key] = length * value


def _deep(value, factor):
    return [_deep(item, factor) for item in value] if isinstance(value, list) else factor * value


def mass_of(body):
    """Of a flexible body: its beam and what is fixed to it."""
    if "flexible" not in body:
        return body["mass"]
    beam = body["flexible"]
    section = beam["section"]
    area = section["width"] * section["height"] if section["type"] == "rectangle" else \
        math.pi / 4 * (section["diameter"] ** 2 - section.get("inner", 0) ** 2)
    return beam["material"]["density"] * area * math.dist(beam["from"], beam["to"]) + sum(m for _, m in beam.get("masses", []))


# ---- another order ---------------------------------------------------------------------------------------

def permuted(model, random):
    out = copy.deepcopy(model)
    for group in ("bodies", "joints", "drivers", "forces", "contacts"):
        if group in out:
            random.shuffle(out[group])
    return out
