#!/usr/bin/env python3
"""Pages: what `run --report`, `view` and `--png` write, decoded as the viewer does it."""

import math
import os
import re
import shutil
import unittest

import h5py

from _cli import PENDULUM, CliTest, changed, driftless, main, read_csv
from _page import PLACES, PageFile


def turn_between(p, q):
    dot = abs(sum(a * b for a, b in zip(p, q))) / math.hypot(*p) / math.hypot(*q)
    return 2 * math.acos(min(1, dot))


class Pages(CliTest):
    def page(self, *arguments):
        self.ok(*arguments)
        return PageFile(arguments[-1])

    def test_structure(self):
        page = self.page("run", "slider-crank", "--report", self.path("a.html"))
        data = page.data
        self.assertEqual((data["format"], data["kind"], data["title"]), (1, "results", "slider-crank"))
        self.assertIn("<title>slider-crank", page.html)
        (run,) = data["runs"]
        self.assertEqual(run["about"]["command"], "driftless run slider-crank")
        self.assertEqual((run["about"]["status"], run["about"]["integrator"]), ("ok", "dopri5"))
        self.assertEqual(run["statistics"]["steps"], run["statistics"]["accepted"] + run["statistics"]["rejected"])
        frames = page.array(run["frames"])
        self.assertEqual((frames[0], frames[-1]), (0, 2))
        self.assertEqual(sorted(frames), frames)
        scene = run["scene"]
        self.assertTrue(scene["planar"])
        self.assertEqual([b["name"] for b in scene["bodies"]], ["crank", "rod", "slider"])
        self.assertEqual([b["pose"] for b in scene["bodies"]], [0, 1, 2])
        self.assertEqual({s["type"] for b in scene["bodies"] for s in b["shapes"]}, {"cylinder", "line", "box"})
        self.assertEqual({j["name"]: j["symbol"] for j in scene["joints"]},
                         {"pin_O": "pin", "pin_A": "pin", "pin_B": "pin", "guide": "slider"})
        self.assertEqual((scene["joints"][1]["a"], scene["joints"][1]["b"]),
                         ({"body": 0, "at": [0.5, 0, 0]}, {"body": 1, "at": [-1, 0, 0]}))
        low, high = scene["bounds"]
        self.assertLess(low[0], -0.25)
        self.assertGreater(high[0], 2.9)
        for kind, key in (("velocity", "body"), ("force", "joint")):
            for arrow in run["arrows"][kind]:
                self.assertIsInstance(arrow[key], int)
                for axis in "xyz":
                    values = page.array(arrow[axis])
                    self.assertTrue(isinstance(values, (int, float)) or len(values) == len(frames))
        groups = {s["group"] for s in run["signals"]}
        self.assertEqual(groups, {"positions", "velocities", "accelerations", "multipliers", "reactions", "energies",
                                  "errors", "steps", "outputs"})
        defaults = {s.get("plot") for s in run["signals"] if s["default"]}
        self.assertLessEqual({"energy", "energy error", "constraint errors", "step size"}, defaults)
        owners = {s["name"]: s["owner"] for s in run["signals"]}
        self.assertEqual((owners["rod.x"], owners["pin_A.fx"], owners["step size"]), ("rod", "pin_A", None))
        for s in run["signals"]:
            t, values, _ = page.signal(s["name"])
            self.assertEqual(len(t), len(values), s["name"])

    def test_arrows_of_applied_forces(self):
        """A tyre pushes up at the wheel's centre, also where the body shows its own tyre; a spring pulls at both of its bodies."""
        page = self.page("run", "bump-stop", "--report", self.path("a.html"))
        (run,) = page.data["runs"]
        springs, found = run["scene"]["springs"], {}
        for arrow in run["arrows"]["applied"]:
            spring = springs[arrow["spring"]]
            parts = [page.array(arrow[axis]) for axis in "xyz"]
            found.setdefault((spring["name"], spring["type"]), {})[arrow["end"]] = [
                part if isinstance(part, (int, float)) else part[0] for part in parts]
        self.assertEqual({kind for _, kind in found}, {"tsda", "tyre"})
        for (name, kind), ends in found.items():
            if kind == "tyre":
                self.assertEqual(set(ends), {"b"})
                self.assertAlmostEqual(ends["b"][0], 0)
                self.assertGreater(ends["b"][1], 0)
            else:
                self.assertEqual(set(ends), {"a", "b"}, name)
                for one, other in zip(ends["a"], ends["b"]):
                    self.assertAlmostEqual(one, -other, delta=2e-3 * math.hypot(*ends["a"]))

    def test_frames_and_signals_are_within_the_stated_error(self):
        self.ok("run", "andrews", "--t-end", "0.05", "--output-step", "1e-5", "--out", self.path("a.h5"))
        page = self.page("view", self.path("a.h5"), "--out", self.path("a.html"))
        (run,) = page.data["runs"]
        frames = page.array(run["frames"])
        with h5py.File(self.path("a.h5")) as file:
            t, poses, q = file["t"][:], file["poses"][:], file["q"][:]
            beta = list(file["q_names"].asstr()).index("beta")
        self.assertLess(len(frames), len(t))
        self.assertGreater(run["position_error"], 0)
        self.assertLess(run["position_error"], 2e-4 * run["scene"]["length"])
        self.assertLess(run["angle_error"], 3e-4)
        shown = []
        for pose in run["poses"]:
            columns = [page.array(pose[key]) for key in "xyzwijk"]
            shown.append([c if isinstance(c, list) else [c] * len(frames) for c in columns])
        frame = 0
        for k, now in enumerate(t):
            while frame + 2 < len(frames) and frames[frame + 1] <= now:
                frame += 1
            s = (now - frames[frame]) / (frames[frame + 1] - frames[frame])
            for body, columns in enumerate(shown):
                x = [(1 - s) * c[frame] + s * c[frame + 1] for c in columns]
                self.assertLessEqual(math.dist(x[:3], poses[k, body, :3]), run["position_error"] * 1.0001)
                self.assertLessEqual(turn_between(x[3:], poses[k, body, 3:]), run["angle_error"] * 1.0001 + 1e-7)
        times, values, signal = page.signal("beta")
        self.assertLessEqual(len(values), 2000)
        rounding = (max(q[:, beta]) - min(q[:, beta])) / 65534
        by_time = {round(now * 1e5): q[k, beta] for k, now in enumerate(t)}
        for now, value in zip(times, values):
            self.assertLessEqual(abs(by_time[round(now * 1e5)] - value), rounding)
        self.assertLessEqual(abs(max(values) - max(q[:, beta])), rounding)
        self.assertLessEqual(abs(min(values) - min(q[:, beta])), rounding)

    def test_newton_iterations_and_problems_without_bodies(self):
        page = self.page("run", "andrews", "--integrator", "radau-iia5", "--report", self.path("r.html"))
        _, values, _ = page.signal("Newton iterations")
        self.assertGreater(max(values), 0)
        self.ok("run", "andrews", "--integrator", "dop853", "--rtol", "1e-4", "--out", self.path("coarse.h5"))
        page = self.page("view", self.path("coarse.h5"), "--out", self.path("c.html"))
        self.assertIn("`output_step` makes the motion smoother", page.data["runs"][0]["frame_note"])
        page = self.page("run", "prothero-robinson", "--report", self.path("p.html"))
        self.assertEqual(page.data["runs"][0]["poses"], [])

    def test_every_problem_and_model_can_be_shown(self):
        known = self.json_of("problems")
        for name in [p["name"] for p in known["problems"]] + [m["name"] for m in known["models"]]:
            end = ["--t-end", "0.01"] if name != "andrews" else []
            page = self.page("run", name, *end, "--quiet", "--report", self.path("x.html"))
            (run,) = page.data["runs"]
            self.assertEqual(len(run["poses"]), len(run["scene"]["bodies"]), name)
            for body in run["scene"]["bodies"]:
                self.assertTrue(body["shapes"] or run["scene"]["deforming"], (name, body["name"]))
            for joint in run["scene"]["joints"] + run["scene"]["springs"]:
                self.assertTrue(joint["symbol"], (name, joint))

    def test_overlay(self):
        for name, rtol in (("a", "1e-4"), ("b", "1e-8")):
            self.ok("run", "four-bar", "--rtol", rtol, "--out", self.path(name + ".h5"))
        page = self.page("view", self.path("a.h5"), self.path("b.h5"), "--out", self.path("both.html"))
        self.assertEqual([run["name"] for run in page.data["runs"]], ["a", "b"])
        self.assertEqual(page.data["title"], "a, b")
        done = self.ok("view", self.path("a.h5"))  # beside the first file
        self.assertIn("a.html", done.stdout)
        answer = self.json_of("view", self.path("a.h5"), "--out", self.path("c.html"))
        self.assertEqual(answer["bytes"], os.path.getsize(self.path("c.html")))

    def test_files_without_a_drawing(self):
        self.ok("run", "four-bar", "--out", self.path("a.h5"))
        with h5py.File(self.path("a.h5"), "r+") as file:  # as older versions wrote it
            del file["drawing"]
            steps, names, units = file["steps"][:, :4], file["steps_names"][:4], file["steps_units"][:4]
            for key, value in (("steps", steps), ("steps_names", names), ("steps_units", units)):
                del file[key]
                file[key] = value
        page = self.page("view", self.path("a.h5"), "--out", self.path("a.html"))
        scene = page.data["runs"][0]["scene"]
        self.assertEqual([b["name"] for b in scene["bodies"]], ["crank", "coupler", "rocker"])
        self.assertTrue(all(s["derived"] for b in scene["bodies"] for s in b["shapes"]))
        self.assertTrue(scene["planar"])

    def test_hostile_names(self):
        evil = "</script><script>alert(1)</script><!--<script>"
        model = changed(PENDULUM, lambda m: m.update(name=evil))
        model["outputs"][0]["name"] = "tip\u2028</script>"
        page = self.page("run", self.write("m.json", model), "--report", self.path("a.html"))
        self.assertEqual(page.html.lower().count("<script>alert"), 0)
        self.assertEqual(page.data["title"], evil)
        self.assertIn("tip\u2028</script>", [s["name"] for s in page.data["runs"][0]["signals"]])

    def test_failed_and_empty_runs(self):
        done = driftless("run", "andrews", "--max-steps", "20", "--report", self.path("a.html"))
        self.assertEqual(done.returncode, 1)
        about = PageFile(self.path("a.html")).data["runs"][0]["about"]
        self.assertEqual(about["status"], "too many steps")
        self.assertIn("20 steps", about["message"])
        # no records at all, and records that are not numbers
        self.ok("run", "four-bar", "--out", self.path("a.h5"))
        shutil.copy(self.path("a.h5"), self.path("b.h5"))
        with h5py.File(self.path("a.h5"), "r+") as file:
            for key in ("t", "q", "v", "vdot", "lambda", "quantities", "energy", "drift", "poses"):
                old = file[key][:]
                del file[key]
                file[key] = old[:0]
            old = file["reactions/values"][:]
            del file["reactions/values"]
            file["reactions/values"] = old[:0]
        page = self.page("view", self.path("a.h5"), "--out", self.path("a.html"))
        self.assertEqual(page.array(page.data["runs"][0]["frames"]), [])
        with h5py.File(self.path("b.h5"), "r+") as file:
            file["poses"][3:] = math.nan
            file["q"][:, 0] = math.nan
            file["energy"][-1] = math.inf
        page = self.page("view", self.path("b.h5"), "--out", self.path("b.html"))
        self.assertEqual(len(page.array(page.data["runs"][0]["frames"])), 3)
        self.assertNotIn("NaN", re.findall(PLACES[0], page.html, re.S)[0])

    def test_bad_input(self):
        self.refused("view", words=["FILE.h5"])
        self.refused("view", self.path("none.h5"), words=["none.h5", "no such file"])
        self.refused("view", self.write("x.h5", "not a result"), words=["x.h5", "result file"])
        self.ok("run", "four-bar", "--out", self.path("a.h5"))
        self.refused("view", self.path("a.h5"), "--at", "soon", words=["--at", "soon"])
        self.refused("view", self.path("a.h5"), "--out", self.path("a.txt"), words=["a.txt", ".html"])
        self.refused("view", self.path("a.h5"), "--out", self.path("none/a.html"), words=["directory"])
        self.refused("run", "four-bar", "--report", self.path("a.csv"), words=[".html"])
        self.refused("run", "four-bar", "--png", self.path("none/a.png"), words=["directory"])
        with h5py.File(self.path("a.h5"), "r+") as file:
            del file["drawing/text"]
            file["drawing"].create_dataset("text", data=['{"planar": true}'], dtype=h5py.string_dtype("utf-8", 20))
        self.refused("view", self.path("a.h5"), words=["drawing"])

    def test_report_changes_neither_the_results_nor_the_command(self):
        plain = self.json_of("run", "andrews", "--out", self.path("a.csv"))
        with_page = self.json_of("run", "andrews", "--out", self.path("b.csv"), "--report", self.path("a.html"))
        self.assertEqual((plain["report"], with_page["report"]), (None, self.path("a.html")))
        self.assertEqual(plain["command"], with_page["command"])
        self.assertEqual(plain["final"], with_page["final"])
        self.assertEqual(*(read_csv(self.path(name))[1] for name in ("a.csv", "b.csv")))

    def test_no_browser(self):
        done = driftless("run", "four-bar", "--png", self.path("a.png"), "--report", self.path("a.html"),
                         env={**os.environ, "PATH": self.folder})
        self.assertEqual(done.returncode, 1)
        self.assertIn("chromium", done.stderr)
        self.assertIn("result", done.stdout)  # the run itself is reported
        self.assertTrue(os.path.exists(self.path("a.html")))
        self.assertFalse(os.path.exists(self.path("a.png")))

    def test_mesh(self):
        self.write("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1 2/2 4/4\nf -4 -2 -1\n")
        model = changed(PENDULUM, lambda m: m["bodies"][0].update(
            shapes=[{"type": "mesh", "file": "wedge.obj", "scale": 0.1}, {"type": "sphere", "radius": 0.1, "position": "B"}]))
        path = self.write("m.json", model)
        self.ok("run", path, "--out", self.path("m.h5"))
        page = self.page("view", self.path("m.h5"), "--out", self.path("m.html"))
        mesh, ball = page.data["runs"][0]["scene"]["bodies"][0]["shapes"]
        self.assertEqual(page.array(mesh["triangles"]), [0, 1, 2, 0, 1, 3, 0, 2, 3])
        self.assertEqual(page.array(mesh["vertices"])[3:6], [1, 0, 0])
        self.assertEqual(ball["position"], [0.5, 0, 0])
        os.remove(self.path("wedge.obj"))
        self.refused("check", path, words=["bodies[0].shapes[0].file", "wedge.obj", "no file"])


@unittest.skipUnless(any(shutil.which(b) for b in ("chromium", "chromium-browser", "google-chrome")), "no browser")
class Pictures(CliTest):
    def test_png(self):
        self.ok("run", "slider-crank", "--png", self.path("a.png"))
        with open(self.path("a.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.assertEqual(os.listdir(self.folder), ["a.png"])

    def test_frames(self):
        self.ok("run", "slider-crank", "--out", self.path("a.h5"), "--quiet")
        self.refused("view", self.path("a.h5"), "--frame-count", "3", words=["--frames"])
        self.refused("view", self.path("a.h5"), "--frames", self.path("film"), "--frame-count", "1", words=["--frame-count"])
        answer = self.json_of("view", self.path("a.h5"), "--frames", self.path("film"), "--frame-count", "3")
        self.assertEqual(answer["frames"], self.path("film"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.h5", "film"])
        names = sorted(os.listdir(self.path("film")))
        self.assertEqual(names, ["frame-0001.png", "frame-0002.png", "frame-0003.png"])
        pictures = set()
        for name in names:
            with open(os.path.join(self.path("film"), name), "rb") as file:
                pictures.add(file.read())
        self.assertEqual(len(pictures), 3)


if __name__ == "__main__":
    main()
