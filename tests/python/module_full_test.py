"""The Python module: every model gives the program's numbers to the last bit; ten thousand runs leave no memory behind."""

import gc
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from _module import dl, pendulum  # noqa: E402

CLI = os.environ["DRIFTLESS_CLI"]
MODELS = os.path.join(os.environ["DRIFTLESS_SOURCE_DIR"], "models")
TABLES = ("q", "v", "vdot", "multipliers", "outputs", "energy", "drift", "steps")
ARRAYS = ("t", "poses", "reactions")


def resident():
    """kB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Long(unittest.TestCase):
    def test_every_model_to_the_last_bit(self):
        count = 0
        with tempfile.TemporaryDirectory(prefix="driftless-python-") as folder:
            for name in sorted(os.listdir(MODELS)):
                if not name.endswith(".json"):
                    continue
                path, out = os.path.join(MODELS, name), os.path.join(folder, "a.h5")
                subprocess.run([CLI, "run", path, "--t-end", "0.05", "--out", out, "--quiet"], check=True, timeout=120)
                theirs, mine = dl.load(out), dl.load_model(path).run(t_end=0.05)
                for table in TABLES:
                    self.assertEqual(getattr(mine, table).array.tobytes(), getattr(theirs, table).array.tobytes(), f"{name}: {table}")
                for array in ARRAYS:
                    self.assertEqual(getattr(mine, array).tobytes(), getattr(theirs, array).tobytes(), f"{name}: {array}")
                count += 1
        self.assertGreater(count, 30)
        print(f"{count} models")

    def test_ten_thousand_runs(self):
        model = pendulum()
        sizes = []
        for k in range(10_001):
            r = model.run(t_end=0.2)
            r["angle"], r.q.array
            if k % 1000 == 0:
                gc.collect()
                sizes.append(resident())
        print(f"resident set every 1000 runs, kB: {sizes}")
        self.assertLess(sizes[-1] - sizes[1], 512, sizes)


if __name__ == "__main__":
    unittest.main()
