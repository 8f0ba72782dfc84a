#!/usr/bin/env python3
"""Links, modes, read-only files, pipes and devices where files are expected: treated as other programs do."""

import os
import stat
import subprocess
import unittest

from _cli import CLI, PENDULUM, CliTest, bar, changed, driftless, main

RUN = ("run", "andrews", "--t-end", "0.001", "--quiet", "--out")


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Output(CliTest):
    def test_link_stays_a_link(self):
        os.mkdir(self.path("data"))
        for name in ("r.h5", "r.csv", "new.h5"):
            target = self.path("data/" + name)
            if name != "new.h5":
                self.write("data/" + name, "old")
            os.symlink("data/" + name, self.path(name))
            self.ok(*RUN, self.path(name))
            self.assertTrue(os.path.islink(self.path(name)))
            self.assertGreater(os.path.getsize(target), 1000)
        self.assertEqual(sorted(os.listdir(self.path("data"))), ["new.h5", "r.csv", "r.h5"])

    def test_modes(self):
        for name in ("r.h5", "r.csv", "r.html"):
            path = self.path(name)
            run = RUN if name != "r.html" else ("run", "andrews", "--t-end", "0.001", "--quiet", "--report")
            self.ok(*run, path, preexec_fn=lambda: os.umask(0o027))
            self.assertEqual(mode_of(path), 0o640)
            os.chmod(path, 0o604)
            self.ok(*run, path, preexec_fn=lambda: os.umask(0o022))
            self.assertEqual(mode_of(path), 0o604)

    def test_read_only_file_is_refused_before_the_run(self):
        os.chmod(self.folder, 0o777)
        who = {}
        if os.geteuid() == 0:
            if not os.access(CLI, os.X_OK) or driftless("--version", preexec_fn=lambda: os.setuid(65534)).returncode:
                self.skipTest("root may write everything")
            who = {"preexec_fn": lambda: os.setuid(65534)}
        for name in ("r.h5", "r.csv"):
            path = self.write(name, "old")
            os.chmod(path, 0o444)
            self.refused(*RUN, path, words=[path, "Permission denied"], **who)
            with open(path) as file:
                self.assertEqual(file.read(), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.csv", "r.h5"])

    def test_pipes_and_devices_are_refused(self):
        os.mkfifo(self.path("pipe.h5"))
        self.refused(*RUN, self.path("pipe.h5"), words=["pipe.h5", "a pipe"])
        os.symlink("/dev/null", self.path("null.csv"))
        self.refused(*RUN, self.path("null.csv"), words=["null.csv", "a device"])
        os.mkfifo(self.path("pipe.html"))
        self.refused("run", "andrews", "--report", self.path("pipe.html"), words=["pipe.html", "a pipe"])


class Input(CliTest):
    def test_pipes_and_devices_are_refused(self):
        for name in ("pipe.json", "pipe.h5"):
            os.mkfifo(self.path(name))
        self.refused("run", self.path("pipe.json"), words=["pipe.json", "a pipe"])  # and does not wait for a writer
        self.refused("check", "/dev/zero", words=["/dev/zero", "a device"])
        self.refused("view", self.path("pipe.h5"), words=["pipe.h5", "a pipe"])
        self.refused("run", "andrews", "--from", self.path("pipe.h5"), words=["pipe.h5", "a pipe"])
        self.refused("run", "andrews", "--integrator", "runge-kutta", "--step", "1e-4", "--option",
                     "tableau=" + self.path("pipe.json"), words=["pipe.json", "a pipe"])

    def test_too_far_away(self):
        path = self.write("far.json", changed(PENDULUM, lambda m: m["bodies"][0]["points"].update(B=[1e200, 0])))
        self.refused("run", path, words=["far.json", "bodies[0].points.B", "1e+100 m"])
        path = self.write("far.json", changed(PENDULUM, lambda m: m["bodies"][0].update(position=[1e300, 0])))
        self.refused("check", path, words=["far.json", "bodies[0].position"])

    def test_endless_pulse_train(self):
        def add_force(model):
            model["forces"] = [{"name": "train", "type": "torque", "body": "bob",
                                "torque": {"type": "expression", "text": "sign(sin(1e7*t))"}}]
        path = self.write("train.json", changed(PENDULUM, add_force))
        self.refused("run", path, words=["train.json", "forces[0].torque", "discontinuities"])


if __name__ == "__main__":
    main()
