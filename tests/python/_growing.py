"""Runs that are killed while their result file grows: what the quick and the long tests of that share."""

import os
import resource
import signal
import subprocess
import time

from _cli import CLI, CliTest, driftless

try:
    import h5py
except ImportError:
    h5py = None

# Endless for our purposes, and quick to write something.
ENDLESS = ("run", "andrews", "--t-end", "1e4", "--output-step", "1e-4")
SWITCHING = ("run", "stick-slip-belt", "--t-end", "1e4", "--output-step", "1e-4")


def start(*arguments, limits=(), **keywords):
    """The program under way; `limits`: pairs of a resource and its soft limit."""
    def prepare():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for what, most in limits:
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
    return subprocess.Popen([CLI, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=prepare, **keywords)


class GrowingTest(CliTest):
    def start(self, *arguments, **keywords):
        process = start(*arguments, **keywords)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, path, process, patience=60):
        deadline = time.monotonic() + patience
        while not os.path.exists(path):
            self.assertIsNone(process.poll(), "the run ended")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def killed(self, out, *arguments, after=0.0, number=signal.SIGKILL):
        """A run that is killed `after` seconds from the moment its file NAME.part is there."""
        process = self.start(*arguments, "--out", out)
        self.wait_for(out + ".part", process)
        time.sleep(after)
        process.send_signal(number)
        process.out, process.err = process.communicate(timeout=60)
        return process

    def check_part(self, part, *same_run):
        """NAME.part opens in h5py, in view and in --from; returns its number of records."""
        records = None
        if h5py is not None:
            with h5py.File(part) as file:
                records = file["t"].shape[0]
                self.assertEqual(file.attrs["status"].decode(), "interrupted")
                for name in ("q", "v", "vdot", "lambda", "quantities", "energy", "drift", "poses", "reactions/values"):
                    self.assertEqual(file[name].shape[0], records, name)
                    file[name][...]
                t = file["t"][...]
                self.assertTrue((t[1:] >= t[:-1]).all() and (t[2:] > t[:-2]).all())  # both sides of a switch have its time
                self.assertLessEqual(t[-1] if records else 0, file["final/t"][()])
                steps = file["steps"][...]
                self.assertEqual(steps.shape[0], file.attrs["statistics.accepted"])
        page = self.path("part.html")
        self.ok("view", part, "--out", page)
        os.remove(page)
        if same_run:
            done = driftless(*same_run, "--from", part, "--quiet")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        return records
