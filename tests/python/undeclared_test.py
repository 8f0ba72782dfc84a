"""What runs record without being asked for it: joint coordinates with rates, forces of springs, dampers, bushings, tyres, contacts and
drivers. Each against what is known of the motion, in every coordinate set that takes the model."""

import math
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _cli import CliTest, bar, main, read_csv  # noqa: E402

G = 9.81


def block(name="block", mass=2.0, position=(0.0, 0.0), **fields):
    return {"name": name, "mass": mass, "inertia": 0.1, "points": {"c": [0, 0]}, "position": list(position), **fields}


def planar(**fields):
    return {"driftless": 1, "name": "m", "gravity": [0, -G], "ground": {"points": {"O": [0, 0], "top": [0, 1]}},
            "simulate": {"t_end": 0.6, "rtol": 1e-9, "output_step": 0.05}, **fields}


class UndeclaredTest(CliTest):
    def records(self, model, *arguments):
        out = self.path("r.csv")
        self.ok("run", self.write("m.json", model), "--out", out, "--quiet", *arguments)
        rows = [{name.split(" [")[0]: float(value) for name, value in row.items() if value} for row in read_csv(out)[1]]
        self.assertGreater(len(rows), 5)
        return rows

    def each(self, model, sets=("reference-point", "natural", "relative")):
        for coordinates in sets:
            for row in self.records(model, "--coordinates", coordinates):
                yield coordinates, row

    def test_springs_dampers_and_coordinates_of_joints(self):
        model = planar(
            bodies=[block(position=(0, -0.3))],
            joints=[{"name": "slide", "type": "translational", "a": "ground.O", "axis": [0, 1], "b": "block.c"}],
            forces=[{"name": "strut", "type": "tsda", "a": "ground.top", "b": "block.c", "stiffness": 200, "free_length": 1, "damping": 3},
                    {"name": "brake", "type": "tsda", "joint": "slide", "damping": 7},
                    {"name": "mount", "type": "bushing", "a": "ground.O", "b": "block.c", "stiffness": [10, 50], "damping": [0, 2],
                     "angular_stiffness": 0}])
        for coordinates, row in self.each(model):
            y, v = row["slide.displacement"], row["slide.displacement_rate"]
            self.assertAlmostEqual(row["strut.force"], 200 * ((1 - y) - 1) - 3 * v, 6, coordinates)
            self.assertAlmostEqual(row["brake.force"], 7 * v, 6, coordinates)
            self.assertAlmostEqual(row["mount.fy"], -50 * y - 2 * v, 6, coordinates)
        names, declared = (set(self.records(model, "--record", word)[0]) for word in ("all", "declared"))
        self.assertEqual(names - declared, {"slide.displacement", "slide.displacement_rate", "strut.force", "brake.force",
                                            "mount.fx", "mount.fy", "mount.tz"})

    def test_drivers(self):
        """A bar turned by a motor: torque from its inertia and its weight. A rod pushed and pulled: force likewise."""
        model = planar(
            bodies=[bar("bar", 0.5, 0.0), block(position=(2, 0.5))],
            joints=[{"name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A"},
                    {"name": "slide", "type": "translational", "a": {"body": "ground", "at": [2, 0]}, "axis": [0, 1], "b": "block.c"}],
            drivers=[{"name": "motor", "type": "angle", "a": "ground", "b": "bar", "function": "0.3*sin(2*t)"},
                     {"name": "piston", "type": "displacement", "a": {"body": "ground", "at": [2, 0]}, "axis": [0, 1], "b": "block.c",
                      "function": "0.5 + 0.1*sin(3*t)"}])
        for coordinates, row in self.each(model):
            t = row["t"]
            angle, alpha = 0.3 * math.sin(2 * t), -1.2 * math.sin(2 * t)
            self.assertAlmostEqual(row["pin.angle"], angle, 8, coordinates)
            self.assertAlmostEqual(row["pin.angle_rate"], 0.6 * math.cos(2 * t), 8, coordinates)
            self.assertAlmostEqual(row["motor.torque"], (0.1 + 0.25) * alpha + G * 0.5 * math.cos(angle), 6, coordinates)
            self.assertAlmostEqual(row["piston.force"], 2 * (G - 0.9 * math.sin(3 * t)), 6, coordinates)

    def test_path_drivers(self):
        """A free block led along a circle: both components of what leads it."""
        model = planar(bodies=[block(position=(1, 0))],
                       drivers=[{"name": "hand", "type": "path", "a": "ground.O", "b": "block.c", "function": ["cos(2*t)", "sin(2*t)"]}])
        for coordinates, row in self.each(model, ("reference-point", "natural")):
            t = row["t"]
            self.assertAlmostEqual(row["hand.fx"], -8 * math.cos(2 * t), 6, coordinates)
            self.assertAlmostEqual(row["hand.fy"], -8 * math.sin(2 * t) + 2 * G, 6, coordinates)

    def test_cylinder(self):
        """The driver `distance` is the rod of a hydraulic cylinder: on a block straight above it the weight and the inertia."""
        model = planar(
            bodies=[block(position=(0, 0.5))],
            joints=[{"name": "slide", "type": "translational", "a": "ground.O", "axis": [0, 1], "b": "block.c"}],
            drivers=[{"name": "cylinder", "type": "distance", "a": "ground.O", "b": "block.c", "function": "0.5 + 0.1*sin(3*t)"}])
        for coordinates, row in self.each(model):
            self.assertAlmostEqual(row["slide.displacement"], 0.5 + 0.1 * math.sin(3 * row["t"]), 8, coordinates)
            self.assertAlmostEqual(row["cylinder.force"], 2 * (G - 0.9 * math.sin(3 * row["t"])), 6, coordinates)

    def test_tyres(self):
        model = planar(
            bodies=[block(position=(0, 0.3))],
            joints=[{"name": "slide", "type": "translational", "a": "ground.O", "axis": [0, 1], "b": "block.c"}],
            forces=[{"name": "tyre", "type": "tyre", "at": "block.c", "radius": 0.28, "stiffness": 5000, "damping": 40, "road": 0}])
        seen = set()
        for coordinates, row in self.each(model):
            depth = 0.28 - row["slide.displacement"]
            push = max(0.0, 5000 * depth - 40 * row["slide.displacement_rate"]) if depth > 1e-9 else 0.0
            if abs(depth) > 1e-6:
                self.assertAlmostEqual(row["tyre.force"], push, 4, coordinates)
            seen.add(push > 0)
        self.assertEqual(seen, {True, False})

    def test_contacts(self):
        """A block that falls on the floor, rests, and carries its weight."""
        model = planar(
            bodies=[block(position=(0, 0.1))],
            contacts=[{"name": "floor", "type": "point-plane", "a": "ground.O", "normal": [0, 1], "b": "block.c"}])
        rows = self.records(model)
        fall = math.sqrt(2 * 0.1 / G)
        for row in rows:
            if abs(row["t"] - fall) > 1e-6:
                self.assertAlmostEqual(row["floor.normal"], 2 * G if row["t"] > fall else 0, 6)

    def test_spatial(self):
        """A wheel on an axle with a spiral spring, a damper and a bushing at the end of its turns."""
        model = {"driftless": 1, "name": "m", "space": "spatial", "ground": {"points": {"O": [0, 0, 0]}},
                 "bodies": [{"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.2], "points": {"c": [0, 0, 0]}}],
                 "joints": [{"name": "axle", "type": "cylindrical", "a": "ground.O", "b": "wheel.c", "axis": [0, 0, 1]}],
                 "initial": {"joints": {"axle": {"angle": {"rate": 9}, "displacement": {"rate": 0.4}}}},
                 "forces": [{"name": "spiral", "type": "rsda", "joint": "axle", "stiffness": 0.5, "damping": 0.02},
                            {"name": "spring", "type": "tsda", "joint": "axle", "stiffness": 80}],
                 "simulate": {"t_end": 1, "rtol": 1e-9, "output_step": 0.1}}
        turned = 0
        for coordinates, row in self.each(model, ("reference-point", "euler-parameters", "natural", "relative")):
            self.assertAlmostEqual(row["spiral.force"], 0.5 * row["axle.angle"] + 0.02 * row["axle.angle_rate"], 6, coordinates)
            self.assertAlmostEqual(row["spring.force"], 80 * row["axle.displacement"], 6, coordinates)
            turned = max(turned, row["axle.angle"])
        self.assertGreater(turned, math.pi)  # turns count


if __name__ == "__main__":
    main()
