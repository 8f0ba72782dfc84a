#!/usr/bin/env python3
"""tools/build-docs makes the site, without a dead link; skipped where Sphinx is not installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Site(unittest.TestCase):
    @unittest.skipIf(shutil.which("sphinx-build") is None, "no Sphinx")
    def test_site(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(ROOT / "tools" / "build-docs"), "--out", folder + "/site", "--program",
                                   os.environ["DRIFTLESS_CLI"]], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            site = pathlib.Path(folder) / "site"
            for page in ("index.html", "gallery.html", "docs/tutorial.html", "docs/theory/pstab.html", "live/problems-andrews.html"):
                self.assertTrue((site / page).exists(), page)


if __name__ == "__main__":
    unittest.main()
