"""The committed page of the viewer (viewer/dist/page.html) belongs to its sources and has what the program replaces.
Needs no node: the build writes a hash of all sources into the page. After a change: tools/build-viewer.
"""

import hashlib
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ.get("DRIFTLESS_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2])) / "viewer"
OTHERS = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.mjs"]


def source_hash():
    """As in viewer/vite.config.mjs: name and contents of every file the page is made from, in order of the names."""
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()] + OTHERS
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(f"{name}\n".encode())
        total.update((ROOT / name).read_bytes())
    return total.hexdigest()


class Page(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "dist" / "page.html").read_text(encoding="utf-8")

    def test_is_up_to_date(self):
        found = re.search(r'<meta name="driftless-source" content="([0-9a-f]{64})"', self.page)
        self.assertIsNotNone(found, "the page has no hash of its sources")
        self.assertEqual(found.group(1), source_hash(), "viewer/src has changed: run tools/build-viewer and commit viewer/dist/page.html")

    def test_has_the_places_that_the_program_fills(self):
        for text in ['<script type="application/json" id="driftless-data">{}</script>',
                     '<script type="text/plain" id="driftless-binary"></script>', "<title>driftless</title>"]:
            self.assertEqual(self.page.count(text), 1, text)

    def test_needs_no_network(self):
        for pattern in [r'<script[^>]+src=', r'<link[^>]+href="(?!data:)', r'@import', r'url\((?!["\']?data:)[^)]']:
            self.assertIsNone(re.search(pattern, self.page), pattern)

    def test_lock_file_names_no_registry(self):
        self.assertNotIn('"resolved"', (ROOT / "package-lock.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
