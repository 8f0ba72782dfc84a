"""Every legal pair of formulation and integrator still makes the steps of tests/data/gate_table.csv (tools/gate-table)."""

import pathlib
import subprocess
import sys
import unittest

from _cli import CLI, main

ROOT = pathlib.Path(__file__).resolve().parents[2]


class GateTable(unittest.TestCase):
    def test_steps_of_every_pair(self):
        done = subprocess.run([sys.executable, str(ROOT / "tools/gate-table"), str(ROOT / "tests/data/gate_table.csv"),
                               "--program", CLI, "--jobs", "2"], capture_output=True, text=True, timeout=1500, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
