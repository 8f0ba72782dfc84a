"""Parameters from outside: --set, what check and results say of them, included files and tables, going on from a file."""

import json
import os
import sys

import h5py

sys.path.insert(0, os.path.dirname(__file__))
from _cli import PENDULUM, CliTest, main  # noqa: E402

ROOT = os.environ.get("DRIFTLESS_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
HALF_CAR = os.path.join(ROOT, "examples", "half-car", "half-car.json")


def pendulum(**changes):
    model = json.loads(json.dumps(PENDULUM))
    model["parameters"] = {"m": {"value": 1, "unit": "kg", "max": 5}, "I": "m/10", "unused": 3}
    model["bodies"][0].update(mass="m", inertia="I")
    model.update(changes)
    return model


class ParametersTest(CliTest):
    def test_set(self):
        path = self.write("m.json", pendulum())
        plain = self.write("plain.json", PENDULUM)
        self.assertEqual(self.json_of("run", path)["final"]["q"], self.json_of("run", plain)["final"]["q"])
        out = self.json_of("run", path, "--set", "m=g(2500)")
        self.assertEqual(out["parameters"]["m"], {"value": 2.5, "unit": "kg", "max": 5.0})
        self.assertEqual(out["parameters"]["I"], {"value": 0.25, "expression": "m/10"})
        self.assertIn("--set 'm=g(2500)'", out["command"])

    def test_check_says_where(self):
        path = self.write("m.json", pendulum())
        found = self.json_of("check", path)["parameters"]
        self.assertEqual(found["m"]["used_in"], ["parameters.I", "bodies[0].mass"])
        self.assertEqual(found["unused"]["used_in"], [])
        self.assertIn("used nowhere", self.ok("check", path).stdout)

    def test_mistakes(self):
        path = self.write("m.json", pendulum())
        for arguments, message in ((["--set", "m=9"], "parameters.m: expected a value of at most 5 kg, found 9"),
                                   (["--set", "n=9"], "parameters.n: expected one of 'm', 'I' or 'unused', found 'n'"),
                                   (["--set", "m"], "--set: expected NAME=VALUE, found 'm'"),
                                   (["--set", "m=1", "--set", "m=2"], "--set: expected each name once"),
                                   (["--set", "m=1/0"], "--set: expected NAME=VALUE")):
            self.refused("run", path, *arguments, words=[message])
        self.refused("run", "andrews", "--set", "m=1", words=["--option NAME=VALUE"])

    def test_files_carry_them(self):
        path = self.write("m.json", pendulum())
        out = self.path("r.h5")
        self.ok("run", path, "--set", "m=2", "--out", out)
        with h5py.File(out) as file:
            self.assertEqual(file["parameters/m"][()], 2)
            self.assertEqual(list(file["parameter_names"].asstr()), ["m", "I", "unused"])
            self.assertEqual(list(file["parameter_units"].asstr()), ["kg", "", ""])
        self.ok("run", path, "--set", "m=2", "--out", self.path("r.csv"))
        with open(self.path("r.csv"), encoding="utf-8") as file:
            self.assertIn("# parameter m: 2 kg\n", file.read())
        same = self.json_of("run", path, "--set", "m=2", "--t-end", "1", "--from", out)
        self.assertEqual(same["notices"], [])
        other = self.json_of("run", path, "--t-end", "1", "--from", out)
        self.assertIn("parameter m is not the same there", other["notices"][0])

    def test_half_car(self):
        out = self.json_of("run", HALF_CAR)
        self.assertLess(out["assembly"]["moved_length"], 1e-12)
        stiff = self.json_of("run", HALF_CAR, "--set", "front_k=40000")
        self.assertEqual(stiff["parameters"]["front_k"]["value"], 40000)
        self.assertEqual(out["parameters"]["rear_lag"]["value"], 2.5)
        self.refused("compare", HALF_CAR, "--set", "front_k=1", words=["include[0](corner.json).parameters.k: expected a value"])


if __name__ == "__main__":
    main()
