"""The notebooks of examples/notebooks: every code cell runs, in order; what they assert holds. Needs no jupyter."""

import contextlib
import glob
import io
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import _module  # noqa: E402,F401  the module of the build

FOLDER = os.path.join(os.environ["DRIFTLESS_SOURCE_DIR"], "examples", "notebooks")


class NotebooksTest(unittest.TestCase):
    def test_every_cell_runs(self):
        notebooks = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))
        self.assertEqual(len(notebooks), 3)
        for path in notebooks:
            with open(path, encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            names, said = {"__name__": "__main__"}, io.StringIO()
            for number, cell in enumerate(cells):
                if cell["cell_type"] != "code":
                    continue
                with self.subTest(notebook=os.path.basename(path), cell=number), contextlib.redirect_stdout(said):
                    exec(compile("".join(cell["source"]), f"{path}[{number}]", "exec"), names)

    def test_they_are_committed_without_outputs(self):
        for path in glob.glob(os.path.join(FOLDER, "*.ipynb")):
            with open(path, encoding="utf-8") as file:
                for cell in json.load(file)["cells"]:
                    self.assertFalse(cell.get("outputs"), path)


if __name__ == "__main__":
    unittest.main()
