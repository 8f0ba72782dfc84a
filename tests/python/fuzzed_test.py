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


if __name__ == "__main__":
    main()
