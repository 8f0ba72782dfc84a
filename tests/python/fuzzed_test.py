#!/usr/bin/env python3
"""Cases that tools/fuzz or other hostile users have found: each once ended the program by a signal."""

import json

from _cli import CliTest, driftless, main

# Seed 1001005: friction that stands on its root to round-off restarted itself until the stack was full.
STANDING = json.loads("""{"driftless": 1, "name": "friction-pendulum", "description": "a pendulum with dry friction in its pin", "gravity": [-2147483648, -9.81], "ground": {"points": {"O": [0, 0]}}, "bodies": [{"name": "arm", "mass": 1, "inertia": 1e-09, "center_of_mass": [0, -1], "points": {"O": [0, 0], "tip": [0, -1]}, "position": [0, 0], "angle": 0.05}], "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.O", "friction": {"torque": 0.05}}], "outputs": [{"name": "angle", "type": "joint", "joint": "pin", "value": "angle"}], "simulate": {"t_end": 12, "rtol": 1e-10, "atol": 1e-12}}""")


class Fuzzed(CliTest):
    def test_friction_on_its_root(self):
        path = self.write("model.json", json.dumps(STANDING))
        done = driftless("run", path, "--t-end", "0.05", "--max-steps", "200", "--rtol", "1e-8")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        if done.returncode == 1:
            self.assertRegex(done.stderr, "without time passing|steps were not enough")

    def test_long_names_in_ticks(self):
        """Settings in messages stand in ticks: long names that look like them once filled the stack."""
        name = "`a=" + "x" * 1_000_000
        torque = {"name": "f", "type": "torque", "body": "b", "torque": "sqrt(0.01 - t)"}
        path = self.write("model.json", json.dumps({"driftless": 1, "name": name, "forces": [torque], "bodies": [{"name": "b", "mass": 1, "inertia": 1}]}))
        done = driftless("run", path, "--t-end", "1", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr[-200:])
        self.assertEqual(driftless("check", path).returncode, 0)

    def test_weight_of_a_cylinder_without_an_end(self):
        """Seed 110000237: its place could not be read, and it was weighed all the same."""
        shape = {"type": "cylinder", "from": [0, 0, 0], "to": [0, 0, []], "radius": 0.1, "density": 700}
        for shape["type"] in ("cylinder", "capsule"):
            path = self.write("model.json", json.dumps({"driftless": 1, "bodies": [{"name": "b", "shapes": [shape]}]}))
            done = driftless("check", path)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("bodies[0].shapes[0].to", done.stderr)

    def test_switches_by_outputs_with_systems_for_the_start(self):
        """Seed 70000106: a switch by an output asked the auxiliary systems of the start, which have none, about it."""
        for dimension in (2, 3):
            at = [0.5] + [0] * (dimension - 1)
            body = {"name": "arm", "mass": 1, "inertia": 0.1 if dimension == 2 else [0.1, 0.1, 0.1], "points": {"O": [0] * dimension, "T": at}}
            model = {
                "driftless": 1,
                "space": "planar" if dimension == 2 else "spatial",
                "gravity": [0, -9.81] + [0] * (dimension - 2),
                "bodies": [body],
                "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.O"}],
                "ground": {"points": {"O": [0] * dimension}},
                "outputs": [{"name": "h", "type": "point", "point": "arm.T", "component": "y"}],
                "switches": [{"name": "release", "joint": "pin", "do": "off", "when": {"output": "h", "crosses": -0.3, "direction": "down"}}],
                "initial": {"joints": {"pin": {"value": 0.3, "rate": -1}}},
                "simulate": {"t_end": 0.5},
            }
            if dimension == 3:
                model["joints"][0]["axis"] = [0, 0, 1]
            for kind in ("rigid", "beam"):
                if kind == "beam":
                    beam = {"type": "beam", "from": [0] * dimension, "to": at, "elements": 2, "initial": {"relaxed": True}}
                    beam["section"] = {"type": "rectangle", "width": 0.02, "height": 0.02}
                    beam["material"] = {"youngs_modulus": 2e9, "poisson": 0.3, "density": 2700}
                    model["bodies"] = [{"name": "arm", "flexible": beam, "points": body["points"]}]
                done = driftless("run", self.write("model.json", json.dumps(model)), "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("release", done.stdout)


if __name__ == "__main__":
    main()
