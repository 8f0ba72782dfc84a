#!/usr/bin/env python3
"""Result files grow while a run is under way: NAME.part is whole whatever ends the program, NAME is left alone."""

import json
import os
import resource
import signal
import subprocess
import unittest

from _cli import driftless, main, read_csv
from _growing import ENDLESS, GrowingTest, h5py


class Killed(GrowingTest):
    def test_hdf5(self):
        out = self.write("r.h5", "old")
        process = self.killed(out, *ENDLESS, after=0.1)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.h5", "r.h5.part"])
        with open(out) as file:
            self.assertEqual(file.read(), "old")
        records = self.check_part(out + ".part")
        if h5py is not None:
            self.assertGreater(records, 0)

    def test_csv(self):
        out = self.write("r.csv", "old")
        self.killed(out, *ENDLESS, after=0.1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.csv", "r.csv.part"])
        with open(out) as file:
            self.assertEqual(file.read(), "old")
        remarks, rows = read_csv(out + ".part")
        self.assertIn("# status: interrupted", remarks)
        self.assertIn("# problem: andrews", remarks)
        self.assertGreater(len(rows), 100)
        for k, row in enumerate(rows[:-1]):
            self.assertEqual(float(row["t [s]"]), 1e-4 * k)
            self.assertNotIn(None, row.values())

    def test_the_next_run_replaces_what_is_left(self):
        out = self.path("r.h5")
        self.killed(out, *ENDLESS)
        self.ok("run", "andrews", "--out", out, "--quiet")
        self.assertEqual(os.listdir(self.folder), ["r.h5"])
        self.ok("view", out)

    def test_a_run_goes_on_from_its_checkpoint(self):
        run = ("run", "andrews", "--rtol", "1e-8", "--output-step", "1e-3")
        out = self.path("r.h5")
        self.killed(out, *run, "--t-end", "1e3", "--checkpoint-every", "0.02", after=0.1)
        part = out + ".part"
        probe = json.loads(driftless(*run, "--t-end", "1e3", "--max-steps", "1", "--from", part, "--json").stdout)
        end = repr(round(probe["t_start"] + 0.05, 3))
        second = self.json_of(*run, "--t-end", end, "--from", part)
        self.assertEqual(second["notices"], [])
        if probe["t_start"] < 5:  # a slow machine has not come far: compare with the whole
            whole = self.json_of(*run, "--t-end", end)
            self.assertEqual(second["final"], whole["final"])

    def test_two_runs_do_not_write_one_file(self):
        out = self.path("r.h5")
        process = self.start(*ENDLESS, "--out", out)
        self.wait_for(out + ".part", process)
        self.refused("run", "andrews", "--out", out, words=["r.h5.part"])
        self.check_part(out + ".part")  # reading goes on


class Ended(GrowingTest):
    def test_by_the_user(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.path(f"{number}.h5")
            process = self.killed(out, *ENDLESS, number=number)
            self.assertEqual(process.returncode, 1)
            self.assertIn("interrupted at t =", process.err)
            self.assertFalse(os.path.exists(out + ".part"))
            self.check_part(out)

    def test_by_a_closed_terminal_or_a_limit(self):
        """Nobody has asked for that: what the file was before stays."""
        for number in (signal.SIGHUP, signal.SIGXCPU):
            for name in (f"{number}.h5", f"{number}.csv"):
                out = self.write(name, "old")
                process = self.killed(out, *ENDLESS, after=0.1, number=number)
                self.assertEqual(process.returncode, 1)
                self.assertRegex(process.err, f"interrupted at t = .* s; {out}.part holds the results up to there")
                end = float(process.err.split("interrupted at t = ")[1].split(" s;")[0])
                with open(out) as file:
                    self.assertEqual(file.read(), "old")
                if name.endswith(".h5"):
                    self.check_part(out + ".part", *ENDLESS[:2], "--t-end", repr(end + 0.001))
                else:
                    _, rows = read_csv(out + ".part")
                    self.assertTrue(all(None not in row.values() for row in rows))

    def test_by_a_limit_on_the_size_of_files(self):
        for name in ("r.h5", "r.csv"):
            out = self.write(name, "old")
            process = self.start(*ENDLESS, "--out", out, "--json", limits=[(resource.RLIMIT_FSIZE, 3_000_000)])
            answer, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn(f"{out}: cannot be written: File too large; {out}.part holds the results up to t = ", errors)
            self.assertEqual(json.loads(answer)["status"], "failed")
            with open(out) as file:
                self.assertEqual(file.read(), "old")
            if name == "r.h5":
                self.check_part(out + ".part")
            else:
                _, rows = read_csv(out + ".part")
                self.assertTrue(all(None not in row.values() for row in rows))  # whole lines
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.csv", "r.csv.part", "r.h5", "r.h5.part"])

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the address sanitizer ends a program that runs out of memory")
    def test_by_want_of_memory(self):
        out = self.path("r.h5")
        # The page needs all records in memory.
        process = self.start("run", "andrews-bodies", "--t-end", "1", "--output-step", "1e-5", "--out", out, "--report",
                             self.path("r.html"), limits=[(resource.RLIMIT_AS, 130 << 20)])
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertIn("out of memory", errors)
        self.assertIn("r.h5.part holds the results up to t =", errors)
        self.assertEqual(os.listdir(self.folder), ["r.h5.part"])
        self.check_part(out + ".part")


class Content(GrowingTest):
    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_is_the_same_however_often_the_file_was_brought_up_to_date(self):
        run = ("run", "andrews", "--t-end", "0.3", "--output-step", "1e-5", "--quiet")
        self.ok(*run, "--out", self.path("a.h5"))
        self.ok(*run, "--out", self.path("b.h5"), "--checkpoint-every", "0.001")
        with h5py.File(self.path("a.h5")) as a, h5py.File(self.path("b.h5")) as b:
            self.assertEqual(set(a.attrs), set(b.attrs))
            for name in a.attrs:
                if name not in ("statistics.cpu_seconds", "command"):
                    self.assertEqual(a.attrs[name], b.attrs[name], name)
            names = []
            a.visit(names.append)
            for name in names:
                if isinstance(a[name], h5py.Dataset):
                    one, other = a[name][()], b[name][()]
                    if one.dtype.hasobject:  # text
                        self.assertEqual(one.tolist(), other.tolist(), name)
                    else:
                        self.assertEqual(one.tobytes(), other.tobytes(), name)
            self.assertEqual(a["q"].shape, (30001, 7))

    def test_of_text_is_in_the_old_order(self):
        out = self.path("r.csv")
        self.ok("run", "andrews", "--t-end", "0.3", "--output-step", "1e-5", "--out", out, "--quiet")
        remarks, rows = read_csv(out)  # remarks come first
        self.assertIn("# status: ok", remarks)
        self.assertEqual(len(rows), 30001)
        self.assertEqual(os.listdir(self.folder), ["r.csv"])


class Refused(GrowingTest):
    def test_more_records_than_fit_anywhere(self):
        self.refused("run", "andrews", "--output-step", "1e-300", "--out", self.path("r.h5"), words=["--output-step", "disk"])

    def test_checkpoints_without_a_file_for_them(self):
        self.refused("run", "andrews", "--checkpoint-every", "1", words=["--checkpoint-every", "--out FILE.h5"])
        self.refused("run", "andrews", "--checkpoint-every", "1", "--out", self.path("r.csv"), words=["FILE.h5"])
        for wrong in ("0", "-1", "soon"):
            self.refused("run", "andrews", "--checkpoint-every", wrong, "--out", self.path("r.h5"),
                         words=["--checkpoint-every"])

    def test_going_on_from_the_file_that_would_be_written_over(self):
        out = self.path("r.h5")
        self.killed(out, *ENDLESS)
        self.refused(*ENDLESS, "--from", out + ".part", "--out", out, words=["--out", "lost"])
        self.check_part(out + ".part")


if __name__ == "__main__":
    main()
