#!/usr/bin/env python3
"""What is wrong with flexible bodies in model files is said with its path, exit status 2: nothing is left out silently."""

import copy
import json
import pathlib
import re

from _cli import CliTest, driftless, main

try:
    import h5py
except ImportError:
    h5py = None

SEEDS = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "seeds"


def seed(name):
    return json.loads(re.sub(r"//[^\n]*", "", (SEEDS / name).read_text()))


class FlexibleInput(CliTest):
    def refused(self, model, where, words):
        path = self.write("model.json", json.dumps(model))
        done = driftless("run", path, "--t-end", "0.001", "--quiet")
        self.assertEqual(done.returncode, 2, (where, done.stderr))
        self.assertIn(where, done.stderr)
        self.assertRegex(done.stderr, words)

    def flexible(self, name, body, key, value, where, words):
        model = copy.deepcopy(seed(name))
        spec = model["bodies"][body]["flexible"]
        *above, last = key.split("/")
        for step in above:
            spec = spec[step]
        spec[last] = value
        self.refused(model, f"bodies[{body}].flexible.{where}", words)

    def test_nodes_have_whole_numbers(self):
        self.flexible("beams.json", 1, "masses", [[0.5, 1]], "masses[0]", "a whole number")
        self.flexible("beams.json", 2, "connect", [[0, 1], [1, 2.5], [1, 3]], "connect[1]", "two numbers of nodes")
        self.flexible("imported-modes.json", 0, "data/connect", [[0, 1e300]], "data.connect[0]", "two numbers of nodes")

    def test_points_without_a_place(self):
        model = seed("beams.json")
        model["bodies"][1]["points"]["M"] = {}
        self.refused(model, "bodies[1].points.M", "a node or a fraction of the length")

    def test_coordinates_there_are_not(self):
        self.flexible("beams.json", 3, "initial", {"deflection": {"mode9": 1}}, "initial.deflection.mode9", "an elastic coordinate")
        self.flexible("beams.json", 3, "initial", {"rates": {"mode4": 1}}, "initial.rates.mode4", "an elastic coordinate")
        # Held by the frame: simply supported at both ends.
        self.flexible("beams.json", 1, "initial", {"deflection": {"n0.v": 0.01}}, "initial.deflection.n0.v", "an elastic coordinate")
        self.flexible("imported-modes.json", 0, "initial", {"deflection": {"mode3": 1}}, "initial.deflection.mode3", "an elastic coordinate")

    def test_numbers_of_modes(self):
        self.flexible("beams.json", 2, "modes/count", 7, "modes.count", "at most 6, the coordinates of the nodes inside")
        self.flexible("beams.json", 3, "damping", {"modal": [0.01] * 4}, "damping.modal", "one ratio for all, or one for each of the 3 modes")

    def test_imported_modes_that_cannot_be(self):
        self.flexible("imported-modes.json", 0, "data/inertia", [-1, 0, 0], "inertia[0]", "a number ≥ 0")
        self.flexible("imported-modes.json", 0, "data/damping", [-1, 0.1], "damping", "takes energy")

    def test_empty_datasets_of_any_size(self):
        if h5py is None:
            self.skipTest("h5py is not installed")
        model = seed("imported-modes-in-space.json")
        model["bodies"][1]["flexible"]["file"] = "modes.h5"
        with h5py.File(self.path("modes.h5"), "w") as file:
            for key, value in seed("modes.json").items():
                if key != "mass":
                    file[key] = value
            file.create_dataset("mass", shape=(2**33, 0))
        self.refused(model, "bodies[1].flexible.file.mass", "3 masses, one a node")


if __name__ == "__main__":
    main()
