#!/usr/bin/env python3
"""The long tests of growing result files: 200 kills at random times, a full disk, memory over the number of records."""

import json
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from _cli import CLI, main, read_csv
from _growing import ENDLESS, SWITCHING, GrowingTest, h5py, start

KILLS = int(os.environ.get("DRIFTLESS_KILLS", "200"))


class Kills(GrowingTest):
    """Nothing but the last block is lost. One kill in four aims at the beginning, the others fall anywhere in the first
    seconds of its file; every file must be whole, and never older than the one that was seen just before the kill. One run in three
    switches on and on (sticks and slips)."""

    def test_at_random_times(self):
        seed = int.from_bytes(os.urandom(4), "big")
        print("seed", seed)
        chance = random.Random(seed)
        shown = 0
        for k in range(KILLS):
            out = self.write(f"{k}.h5" if k % 5 else f"{k}.csv", "old")
            part = out + ".part"
            extra = ("--checkpoint-every", "0.03") if k % 5 and k % 3 == 0 else ()
            run = SWITCHING if k % 3 == 1 else ENDLESS
            process = start(*run, *extra, "--out", out)
            if k % 4 != 0:  # however busy the machine is
                self.wait_for(part, process)
            time.sleep(chance.uniform(0, 0.3) if k % 4 == 0 else chance.uniform(0, 2))
            before = self.last_time(part) if k % 5 and os.path.exists(part) else None
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            with open(out) as file:
                self.assertEqual(file.read(), "old")
            self.assertLessEqual(set(os.listdir(self.folder)), {os.path.basename(out), os.path.basename(part)}, k)
            if os.path.exists(part):
                shown += 1
                if part.endswith(".h5.part"):
                    records = self.check_part(part)
                    if before is not None:
                        self.assertGreaterEqual(self.last_time(part), before)
                        self.assertGreater(records, 0)
                else:
                    _, rows = read_csv(part)
                    times = [float(row["t [s]"]) for row in rows[:-1]]
                    if run is ENDLESS:
                        self.assertEqual(times, [1e-4 * i for i in range(len(rows) - 1)])
                    self.assertEqual(times, sorted(times))
                os.remove(part)
            os.remove(out)
        self.assertGreater(shown, KILLS / 2)

    @staticmethod
    def last_time(part):
        """Of a file that is being written: it may change under our hands, then there is nothing to compare with."""
        if h5py is None:
            return None
        try:
            with h5py.File(part) as file:
                return float(file["final/t"][()])
        except (OSError, KeyError, RuntimeError):
            return None

    def test_and_go_on(self):
        """Killed again and again, a run comes to the end of the uninterrupted one, to the last bit."""
        run = ("run", "andrews", "--rtol", "1e-9", "--output-step", "1e-4", "--t-end", "2")
        whole = self.json_of(*run)
        chance = random.Random(1)
        last, kills = (), 0
        for k in range(100):
            out = self.path(f"{k}.h5")
            process = start(*run, *last, "--checkpoint-every", "0.05", "--out", out, "--json")
            try:
                answer, _ = process.communicate(timeout=chance.uniform(0.2, 0.6) if k < 3 else 60)
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                if os.path.exists(out + ".part"):
                    last = ("--from", out + ".part")
        self.assertGreater(kills, 0)
        self.assertEqual(json.loads(answer)["final"], whole["final"])


class FullDisk(GrowingTest):
    def test_keeps_what_fitted(self):
        with tempfile.TemporaryDirectory() as place:
            mount = ["unshare", "-m", "sh", "-c",
                     f'mount -t tmpfs -o size=4m none "{place}" && "$@"; s=$?; cp "{place}"/* "{self.folder}"; exit $s', "-"]
            if subprocess.run(mount + ["true"], capture_output=True).returncode not in (0, 1):
                self.skipTest("may not mount")
            for name in ("r.h5", "r.csv"):
                out = os.path.join(place, name)
                done = subprocess.run([*mount, CLI, *ENDLESS, "--out", out], capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"{out}: cannot be written: No space left on device; {out}.part holds", done.stderr)
                self.assertEqual(os.listdir(self.folder), [name + ".part"])
                part = self.path(name + ".part")
                if name == "r.h5":
                    self.check_part(part)
                else:
                    _, rows = read_csv(part)
                    self.assertTrue(all(None not in row.values() for row in rows))
                os.remove(part)


class Memory(GrowingTest):
    def peak(self, records, out):
        """Of a run with so many records, in MB."""
        child = subprocess.run(["/usr/bin/python3", "-c", """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
sys.exit(done.returncode)""", CLI, "run", "andrews-bodies", "--t-end", "1", "--output-step", repr(1 / records), "--quiet",
                                "--out", self.path(out)], capture_output=True, text=True, timeout=1500)
        self.assertEqual(child.returncode, 0, child.stderr)
        os.remove(self.path(out))
        return float(child.stdout)

    def test_does_not_grow_with_the_records(self):
        for out in ("r.h5", "r.csv"):
            few, many = self.peak(10_000, out), self.peak(1_000_000, out)
            print(f"{out}: {few:.0f} MB with 10^4 records, {many:.0f} MB with 10^6")
            self.assertLess(many - few, 50)


if __name__ == "__main__":
    main()
