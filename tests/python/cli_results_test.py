#!/usr/bin/env python3
"""Result files, continued runs and Ctrl-C, through the command line. h5py is used where it is installed."""

import json
import os
import signal
import subprocess
import time
import unittest

from _cli import CLI, PENDULUM, CliTest, changed, main, read_csv

try:
    import h5py
except ImportError:
    h5py = None


class Files(CliTest):
    def test_units_say_the_axes_of_angular_velocities(self):
        """In every coordinate set, in the summary, CSV, HDF5 and JSON: of coordinates, of their rates, of outputs."""
        model = {"driftless": 1, "space": "spatial", "ground": {"points": {"O": [0, 0, 0]}},
                 "bodies": [{"name": "b", "mass": 1, "inertia": [1, 2, 2.5], "points": {"c": [0, 0, 0]}, "angular_velocity": [1, 2, 3]}],
                 "joints": [{"name": "ball", "type": "spherical", "a": "ground.O", "b": "b.c"}],
                 "outputs": [{"name": n, "type": "body", "body": "b", "component": n} for n in ("wx", "alphaz")],
                 "simulate": {"t_end": 0.1}}
        path, out = self.write("m.json", model), self.path("r.csv")
        for coordinates, name, axes in (("reference-point", "b", "body axes"), ("relative", "ball", "axes of the second frame")):
            final = self.json_of("run", path, "--coordinates", coordinates, "--out", out)["final"]
            self.assertEqual(dict(zip(final["v_names"], final["v_units"]))[f"{name}.wx"], f"rad/s ({axes})")
            self.assertEqual(len(final["units"]), len(final["q"]))
            self.assertEqual(final["quantity_units"], {"wx": "rad/s (world axes)", "alphaz": "rad/s^2 (world axes)"})
            columns = set(read_csv(out)[1][0])
            self.assertLessEqual({f"{name}.wx [rad/s ({axes})]", f"vdot.{name}.wx [rad/s^2 ({axes})]", "wx [rad/s (world axes)]"}, columns)
            for column in columns:
                if "rad/s" in column:
                    self.assertIn("axes", column)
        self.assertIn("rad/s (world axes)", self.ok("run", path).stdout)

    def test_csv(self):
        out = self.path("r.csv")
        answer = self.json_of("run", "andrews", "--t-end", "0.01", "--output-step", "0.001", "--out", out)
        self.assertEqual(answer["out"], out)
        remarks, rows = read_csv(out)
        self.assertEqual(len(rows), 11)
        self.assertEqual([float(row["t [s]"]) for row in rows], [0.001 * k for k in range(10)] + [0.01])
        self.assertEqual(float(rows[-1]["beta [rad]"]), answer["final"]["q"][0])
        text = "\n".join(remarks)
        for word in ("driftless ", "problem: andrews", "formulation: lagrange", "integrator: dopri5",
                     "stabilization: pstab", "status: ok", "rtol", "command: driftless run andrews", "evaluations="):
            self.assertIn(word, text)
        self.assertEqual(os.listdir(self.folder), ["r.csv"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_hdf5(self):
        out = self.path("r.h5")
        answer = self.json_of("run", "andrews", "--t-end", "0.01", "--output-step", "0.001", "--out", out)
        with h5py.File(out) as file:
            self.assertEqual(file.attrs["format"].decode(), "driftless-results")
            self.assertEqual(file.attrs["problem"].decode(), "andrews")
            self.assertEqual(file.attrs["driftless_version"].decode(), answer["version"])
            self.assertEqual(file.attrs["statistics.evaluations"], answer["statistics"]["evaluations"])
            self.assertEqual(file["q"].shape, (11, 7))
            self.assertEqual(list(file["q_names"].asstr()), answer["final"]["names"])
            self.assertEqual(list(file["q_units"].asstr()), ["rad"] * 7)
            self.assertEqual(list(file["q"][-1]), answer["final"]["q"])
            self.assertEqual(list(file["final/lambda"]), answer["final"]["lambda"])
            self.assertEqual(file["poses"].shape, (11, len(file["body_names"]), 7))
            self.assertEqual(file["steps"].shape, (answer["statistics"]["accepted"], 5))
            self.assertLess(abs(file["drift"][:, 0]).max(), 1e-9)
        self.assertEqual(os.listdir(self.folder), ["r.h5"])

    def test_equal_runs_give_equal_files_but_for_the_cpu_time(self):
        def written(name):
            self.ok("run", "andrews", "--t-end", "0.01", "--out", self.path(name), "--quiet")
            with open(self.path(name), encoding="utf-8") as file:
                return [line for line in file if "cpu_seconds" not in line]
        self.assertEqual(written("a.csv"), written("b.csv"))


class Continuation(CliTest):
    def continued(self, target, middle, end, *settings):
        """Final state of the uninterrupted and of the continued run."""
        whole = self.json_of("run", target, "--t-end", end, *settings)
        out = self.path("first.h5")
        self.ok("run", target, "--t-end", middle, *settings, "--out", out, "--quiet")
        second = self.json_of("run", target, "--t-end", end, *settings, "--from", out)
        self.assertEqual((second["t_start"], second["final"]["t"]), (float(middle), float(end)))
        return whole, second

    def assert_equal_to_roundoff(self, target, middle, end, *settings):
        whole, second = self.continued(target, middle, end, *settings)
        for key in ("q", "v", "lambda"):
            size = max(map(abs, whole["final"][key]), default=0)
            for a, b in zip(whole["final"][key], second["final"][key]):
                self.assertLessEqual(abs(a - b), 1e-13 * size)
        self.assertFalse([n for n in second["notices"] if "starts anew" in n])

    def test_adaptive_run(self):
        self.assert_equal_to_roundoff("andrews", "0.02", "0.03", "--rtol", "1e-8")

    def test_fixed_steps(self):
        self.assert_equal_to_roundoff("double-pendulum", "0.505", "1", "--integrator", "rk4", "--step", "0.01")

    def test_model_and_other_formulation(self):
        self.assert_equal_to_roundoff(self.write("p.json", PENDULUM), "0.2", "0.7", "--formulation", "baumgarte")
        self.assert_equal_to_roundoff(self.write("p.json", PENDULUM), "0.2", "0.7", "--formulation", "baumgarte",
                                      "--option", "gamma1=20", "--option", "gamma2=70")
        for field in ("full", "two-step", "transpose"):
            self.assert_equal_to_roundoff(self.write("p.json", PENDULUM), "0.2", "0.7", "--formulation",
                                          "stabilized-field", "--option", "field=" + field)

    def test_implicit_and_multistep_methods_to_the_last_bit(self):
        for methods in ("lagrange bdf", "lagrange adams", "index2-ggl radau-iia5", "index3 generalized-alpha", "partitioned sdirk4",
                        "canonical-lagrange dopri5", "penalty auto"):
            formulation, integrator = methods.split()
            whole, second = self.continued("four-bar", "0.2", "0.5", "--formulation", formulation, "--integrator", integrator)
            self.assertEqual((whole["final"]["q"], whole["final"]["v"]), (second["final"]["q"], second["final"]["v"]), methods)
            self.assertNotIn("starts anew", " ".join(second["notices"]))

    def test_relative_coordinates(self):
        self.assert_equal_to_roundoff("four-bar", "0.5", "1", "--coordinates", "relative")
        self.assert_equal_to_roundoff("four-bar", "0.5", "1", "--coordinates", "relative", "--option", "cut=pin_A")

    def test_other_tolerances_start_anew_and_say_so(self):
        out = self.path("first.h5")
        self.ok("run", "andrews", "--t-end", "0.01", "--out", out, "--quiet")
        second = self.json_of("run", "andrews", "--t-end", "0.012", "--rtol", "1e-9", "--from", out)
        self.assertIn("starts anew", " ".join(second["notices"]))
        self.assertEqual(second["final"]["t"], 0.012)

    def test_changed_model_starts_anew(self):
        path = self.write("p.json", PENDULUM)
        out = self.path("first.h5")
        self.ok("run", path, "--t-end", "0.1", "--out", out, "--quiet")
        self.write("p.json", changed(PENDULUM, lambda m: m["bodies"][0].update(mass=2)))
        second = self.json_of("run", path, "--t-end", "0.2", "--from", out)
        self.assertIn("starts anew", " ".join(second["notices"]))

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_edited_checkpoint_is_not_used(self):
        out = self.path("first.h5")
        self.ok("run", "andrews", "--t-end", "0.01", "--out", out, "--quiet")
        with h5py.File(out, "r+") as file:
            y = list(file["checkpoint/y"])
            del file["checkpoint/y"]
            file["checkpoint/y"] = y + [1.0]
        second = self.json_of("run", "andrews", "--t-end", "0.012", "--from", out)
        self.assertIn("no usable checkpoint", " ".join(second["notices"]))

    def test_bad_files(self):
        out = self.path("first.h5")
        self.ok("run", "andrews", "--t-end", "0.01", "--out", out, "--quiet")
        self.refused("run", "double-pendulum", "--from", out, words=["first.h5"])
        self.refused("run", "andrews", "--t-end", "0.01", "--from", out, words=["--t-end"])
        self.refused("run", "andrews", "--from", self.path("none.h5"), words=["none.h5"])
        self.refused("run", "andrews", "--from", self.write("text.h5", "no HDF5"), words=["text.h5"])
        with open(out, "rb") as file:
            whole = file.read()
        for part in (0.1, 0.5, 0.9, 0.999):
            with open(self.path("cut.h5"), "wb") as file:
                file.write(whole[:int(part * len(whole))])
            self.refused("run", "andrews", "--from", self.path("cut.h5"), words=["cut.h5"])


@unittest.skipUnless(os.path.exists("/proc/self/status"), "needs /proc")
class Interrupt(CliTest):
    def interrupted(self, number, *arguments):
        """Starts an endless run, sends the signal once the program listens, returns it when it has ended."""
        process = subprocess.Popen([CLI, "run", "andrews", "--t-end", "1e4", "--output-step", "0.01", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 30
        while not self.listens(process.pid, number):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(number)
        process.out, process.err = process.communicate(timeout=30)
        return process

    @staticmethod
    def listens(pid, number):
        with open(f"/proc/{pid}/status") as status:
            caught = next(line for line in status if line.startswith("SigCgt"))
        return int(caught.split()[1], 16) >> (number - 1) & 1

    def test_ctrl_c_leaves_a_valid_file(self):
        out = self.path("r.h5")
        process = self.interrupted(signal.SIGINT, "--out", out, "--json")
        self.assertEqual(process.returncode, 1)
        answer = json.loads(process.out)
        self.assertEqual(answer["status"], "failed")
        self.assertIn("interrupted at t =", answer["message"])
        self.assertIn("written", answer["message"])
        self.assertGreater(answer["final"]["t"], 0)
        self.assertEqual(os.listdir(self.folder), ["r.h5"])
        t = answer["final"]["t"]
        again = self.json_of("run", "andrews", "--t-end", repr(t + 1e-4), "--from", out)
        self.assertEqual(again["t_start"], t)
        if h5py is not None:
            with h5py.File(out) as file:
                self.assertEqual(file.attrs["status"].decode(), "interrupted")
                self.assertEqual(file["t"].shape[0], file["q"].shape[0])
                self.assertLessEqual(file["t"][-1], t)

    def test_sigterm_does_the_same(self):
        out = self.path("r.csv")
        process = self.interrupted(signal.SIGTERM, "--out", out)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", process.err)
        self.assertIn("status: interrupted", "\n".join(read_csv(out)[0]))

    def test_no_progress_bar_where_stderr_is_no_terminal(self):
        process = self.interrupted(signal.SIGINT)
        self.assertNotIn("\r", process.err)


if __name__ == "__main__":
    main()
