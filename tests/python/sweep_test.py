"""driftless sweep: values, measures, workers, parts, killing and going on."""

import os
import random
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from _cli import CLI, PENDULUM, CliTest, main  # noqa: E402
from _page import PageFile  # noqa: E402


def model(**parameters):
    out = {**PENDULUM, "parameters": {"m": {"value": 1, "max": 5}, "g": 9.81, **parameters}, "gravity": [0, "-g"]}
    out["bodies"] = [{**PENDULUM["bodies"][0], "mass": "m"}]
    out["simulate"] = {"t_end": 0.4, "output_step": 0.01}
    return out


def data_of(path):
    """Everything but computing times."""
    with h5py.File(path) as file:
        out = {f"{group}/{name}": file[group][name][:].tobytes() for group in ("parameters", "measures") for name in file[group]}
        out.update(index=file["index"][:].tobytes(), status=list(file["status"].asstr()), message=list(file["message"].asstr()))
        return out


class SweepTest(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("m.json", model())

    def sweep(self, *arguments, out="s.h5", **keywords):
        return self.ok("sweep", self.model, *arguments, "--measure", "min(tip_y)", "--out", self.path(out), **keywords)

    def test_values_and_measures(self):
        self.sweep("--set", "m=1:3:3", "--set", "g=9.81,1.62", "--measure", "final(tip_y)", "--measure", "crossing(tip_y, -0.1, down)",
                   "--measure", "mean(tip_y)", "--measure", "rms(tip_y)", "--measure", "max(tip_y)")
        with h5py.File(self.path("s.h5")) as file:
            np.testing.assert_array_equal(file["parameters/m"], [1, 1, 2, 2, 3, 3])
            np.testing.assert_array_equal(file["parameters/g"], [9.81, 1.62] * 3)
            np.testing.assert_array_equal(file["index"], range(6))
            final = file["measures/final(tip_y)"][:]
            crossing = file["measures/crossing(tip_y, -0.1, down)"][:]
            mean, rms = file["measures/mean(tip_y)"][:], file["measures/rms(tip_y)"][:]
        run = self.json_of("run", self.model, "--set", "m=2", "--set", "g=1.62")
        self.assertEqual(run["final"]["quantities"]["tip_y"], final[3])
        self.assertTrue(np.all(crossing[::2] < crossing[1::2]), "it falls slower on the moon")
        self.assertTrue(np.all(rms >= np.abs(mean)))

    def test_same_for_any_number_of_workers_and_parts(self):
        arguments = ["--set", "m=1:6:12", "--set", "g=1:20:3"]  # above 5: refused
        self.sweep(*arguments, "-j", 1, out="one.h5")
        self.sweep(*arguments, "-j", 2, out="two.h5")
        for i in range(1, 5):
            self.sweep(*arguments, "--shard", f"{i}/4", out=f"part{i}.h5")
        parts = [self.path(f"part{i}.h5") for i in range(1, 5)]
        self.ok("sweep", "merge", *reversed(parts), "--out", self.path("merged.h5"))
        expected = data_of(self.path("one.h5"))
        self.assertEqual(data_of(self.path("two.h5")), expected)
        self.assertEqual(data_of(self.path("merged.h5")), expected)
        self.assertIn("refused", expected["status"])
        self.assertIn("expected a value of at most 5", "".join(expected["message"]))
        self.refused("sweep", "merge", *parts[1:], "--out", self.path("x.h5"), words=["a part is missing"])
        self.sweep("--set", "m=1,2", out="other.h5")
        self.refused("sweep", "merge", parts[0], self.path("other.h5"), "--out", self.path("x.h5"), words=["one of another"])

    def test_killed_it_goes_on(self):
        arguments = ["--set", "m=1:5:150"]
        self.sweep(*arguments, out="whole.h5")
        command = [CLI, "sweep", self.model, *arguments, "--measure", "min(tip_y)", "--out", self.path("s.h5"), "-j", "2", "--quiet"]
        dice = random.Random(1)
        for _ in range(6):
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0.02, 0.15))
            process.send_signal(signal.SIGKILL)
            process.wait()
        subprocess.run(command, check=True, timeout=60)
        self.assertEqual(data_of(self.path("s.h5")), data_of(self.path("whole.h5")))
        self.assertFalse(os.path.exists(self.path("s.h5.rows")))

    def test_random_points(self):
        self.sweep("--set", "m=1:3", "--set", "g=1,2", "--random", 50, "--seed", 3, out="a.h5")
        self.sweep("--set", "m=1:3", "--set", "g=1,2", "--random", 50, "--seed", 3, "-j", 1, out="b.h5")
        self.assertEqual(data_of(self.path("a.h5")), data_of(self.path("b.h5")))
        with h5py.File(self.path("a.h5")) as file:
            m, g = file["parameters/m"][:], file["parameters/g"][:]
        self.assertTrue(1 <= m.min() < 1.3 and 2.7 < m.max() <= 3 and set(g) == {1, 2})

    def test_page_of_two_parameters(self):
        """A map over both, with the runs that were refused as null; points at random are marks, not curves of one point."""
        page = self.path("s.html")
        self.sweep("--set", "m=1:6:6", "--set", "g=1:20:3", "--report", page)  # m = 6: refused
        chart, over_m, over_g = PageFile(page).data["plots"]
        self.assertEqual((chart["kind"], chart["title"]), ("map", "min(tip_y) over m and g"))
        (points,) = chart["series"]
        self.assertEqual(points["x"], [m for m in range(1, 7) for _ in range(3)])
        self.assertEqual(points["y"], [1, 10.5, 20] * 6)
        with h5py.File(self.path("s.h5")) as file:
            measured = file["measures/min(tip_y)"][:]
        self.assertEqual(points["z"][:15], list(measured[:15]))
        self.assertEqual(points["z"][15:], [None] * 3)
        self.assertEqual((points["labels"][0], points["labels"][15]), ("run 0: ok", "run 15: refused"))
        self.assertEqual([curve["name"] for curve in over_m["series"]], ["g = 1", "g = 10.5", "g = 20"])
        self.assertEqual([curve["name"] for curve in over_g["series"]], [f"m = {m}" for m in range(1, 6)])
        self.sweep("--set", "m=1:3", "--set", "g=1:20", "--random", 9, "--report", page, out="random.h5")
        chart, over_m, over_g = PageFile(page).data["plots"]
        self.assertEqual(len(chart["series"][0]["z"]), 9)
        for plot in (over_m, over_g):
            (marks,) = plot["series"]
            self.assertEqual((len(marks["x"]), marks["line"], marks["points"]), (9, False, True))

    def test_mistakes(self):
        out = ["--out", self.path("s.h5")]
        for arguments, words in ((["--set", "M=1,2"], ["--set", "'m' or 'g'", "did you mean 'm'?"]),
                                 (["--set", "m=1:2"], ["FROM:TO alone is for --random"]),
                                 (["--set", "m=1:2:x"], ["--set"]),
                                 ([], ["at least one parameter"]),
                                 (["--set", "m=1,2", "--measure", "max(tip)"], ["'tip_y'"]),
                                 (["--set", "m=1,2", "--measure", "most(tip_y)"], ["max, min, final"]),
                                 (["--set", "m=1,2", "--measure", "max(tip_y)", "--measure", "max(tip_y)"], ["each measure once"]),
                                 (["--set", "m=1,2", "--shard", "3/2"], ["--shard"]),
                                 (["--set", "m=1,2", "--integrator", "dopri6"], ["dopri5"])):
            self.refused("sweep", self.model, *arguments, *out, words=words)
        self.refused("sweep", self.model, "--set", "m=1,2", words=["--out"])
        self.refused("sweep", "andrews", "--set", "m=1,2", *out, words=["a model"])
        self.refused("sweep", "merge", *out, words=["merge", "files of the parts"])

    def test_names_with_slashes(self):
        named = model()
        named["outputs"] = [{**named["outputs"][0], "name": "tip/y"}]
        path = self.write("slash.json", named)
        self.ok("sweep", path, "--set", "m=1,2", "--measure", "max(tip/y)", "--out", self.path("s.h5"))
        self.ok("sweep", "merge", self.path("s.h5"), "--out", self.path("t.h5"))
        self.assertEqual(data_of(self.path("s.h5")), data_of(self.path("t.h5")))

    def test_page_and_script(self):
        self.sweep("--set", "m=1:3:3", "--report", self.path("s.html"))
        with open(self.path("s.html"), encoding="utf-8") as file:
            self.assertIn("<html", file.read(2000).lower())
        (curve,) = PageFile(self.path("s.html")).data["plots"]
        self.assertEqual((curve["title"], curve["series"][0]["x"]), ("min(tip_y) over m", [1, 2, 3]))
        self.sweep("--set", "m=1:3:3", "--slurm", self.path("job.sh"), "--shards", 3, out="t.h5")
        with open(self.path("job.sh"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("--array=1-3", text)
        self.assertFalse(os.path.exists(self.path("t.h5")))
        subprocess.run(["bash", "-n", self.path("job.sh")], check=True)


if __name__ == "__main__":
    main()
