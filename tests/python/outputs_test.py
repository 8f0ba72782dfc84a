"""Outputs of models against one another and against what is known of the motion: accelerations, distances, angles, expressions."""

import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _cli import PENDULUM, CliTest, main  # noqa: E402


def pendulum(outputs):
    model = json.loads(json.dumps(PENDULUM))
    model["outputs"] = outputs
    model["simulate"] = {"t_end": 0.7, "rtol": 1e-10, "output_step": 0.35}
    return model


PLANAR = [
    {"name": "angle", "type": "joint", "joint": "pin", "value": "angle"},
    {"name": "angle_deg", "type": "joint", "joint": "pin", "value": "angle", "unit": "deg"},
    {"name": "rate_deg", "type": "joint", "joint": "pin", "value": "rate", "unit": "deg"},
    {"name": "w", "type": "body", "body": "bob", "component": "wz"},
    {"name": "alpha", "type": "body", "body": "bob", "component": "alphaz"},
    {"name": "tip_x", "type": "point", "point": "bob.B", "component": "x"},
    {"name": "tip_y", "type": "point", "point": "bob.B", "component": "y"},
    {"name": "tip_ax", "type": "point", "point": "bob.B", "component": "ax"},
    {"name": "tip_ay", "type": "point", "point": "bob.B", "component": "ay"},
    {"name": "ax", "type": "body", "body": "bob", "component": "ax"},
    {"name": "fx", "type": "reaction", "joint": "pin", "component": "fx"},
    {"name": "far", "type": "distance", "a": "ground.O", "b": "bob.B"},
    {"name": "far_rate", "type": "distance", "a": {"body": "ground", "at": [2, 0]}, "b": "bob.B", "value": "rate"},
    {"name": "between", "type": "angle", "a": "ground", "direction_a": [0, 1], "b": "bob", "direction_b": [1, 0]},
    {"name": "reach", "type": "expression", "expression": "sqrt(tip_x^2 + tip_y^2)", "unit": "m"},
    {"name": "twice", "type": "expression", "expression": "2*angle_deg + t", "unit": "deg"},
]


class OutputsTest(CliTest):
    def test_planar(self):
        path = self.write("m.json", pendulum(PLANAR))
        for coordinates in ("reference-point", "natural", "relative"):
            with self.subTest(coordinates=coordinates):
                out = self.json_of("run", path, "--coordinates", coordinates)
                q = out["final"]["quantities"]
                theta, w, alpha = q["angle"], q["w"], q["alpha"]
                # I alpha = -m g l cos(theta) about the pin, I = 0.1 + 1 * 0.5^2
                self.assertAlmostEqual(alpha, -9.81 * 0.5 * math.cos(theta) / 0.35, places=8)
                self.assertAlmostEqual(q["angle_deg"], math.degrees(theta), places=10)
                self.assertAlmostEqual(q["rate_deg"], math.degrees(w), places=9)
                self.assertAlmostEqual(q["tip_ax"], -alpha * math.sin(theta) - w * w * math.cos(theta), places=8)
                self.assertAlmostEqual(q["tip_ay"], alpha * math.cos(theta) - w * w * math.sin(theta), places=8)
                self.assertAlmostEqual(q["fx"], q["ax"], places=8)  # a mass of 1 kg
                self.assertAlmostEqual(q["far"], 1, places=8)
                self.assertAlmostEqual(q["reach"], 1, places=8)
                self.assertAlmostEqual(q["between"], theta - math.pi / 2, places=8)
                self.assertAlmostEqual(q["twice"], 2 * q["angle_deg"] + 0.7, places=9)
                d = math.hypot(q["tip_x"] - 2, q["tip_y"])
                rate = ((q["tip_x"] - 2) * -w * math.sin(theta) + q["tip_y"] * w * math.cos(theta)) / d
                self.assertAlmostEqual(q["far_rate"], rate, places=8)

    def test_expressions_see_what_is_before_them(self):
        path = self.write("m.json", pendulum([{"name": "a", "type": "expression", "expression": "later"}, PLANAR[5]]))
        self.refused("check", path, words=("outputs[0]", "listed before it"))

    def test_accelerations_do_not_stop_a_run(self):
        model = pendulum([PLANAR[4], {"name": "double", "type": "expression", "expression": "2*alpha"}])
        for name in ("alpha", "double"):
            model["simulate"]["stop_when"] = [{"output": name, "crosses": 0}]
            self.refused("check", self.write("m.json", model), words=("needs forces",))

    def test_spatial(self):
        """A body that turns freely about one axis after another: yaw counts its turns, accelerations agree in all sets."""
        model = {
            "driftless": 1, "space": "spatial", "gravity": [0, 0, -9.81], "ground": {"points": {"O": [0, 0, 0]}},
            "bodies": [{"name": "top", "mass": 2, "inertia": [0.3, 0.3, 0.1], "center_of_mass": [0, 0, 0.4],
                        "points": {"O": [0, 0, 0]}, "angular_velocity": [0.1, 0.3, 20]}],
            "joints": [{"name": "ball", "type": "spherical", "a": "ground.O", "b": "top.O"}],
            "outputs": [{"name": n, "type": "body", "body": "top", "component": n}
                        for n in ("yaw", "pitch", "roll", "ax", "ay", "az", "alphax", "alphaz")],
            "simulate": {"t_end": 1, "rtol": 1e-10},
        }
        path = self.write("top.json", model)
        found = {}
        for coordinates in ("reference-point", "euler-parameters", "natural", "relative"):
            out = self.json_of("run", path, "--coordinates", coordinates)
            found[coordinates] = out["final"]["quantities"]
        first = found["reference-point"]
        self.assertGreater(first["yaw"], 15)  # three turns
        for other in found.values():
            for name, value in first.items():
                self.assertAlmostEqual(other[name], value, delta=2e-6 * max(1, abs(value)), msg=name)

    def test_distance_driver(self):
        """A bar lifted by a cylinder: the angle follows from the triangle, the force from virtual work."""
        model = json.loads(json.dumps(PENDULUM))
        model["bodies"][0]["angle"] = 0.3
        model["ground"]["points"]["C"] = [0, -1]
        model["drivers"] = [{"name": "cylinder", "type": "distance", "a": "ground.C", "b": "bob.B", "function": "1.5 + 0.1*sin(t)"}]
        model["outputs"] = [{"name": "angle", "type": "joint", "joint": "pin", "value": "angle"},
                            {"name": "far", "type": "distance", "a": "ground.C", "b": "bob.B"},
                            {"name": "rate", "type": "distance", "a": "ground.C", "b": "bob.B", "value": "rate"}]
        model["simulate"] = {"t_end": 1.3, "rtol": 1e-9}
        path = self.write("m.json", model)
        length = 1.5 + 0.1 * math.sin(1.3)
        for coordinates in ("reference-point", "natural", "relative"):
            q = self.json_of("run", path, "--coordinates", coordinates)["final"]["quantities"]
            self.assertAlmostEqual(q["far"], length, places=9)
            self.assertAlmostEqual(q["rate"], 0.1 * math.cos(1.3), places=8)
            self.assertAlmostEqual(math.sin(q["angle"]), (length * length - 2) / 2, places=8)
        model["drivers"][0]["function"] = "-1"
        self.refused("check", self.write("m.json", model), words=("drivers[0].function", "> 0"))

    def test_shell(self):
        script = self.ok("completion", "bash").stdout
        self.assertIn("generalized-alpha", script)
        self.assertIn("andrews\n", self.ok("completion", "targets").stdout)
        self.refused("completion", "tcsh", words=("'bash', 'zsh', 'fish'",))
        self.assertIn(".SH DRIFTLESS RUN", self.ok("man").stdout)

    def test_laws_read_the_pitch(self):
        """Of a bar on a hinge along y the pitch is the angle of the hinge: both hold it alike."""
        def model(signal):
            return self.write(f"{signal}.json", {
                "driftless": 1, "space": "spatial", "gravity": [0, 0, -9.81], "ground": {"points": {"O": [0, 0, 0]}},
                "bodies": [{"name": "bar", "mass": 2, "inertia": [0.1, 0.3, 0.35], "points": {"A": [-0.4, 0, 0]}, "position": [0.4, 0, 0]}],
                "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A", "axis": [0, 1, 0]}],
                "outputs": [{"name": "pitch", "type": "body", "body": "bar", "component": "pitch"},
                            {"name": "yaw", "type": "body", "body": "bar", "component": "yaw"}],
                "forces": [{"name": "motor", "type": "torque", "body": "bar", "torque": [0, f"-40*{signal}", 0]}],
                "simulate": {"t_end": 1, "rtol": 1e-9}})
        pitch, angle = model("pitch"), model("pin.angle")
        for coordinates in ("reference-point", "euler-parameters", "natural", "relative"):
            for method in ((), ("--formulation", "index3", "--integrator", "generalized-alpha", "--rtol", "1e-6")):
                a, b = (self.json_of("run", m, "--coordinates", coordinates, *method)["final"]["quantities"]["pitch"] for m in (pitch, angle))
                self.assertLess(abs(a - b), 1e-4 if method else 1e-8, (coordinates, method))

    def test_laws_read_yaw_and_roll(self):
        """Of a bar that turns about the vertical, or about its own x, they are the angle of the hinge, turns and all: a soft spring winds up."""
        def model(signal, axis):
            return self.write(f"{signal}.json", {
                "driftless": 1, "space": "spatial", "ground": {"points": {"O": [0, 0, 0]}},
                "bodies": [{"name": "bar", "mass": 2, "inertia": [0.1, 0.3, 0.35], "points": {"A": [0, 0, 0]}}],
                "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A", "axis": axis}],
                "initial": {"joints": {"pin": {"rate": 20}}},
                "outputs": [{"name": n, "type": "body", "body": "bar", "component": n} for n in ("roll", "yaw", "alphaz")],
                "forces": [{"name": "spring", "type": "torque", "body": "bar", "torque": [f"-0.5*{signal}*{axis[0]}", 0, f"-0.5*{signal}*{axis[2]}"]}],
                "simulate": {"t_end": 1, "rtol": 1e-9}})
        for name, axis in (("yaw", [0, 0, 1]), ("roll", [1, 0, 0])):
            read, hinge = model(name, axis), model("pin.angle", axis)
            for coordinates in ("reference-point", "euler-parameters", "natural", "relative"):
                a, b = (self.json_of("run", m, "--coordinates", coordinates)["final"]["quantities"] for m in (read, hinge))
                self.assertAlmostEqual(a[name], b["pin.angle"], delta=1e-6, msg=(name, coordinates))
                self.assertGreater(abs(a[name]), 6.3)
            self.assertEqual(self.json_of("check", read)["dof"], 1)
        self.refused("run", model("alphaz", [0, 0, 1]), words=["alphaz", "follows from accelerations"])


if __name__ == "__main__":
    main()
