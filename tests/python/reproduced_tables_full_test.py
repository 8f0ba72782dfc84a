#!/usr/bin/env python3
"""docs/reproduced-tables.md is what `driftless reproduce --markdown` writes, but for round-off and times of the processor."""

import pathlib
import re

from _cli import CliTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
TIMED = "negrut-5"  # seconds of the processor
ROUND_OFF = 1e-10  # of energies of order 10 J, accelerations and drifts
CHAOTIC = re.compile(r"\n  1e2, 1e2 [^\n]*|\n  - trend: the motion is chaotic.*?(?=\n  [-*])", re.DOTALL)  # figures of gjb-7.4 that round-off decides
SAME = 0.02  # where round-off decides when a run fails, or chaos how many iterations it takes


def sections(text):
    return {part.split("\n")[0]: part for part in text.split("\n## ")}


def words(text):
    return " ".join(NUMBER.sub("#", text).split())


def numbers(text):
    return [float(word) for word in NUMBER.findall(text)]


def alike(a, b):
    return abs(a - b) <= SAME * max(abs(a), abs(b)) or max(abs(a), abs(b)) < ROUND_OFF


class ReproducedTables(CliTest):
    def test_the_page_is_what_the_program_writes(self):
        path = pathlib.Path(self.path("tables.md"))
        self.ok("reproduce", "--markdown", path, timeout=1200)
        written = sections(path.read_text(encoding="utf-8"))
        page = sections((ROOT / "docs" / "reproduced-tables.md").read_text(encoding="utf-8"))
        self.assertEqual(list(written), list(page))
        for name, text in written.items():
            with self.subTest(table=name):
                self.assertEqual(words(text), words(page[name]))
                if name != TIMED:
                    bad = [(a, b) for a, b in zip(numbers(CHAOTIC.sub("", text)), numbers(CHAOTIC.sub("", page[name]))) if not alike(a, b)]
                    self.assertEqual(bad, [])


if __name__ == "__main__":
    main()
