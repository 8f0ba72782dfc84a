#!/usr/bin/env python3
"""Result files open in xarray with named axes, with both of its engines for HDF5, whole and while they grow."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import unittest

from _cli import main
from _growing import ENDLESS, GrowingTest

ENGINES = {"h5netcdf": "h5netcdf", "netcdf4": "netCDF4"}
# In a process of its own: Debian's h5py and netCDF4 bring an HDF5 each.
READER = """
import json, sys
import xarray as xr
path, engine = sys.argv[1:3]
def open_group(group):
    # Beside a dimension t of the file, h5netcdf takes the number final/t for a table over it.
    without = "t" if (group, engine) == ("final", "h5netcdf") else None
    with xr.open_dataset(path, group=group, engine=engine, drop_variables=without) as data:
        data.load()
        return data
root = open_group(None)
told = {"dims": {name: list(root[name].dims) for name in root.variables}, "sizes": dict(root.sizes), "groups": {}}
told["names"] = {name: [str(x) for x in root[name].values] for name in root.coords if root[name].dtype == object}
told["t"] = root.t.values.tolist() if "t" in root else []
for name, query in json.loads(sys.argv[3]).items():
    told[name] = root[name].sel(query).values.tolist()
for group in json.loads(sys.argv[4]):
    data = open_group(group)
    told["groups"][group] = {"dims": {name: list(data[name].dims) for name in data.variables}, "sizes": dict(data.sizes),
                             "coords": list(data.coords)}
print(json.dumps(told))
"""


def has(module):
    return importlib.util.find_spec(module) is not None


@unittest.skipUnless(has("xarray"), "xarray is not installed")
class Opened(GrowingTest):
    def read(self, path, engine, queries=None, groups=()):
        done = subprocess.run([sys.executable, "-c", READER, path, engine, json.dumps(queries or {}), json.dumps(groups)],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{engine}: {done.returncode} {done.stderr[-600:]}")
        return json.loads(done.stdout)

    def each_engine(self):
        return [engine for engine, module in ENGINES.items() if has(module)]

    def test_names_of_axes_are_those_of_the_columns(self):
        out = self.path("a.h5")
        answer = self.json_of("run", "andrews-bodies", "--output-step", "1e-3", "--out", out)
        names = answer["final"]["names"]
        for engine in self.each_engine():
            data = self.read(out, engine, {"q": {"q_names": names[3]}, "energy": {"energy_names": "total"}},
                             ["reactions", "events", "final", "checkpoint", "parameters", "drawing"])
            for table in ("q", "v", "vdot", "lambda", "quantities", "energy", "drift"):
                self.assertEqual(data["dims"][table], ["t", f"{table}_names"])
                self.assertEqual(data["dims"][f"{table}_units"], [f"{table}_names"])
            self.assertEqual(data["dims"]["poses"], ["t", "body_names", "pose_components"])
            self.assertEqual(data["dims"]["steps"], ["step", "steps_names"])
            self.assertEqual(data["sizes"]["step"], answer["statistics"]["accepted"])
            self.assertEqual(data["names"]["q_names"], names)
            self.assertEqual(data["names"]["pose_components"], ["x", "y", "z", "qw", "qx", "qy", "qz"])
            self.assertEqual(data["names"]["energy_units"], ["J"] * 4)
            self.assertEqual(len(data["t"]), 31)
            self.assertEqual(data["q"][-1], answer["final"]["q"][3])
            self.assertEqual(len(data["energy"]), 31)
            reactions = data["groups"]["reactions"]
            self.assertEqual(reactions["dims"]["values"], ["t", "names", "component_names"])
            self.assertEqual(sorted(reactions["coords"]), ["component_names", "names", "t"])
            self.assertEqual(reactions["sizes"], {"t": 31, "names": 10, "component_names": 12})
            self.assertEqual(data["groups"]["final"]["dims"]["q"], ["q_names"])

    def test_whatever_there_is_in_a_file(self):
        """Systems without bodies or constraints, with switches, with parameters; lists that are empty."""
        model = {"driftless": 1, "name": "free", "gravity": [0, -9.81], "parameters": {"m": {"value": 2, "unit": "kg"}, "k": 3},
                 "bodies": [{"name": "a", "mass": "m", "inertia": 1}], "simulate": {"t_end": 0.1}}
        runs = {"drift-example": "drift-example", "belt": "stick-slip-belt", "free": self.write("free.json", model)}
        for name, target in runs.items():
            out = self.path(f"{name}.h5")
            self.ok("run", target, "--t-end", "0.1", "--out", out, "--quiet")
            groups = ["reactions", "events", "final", "checkpoint", "parameters"] + ["mode_names"] * (name == "belt")
            for engine in self.each_engine():
                data = self.read(out, engine, groups=groups)
                self.assertEqual(data["dims"]["q"], ["t", "q_names"])
                if name == "belt":
                    self.assertEqual(data["dims"]["modes"], ["t", "modes_names"])
                    self.assertEqual(data["groups"]["mode_names"]["dims"]["names"], ["elements"])
                if name == "free":
                    self.assertEqual(data["names"]["parameter_names"], ["m", "k"])
                    self.assertEqual(data["groups"]["parameters"]["dims"], {"m": [], "k": []})
                    self.assertEqual(data["dims"]["lambda"], ["t", "lambda_names"])

    def test_what_is_left_of_a_killed_run(self):
        out = self.path("r.h5")
        process = self.killed(out, *ENDLESS, after=0.5)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        for engine in self.each_engine():
            data = self.read(out + ".part", engine, groups=["reactions"])
            self.assertEqual(data["dims"]["q"], ["t", "q_names"])
            self.assertEqual(data["sizes"]["t"], len(data["t"]))
            self.assertGreater(len(data["t"]), 100)
            self.assertEqual(data["groups"]["reactions"]["sizes"]["t"], len(data["t"]))

    def test_sweeps(self):
        model = {"driftless": 1, "name": "drop", "gravity": [0, "-g"], "parameters": {"g": 9.81, "m": 1},
                 "bodies": [{"name": "a", "mass": "m", "inertia": 1}],
                 "outputs": [{"name": "y", "type": "point", "point": "a", "component": "y"}], "simulate": {"t_end": 0.1}}
        model["bodies"][0]["points"] = {"P": [0, 0]}
        model["outputs"][0]["point"] = "a.P"
        out = self.path("s.h5")
        self.ok("sweep", self.write("drop.json", model), "--set", "g=1,2,3", "--measure", "final(y)", "--out", out)
        for engine in self.each_engine():
            data = self.read(out, engine, groups=["measures", "parameters"])
            self.assertEqual(data["dims"]["status"], ["index"])
            self.assertEqual(data["groups"]["measures"]["dims"]["final(y)"], ["index"])
            self.assertEqual(data["groups"]["measures"]["coords"], ["index"])
            self.assertEqual(data["groups"]["parameters"]["dims"]["g"], ["index"])


@unittest.skipUnless(has("h5py"), "h5py is not installed")
class Damaged(GrowingTest):
    def test_names_have_a_checksum(self):
        out = self.path("a.h5")
        self.ok("run", "andrews-bodies", "--t-end", "1e-3", "--out", out, "--quiet")
        with open(out, "rb") as file:
            whole = file.read()
        places = [i for i in range(len(whole)) if whole.startswith(b"pin_A5", i)]
        self.assertGreater(len(places), 1)
        seen = 0
        for at in places[:20]:
            with open(out, "wb") as file:
                file.write(whole[:at] + b"pin_X5" + whole[at + 6:])
            done = subprocess.run([os.environ["DRIFTLESS_CLI"], "view", out, "--out", self.path("v.html")], capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 2))
            seen += "damaged" in done.stderr
        self.assertGreater(seen, 0)


if __name__ == "__main__":
    main()
