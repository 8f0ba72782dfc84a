"""Mechanisms for the batteries that turn models and compare methods: redundant linkages, nonholonomic wheels, and models that
together have every joint and force the shipped ones lack. mechanisms() gives them by name. Python's own library only.
"""

import math

from _transform import about, product, times

G = 9.81


def _minus(a, b):
    return [x - y for x, y in zip(a, b)]


def _rod_inertia(mass, ends):
    """Of a slender rod between two points of space, a little thick; rows of the matrix."""
    d = _minus(ends[1], ends[0])
    square = sum(x * x for x in d)
    return [[mass * ((square * 1.01 * (i == j) - d[i] * d[j]) / 12) for j in range(3)] for i in range(3)]


def _linkage(name, description, bodies, hinges, *, spatial=True, gravity=None, initial=None, t_end=0.3, **more):
    """bodies: {name: mass}; hinges: (name, a, b, place in the world[, axis]). Frames lie like the world's, at the first hinge."""
    places = {body: [] for body in bodies}
    ground = {}
    for hinge, a, b, place, *_ in hinges:
        for body in (a, b):
            if body == "ground":
                ground[hinge] = place
            else:
                places[body].append((hinge, place))
    out = {"driftless": 1, "name": name, "description": description, "space": "spatial" if spatial else "planar",
           "gravity": gravity or ([0, 0, -G] if spatial else [0, -G]), "ground": {"points": ground}, "bodies": [], "joints": []}
    for body, mass in bodies.items():
        at = places[body]
        origin = at[0][1]
        middle = [sum(p[i] for _, p in at) / len(at) - origin[i] for i in range(len(origin))]
        ends = (origin, at[-1][1])
        inertia = _rod_inertia(mass, ends) if spatial else mass * sum(x * x for x in _minus(*ends)) / 12
        out["bodies"].append({"name": body, "mass": mass, "inertia": inertia, "center_of_mass": middle,
                              "points": {hinge: _minus(p, origin) for hinge, p in at}, "position": list(origin)})
    for hinge, a, b, place, *axis in hinges:
        joint = {"name": hinge, "type": "revolute", "a": f"{a}.{hinge}", "b": f"{b}.{hinge}"}
        if spatial:
            joint["axis"] = {"world": axis[0]}
        out["joints"].append(joint)
    if initial:
        out["initial"] = {"joints": initial}
    out["simulate"] = {"t_end": t_end}
    out.update(more)
    return out


# ---- redundant linkages ----------------------------------------------------------------------------------

def sarrus():
    x, y = [1, 0, 0], [0, 1, 0]
    return _linkage(
        "sarrus", "Sarrus linkage: a platform that moves straight, on two legs of three hinges", 
        {"lower_1": 1, "upper_1": 1, "lower_2": 1, "upper_2": 1, "platform": 2},
        [("A1", "ground", "lower_1", [1, 0, 0], y), ("K1", "lower_1", "upper_1", [1.6, 0, 0.5], y),
         ("P1", "upper_1", "platform", [1, 0, 1], y), ("A2", "ground", "lower_2", [0, 1, 0], x),
         ("K2", "lower_2", "upper_2", [0, 1.6, 0.5], x), ("P2", "upper_2", "platform", [0, 1, 1], x)])


def bennett(a=1.0, alpha=0.6, beta=1.1, theta=1.0):
    """Links a, b, a, b with twists α, β, α, β and a/sin α = b/sin β; tan ϑ₁/2 tan ϑ₂/2 = sin (β+α)/2 / sin (β−α)/2."""
    b = a * math.sin(beta) / math.sin(alpha)
    other = 2 * math.atan(math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2) / math.tan(theta / 2))
    R, p, hinges = about([1, 0, 0], 0), [0.0, 0.0, 0.0], []
    for angle, length, twist in ((theta, a, alpha), (other, b, beta), (-theta, a, alpha), (-other, b, beta)):
        hinges.append((p, [row[2] for row in R]))
        R = product(R, about([0, 0, 1], angle))
        p = [u + v for u, v in zip(p, times(R, [length, 0, 0]))]
        R = product(R, about([1, 0, 0], twist))
    assert max(map(abs, p)) < 1e-12 and abs(R[0][0] - 1) + abs(R[2][2] - 1) < 1e-12
    names = ["ground", "link_1", "link_2", "link_3", "ground"]
    return _linkage("bennett", "Bennett linkage: four skew hinges", {"link_1": 1, "link_2": 2, "link_3": 1},
                    [(f"hinge_{i + 1}", names[i], names[i + 1], *hinges[i]) for i in range(4)],
                    gravity=[1, 2, -G], initial={"hinge_1": {"rate": 1.5}})


def _meet(p, r, q, s, side):
    """The point at r from p and s from q."""
    d = math.dist(p, q)
    along = (r * r - s * s + d * d) / (2 * d)
    up = side * math.sqrt(r * r - along * along)
    u = [(q[0] - p[0]) / d, (q[1] - p[1]) / d]
    return [p[0] + along * u[0] - up * u[1], p[1] + along * u[1] + up * u[0]]


def _flat(linkage, axis=(0, 1, 0)):
    """Hinges (name, a, b, [x, y]) as spatial ones in the x–z plane."""
    return [(name, a, b, [p[0], 0, p[1]], list(axis)) for name, a, b, p in linkage]


def six_bar():
    O, C, D, A = [0, 0], [0.4, 0], [0.7, 0.1], [0.1 * math.cos(1.1), 0.1 * math.sin(1.1)]
    B = _meet(A, 0.3, C, 0.25, 1)
    P = _meet(A, 0.22, B, 0.2, 1)
    Q = _meet(P, 0.35, D, 0.3, 1)
    return _linkage(
        "six-bar", "Stephenson's six-bar linkage of spatial hinges: six rows too many",
        {"crank": 0.3, "coupler": 0.4, "rocker": 0.3, "rod": 0.3, "arm": 0.2},
        _flat([("O", "ground", "crank", O), ("A", "crank", "coupler", A), ("B", "coupler", "rocker", B),
               ("C", "ground", "rocker", C), ("P", "coupler", "rod", P), ("Q", "rod", "arm", Q), ("D", "ground", "arm", D)]),
        initial={"O": {"rate": 8}}, t_end=0.2)


def _peaucellier():
    O, Q, A = [0, 0], [1, 0], [1 + math.cos(0.6), math.sin(0.6)]
    B, C = _meet(O, 3, A, 1.2, 1), _meet(O, 3, A, 1.2, -1)
    D = [B[0] + C[0] - A[0], B[1] + C[1] - A[1]]
    bodies = {"crank": 1, "ob": 1, "oc": 1, "ab": 1, "ac": 1, "bd": 1, "cd": 1}
    return bodies, [("Q", "ground", "crank", Q), ("O1", "ground", "ob", O), ("O2", "ground", "oc", O), ("A1", "crank", "ab", A),
                    ("A2", "crank", "ac", A), ("B1", "ob", "ab", B), ("B2", "ob", "bd", B), ("C1", "oc", "ac", C),
                    ("C2", "oc", "cd", C), ("D", "bd", "cd", D)]


def straight_line():
    bodies, hinges = _peaucellier()
    return _linkage("straight-line", "Peaucellier's straight-line linkage of spatial hinges: nine rows too many", bodies,
                    _flat(hinges), initial={"Q": {"rate": -1}})


def planar_straight_line():
    bodies, hinges = _peaucellier()
    return _linkage("planar-straight-line", "Peaucellier's straight-line linkage", bodies, hinges, spatial=False,
                    initial={"Q": {"rate": 1}})


def three_crank():
    a = 0.7
    tip = [math.cos(a), math.sin(a)]
    hinges = []
    for i in range(3):
        hinges += [(f"g{i}", "ground", f"c{i}", [i, 0]), (f"p{i}", f"c{i}", "coupler", [i + tip[0], tip[1]])]
    return _linkage("three-crank", "three parallel cranks on one coupler: one row too many",
                    {"c0": 1, "c1": 1, "c2": 1, "coupler": 2}, hinges, spatial=False, initial={"g0": {"rate": 1}})


def door():
    return {
        "driftless": 1, "name": "door", "description": "a door on two hinges, with a spring", "space": "spatial",
        "gravity": [0.5, -1, -G], "ground": {"points": {"low": [0, 0, 0.2], "high": [0, 0, 1.8]}},
        "bodies": [{"name": "leaf", "mass": 20, "inertia": [5.6, 6.8, 1.3], "center_of_mass": [0.4, 0, 1],
                    "points": {"low": [0, 0, 0.2], "high": [0, 0, 1.8], "edge": [0.8, 0, 1]}, "angular_velocity": [0, 0, 2]}],
        "joints": [{"name": "low", "type": "revolute", "a": "ground.low", "b": "leaf.low", "axis": [0, 0, 1]},
                   {"name": "high", "type": "revolute", "a": "ground.high", "b": "leaf.high", "axis": [0, 0, 1]}],
        "forces": [{"name": "closer", "type": "rsda", "a": "ground", "b": "leaf", "axis": [0, 0, 1], "stiffness": 15,
                    "damping": 3, "free_angle": -0.3}],
        "simulate": {"t_end": 0.5},
    }


def wheel_set():
    radius, half, speed, yaw = 0.3, 0.5, 0.5, 0.8
    bodies = [{"name": "axle", "mass": 5, "inertia": [0.4, 0.02, 0.4], "points": {"left": [0, half, 0], "right": [0, -half, 0]},
               "position": [0, 0, radius], "velocity": [speed, 0, 0], "angular_velocity": [0, 0, yaw]}]
    joints = []
    for name, y in (("left", half), ("right", -half)):
        v = speed - yaw * y
        bodies.append({"name": name, "mass": 3, "inertia": [0.07, 0.135, 0.07], "points": {"C": [0, 0, 0], "rim": [radius, 0, 0]},
                       "position": [0, y, radius], "velocity": [v, 0, 0], "angular_velocity": [0, v / radius, yaw]})
        joints.append({"name": f"bearing_{name}", "type": "revolute", "a": f"axle.{name}", "b": f"{name}.C", "axis": [0, 1, 0]})
        joints.append({"name": f"contact_{name}", "type": "rolling-disc", "a": "ground.O", "axis": [0, 0, 1], "b": f"{name}.C",
                       "axis_b": [0, 1, 0], "radius": radius})
    return {"driftless": 1, "name": "wheel-set", "description": "two rolling discs on one axle: redundant nonholonomic rows",
            "space": "spatial", "gravity": [0.7, 0.3, -G], "ground": {"points": {"O": [0, 0, 0]}}, "bodies": bodies,
            "joints": joints, "simulate": {"t_end": 0.5}}


# ---- spinning bodies -------------------------------------------------------------------------------------

def free_body():
    return {"driftless": 1, "name": "free-body", "description": "an asymmetric body that flips about its middle axis",
            "space": "spatial", "gravity": [0, 0, -G],
            "bodies": [{"name": "book", "mass": 0.6, "inertia": [0.0014, 0.0026, 0.0040], "points": {"corner": [0.115, 0.085, 0]},
                        "velocity": [0.5, 0, 3], "angular_velocity_body": [0.1, 9, 0.2]}], "simulate": {"t_end": 0.8}}


def gyroscope():
    def ring(name, mass, i, **more):
        return {"name": name, "mass": mass, "inertia": i, "points": {"C": [0, 0, 0], "rim": [0.1, 0, 0]}, **more}

    return {"driftless": 1, "name": "gyroscope", "description": "a fast rotor in two rings, pulled at one side", "space": "spatial",
            "gravity": [0, 0, -G], "ground": {"points": {"C": [0, 0, 0]}},
            "bodies": [ring("outer", 0.2, [0.002, 0.002, 0.003]), ring("inner", 0.2, [0.001, 0.0015, 0.001]),
                       ring("rotor", 1, [0.002, 0.004, 0.002])],
            "joints": [{"name": "z", "type": "revolute", "a": "ground.C", "b": "outer.C", "axis": [0, 0, 1]},
                       {"name": "x", "type": "revolute", "a": "outer.C", "b": "inner.C", "axis": [1, 0, 0]},
                       {"name": "y", "type": "revolute", "a": "inner.C", "b": "rotor.C", "axis": [0, 1, 0]}],
            "forces": [{"name": "weight", "type": "point-force", "at": {"body": "inner", "at": [0, 0.1, 0]}, "force": [0, 0, -2]}],
            "initial": {"joints": {"y": {"rate": 60}, "x": {"value": 0.3}}}, "simulate": {"t_end": 0.5}}


# ---- every other joint and force -------------------------------------------------------------------------

def _block(name, position, mass=1, **more):
    return {"name": name, "mass": mass, "inertia": [0.02, 0.03, 0.04], "center_of_mass": [0.05, 0.02, 0],
            "points": {"O": [0, 0, 0], "E": [0.4, 0.1, 0]}, "position": position, **more}


def spatial_tree():
    return {
        "driftless": 1, "name": "spatial-tree", "description": "cylindrical, screw and constant-velocity joints in a row; bushing, springs",
        "space": "spatial", "gravity": [0, 0, -G], "ground": {"points": {"O": [0, 0, 0], "S": [1, 1, 1]}, "axes": {"up": [0, 0, 2]}},
        "bodies": [_block("a", [0, 0, 0]), _block("b", [0.4, 0.1, 0]), _block("c", [0.8, 0.2, 0]),
                   _block("d", [0.2, 0.9, 0.1], orientation={"xyz": [0.1, 0.2, 0.3]}, angular_velocity=[1, 2, 0])],
        "joints": [{"name": "slide", "type": "cylindrical", "a": "ground.O", "axis": "ground.up", "b": "a.O"},
                   {"name": "thread", "type": "screw", "a": "a.E", "axis": [1, 0, 0], "b": "b.O", "pitch": 0.3},
                   {"name": "ball", "type": "constant-velocity", "a": "b.E", "b": "c.O", "axis": {"world": [1, 0.2, 0]}}],
        "forces": [{"name": "lift", "type": "tsda", "a": "ground.S", "b": "a.E", "law": "60*(x-1)+4*v", "actuator": "2*sin(3*t)"},
                   {"name": "coil", "type": "rsda", "joint": "slide", "stiffness": 3, "damping": 0.2, "law": "0.5*x^3"},
                   {"name": "rubber", "type": "bushing", "a": {"body": "ground", "at": [0.2, 0.9, 0.1]}, "b": "d.O",
                    "stiffness": [300, 200, 400], "damping": [2, 1, 3], "angular_stiffness": [2, 3, 4], "angular_damping": [0.01, 0.02, 0.01]},
                   {"name": "wind", "type": "point-force", "at": "c.E", "force": ["2*t", {"type": "harmonic", "amplitude": 3, "frequency": 9}, 1]},
                   {"name": "jet", "type": "follower-force", "at": "d.E", "direction": [0, 1, 1], "magnitude": 2},
                   {"name": "twist", "type": "torque", "body": "a", "reaction_on": "b", "torque": [0.1, 0, "0.3*cos(t)"]},
                   {"name": "drill", "type": "torque", "body": "d", "torque": [0.1, 0, 0], "frame": "body"}],
        "initial": {"joints": {"slide": {"angle": {"rate": 1}, "displacement": {"rate": 0.5}}, "thread": {"angle": {"rate": 2}}}},
        "simulate": {"t_end": 0.4},
    }


def spatial_gears():
    def wheel(name, position, mass=0.5):
        return {"name": name, "mass": mass, "inertia": [0.002, 0.002, 0.002], "points": {"C": [0, 0, 0], "rim": [0.1, 0, 0]},
                "position": position}

    return {
        "driftless": 1, "name": "spatial-gears", "description": "bevel gear, rack and pinion, coupler, a driven joint", "space": "spatial",
        "gravity": [0, 0, -G], "ground": {"points": {"O": [0, 0, 0], "P": [0.2, 0, 0], "R": [0.2, 0, -0.05], "N": [0, 0.3, 0]}},
        "bodies": [wheel("sun", [0, 0, 0]), wheel("bevel", [0.2, 0, 0]), wheel("rack", [0.2, 0, -0.05]), wheel("nut", [0, 0.3, 0]),
                   wheel("swing", [0, 0.3, -0.1])],
        "joints": [{"name": "sun_pin", "type": "revolute", "a": "ground.O", "b": "sun.C", "axis": [0, 0, 1]},
                   {"name": "bevel_pin", "type": "revolute", "a": "ground.P", "b": "bevel.C", "axis": [1, 0, 0]},
                   {"name": "mesh", "type": "gear", "a": "sun", "b": "bevel", "axis_a": [0, 0, 1], "axis_b": [1, 0, 0],
                    "radius_a": 0.1, "radius_b": 0.07},
                   {"name": "rack_guide", "type": "translational", "a": "ground.R", "axis": [0, 1, 0], "b": "rack.C"},
                   {"name": "teeth", "type": "rack-and-pinion", "carrier": "ground.P", "axis": [0, 1, 0], "rack": "rack.C",
                    "pinion": "bevel", "pinion_axis": [1, 0, 0], "radius": 0.05},
                   {"name": "nut_guide", "type": "translational", "a": "ground.N", "axis": [0, 0, 1], "b": "nut.C"},
                   {"name": "lead", "type": "coupler", "joint_a": "sun_pin", "joint_b": "nut_guide", "ratio": 0.04},
                   {"name": "swing_pin", "type": "revolute", "a": "nut.C", "b": {"body": "swing", "at": [0, 0, 0.1]}, "axis": [0, 1, 0]}],
        "drivers": [{"name": "lever", "type": "joint-coordinate", "joint": "swing_pin", "function": "0.3*sin(4*t)"}],
        "forces": [{"name": "motor", "type": "torque", "body": "sun", "torque": [0, 0, 0.4]}],
        "simulate": {"t_end": 0.4},
    }


def spatial_contacts():
    curve = [[math.cos(0.6 * i), math.sin(0.6 * i), 0.1 * i] for i in range(8)]
    return {
        "driftless": 1, "name": "spatial-contacts", "description": "points on planes, lines and curves, axes kept parallel or square, a tyre",
        "space": "spatial", "gravity": [0.4, 0.2, -G], "ground": {"points": {"O": [0, 0, 0]}},
        "bodies": [_block("puck", [0, 0, 0], velocity=[1, 0.5, 0]), _block("foot", [2, 0, 0], angular_velocity=[0.5, 0, 1]),
                   _block("bead", [1, 4, 0], velocity=[0, 0.5, 0.1]), _block("ring", [0, -3, 0], angular_velocity=[1, 0, 0]),
                   _block("upright", [5, 0, 0.55]), _block("square", [5, 3, 0], angular_velocity=[1, 0, 0])],
        "joints": [{"name": "table", "type": "planar", "a": "ground.O", "axis": [0, 0, 1], "b": "puck.O"},
                   {"name": "floor", "type": "point-on-plane", "a": "ground.O", "axis": [0, 0, 1], "b": "foot.O"},
                   {"name": "wire", "type": "point-on-curve", "a": {"body": "ground", "at": [0, 4, 0]}, "b": "bead.O",
                    "curve": {"points": curve}},
                   {"name": "rail", "type": "point-on-line", "a": {"body": "ground", "at": [0, -3, 0]}, "axis": [1, 0, 0.1], "b": "ring.O"},
                   {"name": "plumb", "type": "parallel-axes", "a": "ground", "b": "upright", "axis": [0, 0, 1]},
                   {"name": "level", "type": "perpendicular-axes", "a": "ground", "b": "square", "axis": [0, 0, 1], "axis_b": [1, 0, 0]},
                   {"name": "string", "type": "distance", "a": {"body": "ground", "at": [5, 3, 1]}, "b": "square.O", "length": 1}],
        "forces": [{"name": "tyre", "type": "tyre", "at": "upright.O", "radius": 0.5, "stiffness": 3000, "damping": 20, "contact": "bilateral",
                    "road": "0.05*sin(2*x)", "speed": 3}],
        "simulate": {"t_end": 0.3},
    }


def _plate(name, position, **more):
    return {"name": name, "mass": 1, "inertia": 0.05, "points": {"O": [0, 0], "E": [0.4, 0.1]}, "center_of_mass": [0.05, 0.02],
            "position": position, **more}


def planar_contacts():
    curve = [[1.5 * math.cos(2 * math.pi * i / 12), math.sin(2 * math.pi * i / 12)] for i in range(12)]
    return {
        "driftless": 1, "name": "planar-contacts", "description": "rolling wheels, a sled, a cam, springs and tyres on the ground",
        "gravity": [0.3, -G], "ground": {"points": {"O": [0, 0], "cam": [8, 0]}},
        "bodies": [_plate("wheel", [0, 0.5], center_of_mass=[0, 0]), _plate("hoop", [3, 0.4]),
                   _plate("sled", [5, 5], velocity=[1, 0], angular_velocity=1.5), _plate("follower", [9.5, 0]),
                   _plate("rail", [12, 1], angle=0.2), _plate("quarter", [15, 0.6]), _plate("flap", [18, 0])],
        "joints": [{"name": "roll", "type": "rolling", "a": "ground.O", "axis": [1, 0.0], "b": "wheel.O", "radius": 0.5},
                   {"name": "slip", "type": "rolling", "a": "ground.O", "axis": [1, 0], "b": "hoop.O", "radius": 0.4, "form": "velocity"},
                   {"name": "edge", "type": "knife-edge", "b": "sled.E", "axis": [0, 1]},
                   {"name": "rim", "type": "point-on-curve", "a": "ground.cam", "b": "follower.O", "curve": {"points": curve, "closed": True}},
                   {"name": "straight", "type": "relative-angle", "a": "ground", "b": "rail", "angle": 0.2},
                   {"name": "mast", "type": "point-on-line", "a": {"body": "ground", "at": [15, 0]}, "axis": [0, 1], "b": "quarter.O"},
                   {"name": "hinge", "type": "revolute", "a": {"body": "ground", "at": [18, 0]}, "b": "flap.O"}],
        "forces": [{"name": "rubber", "type": "bushing", "a": {"body": "ground", "at": [12, 1]}, "b": "rail.O", "stiffness": [300, 200],
                    "damping": [2, 1], "angular_stiffness": 3, "angular_damping": 0.1},
                   {"name": "tyre", "type": "tyre", "at": "quarter.O", "radius": 0.6, "stiffness": 4000, "damping": 30, "contact": "bilateral",
                    "road": {"type": "harmonic", "amplitude": 0.05, "frequency": 2}, "speed": 4, "origin": [10, -0.02]},
                   {"name": "coil", "type": "rsda", "a": "ground", "b": "flap", "stiffness": 4, "free_angle": 0.2, "law": "0.3*x^3+0.1*v"},
                   {"name": "push", "type": "point-force", "at": "wheel.E", "force": ["2*sin(5*t)", 1]},
                   {"name": "jet", "type": "follower-force", "at": "hoop.E", "direction": [0, 1], "magnitude": 1}],
        "simulate": {"t_end": 0.4},
    }


# ---- rows that come and go, and structures ---------------------------------------------------------------

def planar_bumpers():
    hump = [[-1 + 0.25 * i, 0.3 * math.cos(math.pi * (-1 + 0.25 * i) / 2)] for i in range(9)]
    return {
        "driftless": 1, "name": "planar-bumpers", "gravity": [0, -G],
        "description": "discs that meet, a ball on a hump, a wheel on waves, a pendulum between stops with a dry pin, a slider that rubs, a truss that bends",
        "ground": {"points": {"O": [0, 0], "hump": [6, 0], "pin": [10, 0], "rail": [14, 0], "wall": [18, 0], "top": [22, 0]}},
        "bodies": [_plate("left", [0, 0], velocity=[2, 3.5], angular_velocity=1), _plate("right", [1.2, 0.1], velocity=[-2, 3.5]),
                   _plate("ball", [6.2, 0.6]), _plate("arm", [10, 0], angle=0.3),
                   _plate("shoe", [14, 0], velocity=[1.5, 0], center_of_mass=[0, 0]),
                   _plate("cart", [26, 0], velocity=[1.5, 0], center_of_mass=[0, 0]), _plate("mast", [18, 0.5]), _plate("lift", [22, -1], center_of_mass=[0, 0]),
                   _plate("wheel", [34, 0.25], velocity=[3, 0], center_of_mass=[0, 0])],
        "joints": [{"name": "pin", "type": "revolute", "a": "ground.pin", "b": "arm.O", "stops": {"min": -0.4, "max": 0.5, "restitution": 0.5},
                    "friction": {"torque": 0.02}},
                   {"name": "rail", "type": "translational", "a": "ground.rail", "axis": [1, 0], "b": "shoe.O",
                    "friction": {"coefficient": 0.2, "static": 0.3}},
                   {"name": "buffer", "type": "translational", "a": {"body": "ground", "at": [26, 0]}, "axis": [1, 0], "b": "cart.O",
                    "stops": {"max": 0.1, "stiffness": 2000}},
                   {"name": "guide", "type": "translational", "a": "ground.top", "axis": [0, 1], "b": "lift.O"}],
        "drivers": [{"name": "hoist", "type": "distance", "a": "ground.top", "b": "lift.O", "function": "1 + 0.2*sin(4*t)"}],
        "forces": [{"name": "bar", "type": "truss", "a": "ground.wall", "b": "mast.O", "stiffness": 900, "free_length": 0.5},
                   {"name": "link", "type": "axial-spring", "a": "mast.O", "b": "lift.O", "stiffness": 40, "free_length": 3},
                   {"name": "stiff", "type": "bending", "a": "ground.wall", "center": "mast.O", "b": "lift.O", "stiffness": 3}],
        "contacts": [{"name": "discs", "type": "circle-circle", "a": {"body": "left", "at": [0.05, 0.02]},
                      "b": {"body": "right", "at": [0.05, 0.02]}, "radius_a": 0.3, "radius_b": 0.2, "restitution": 0.9,
                      "friction": {"coefficient": 0.2}},
                     {"name": "lands", "type": "point-curve", "a": "ground.hump", "curve": {"points": hump}, "b": "ball.O",
                      "restitution": 0.6, "friction": {"coefficient": 0.3}},
                     {"name": "waves", "type": "point-road", "a": {"body": "ground", "at": [34, 0]}, "b": "wheel.O", "radius": 0.25,
                      "along": [1, 0], "road": "0.1*(cos(1.5*x) - 1)", "friction": {"coefficient": 0.4}}],
        "simulate": {"t_end": 0.35},
    }


def spatial_bumpers():
    return {
        "driftless": 1, "name": "spatial-bumpers", "description": "balls that meet, a point that slides on the floor, a gate with a stop",
        "space": "spatial", "gravity": [0, 0, -G], "ground": {"points": {"O": [0, 0, 0]}},
        "bodies": [_block("left", [0, 0, 5], velocity=[2, 0, 0], angular_velocity=[1, 2, 3]), _block("right", [1, 0.1, 5]),
                   {"name": "puck", "mass": 1, "inertia": [0.004, 0.004, 0.004], "points": {"c": [0, 0, 0]}, "position": [5, 0, 0],
                    "velocity": [1, 0.5, 0]},
                   _block("gate", [9, 0, 0], angular_velocity=[0, 0, 2])],
        "joints": [{"name": "hinge", "type": "revolute", "a": {"body": "ground", "at": [9, 0, 0]}, "axis": [0, 0, 1],
                    "b": {"body": "gate", "at": [0, 0, 0]}, "stops": {"max": 0.3, "restitution": 0.7}, "friction": {"torque": 0.03}}],
        "contacts": [{"name": "balls", "type": "sphere-sphere", "a": {"body": "left", "at": [0, 0, 0]},
                      "b": {"body": "right", "at": [0, 0, 0]}, "radius_a": 0.2, "radius_b": 0.2, "restitution": 0.8,
                      "friction": {"coefficient": 0.3}},
                     {"name": "floor", "type": "point-plane", "a": "ground.O", "normal": [0, 0, 1], "b": "puck.c",
                      "friction": {"coefficient": 0.2}}],
        "simulate": {"t_end": 0.4},
    }


MAKERS = (sarrus, bennett, six_bar, straight_line, planar_straight_line, three_crank, door, wheel_set, free_body, gyroscope,
          spatial_tree, spatial_gears, spatial_contacts, planar_contacts, planar_bumpers, spatial_bumpers)
REDUNDANT = ("sarrus", "bennett", "six-bar", "straight-line", "three-crank", "door", "wheel-set", "bricard", "spatial-four-bar")


def mechanisms():
    return {model["name"]: model for model in (make() for make in MAKERS)}
