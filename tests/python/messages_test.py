"""Settings in messages: the library speaks of them by name, between backticks; the command line makes options of them."""

import json
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _cli import PENDULUM, CliTest, driftless, main  # noqa: E402

ROOT = pathlib.Path(os.environ.get("DRIFTLESS_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
# Command lines of other programs, and of ours in a job script.
FOREIGN = re.compile(r"report/browser\.cpp|core/cpu_guard\.cpp|sweep/sweep\.cpp")


class MessagesTest(CliTest):
    def test_the_library_knows_no_options(self):
        found = []
        for path in sorted((ROOT / "src" / "driftless").rglob("*.[ch]pp")):
            where = path.relative_to(ROOT / "src" / "driftless").as_posix()
            if where.startswith("cli/") or FOREIGN.search(where):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                code = line.split("//")[0]
                if re.search(r'"[^"]*(?<![\w-])--[a-z][^"]*"', code):
                    found.append(f"{where}:{number}: {line.strip()}")
        self.assertEqual(found, [])

    def test_the_command_line_does(self):
        path = self.write("m.json", PENDULUM)
        for arguments, words in ((["--integrator", "rk4"], ["command line: --integrator: expected --step H with", "add --step 0.001"]),
                                 (["--option", "alpha=3"], ["command line: --option alpha: expected"]),
                                 (["--formulation", "index3", "--integrator", "dopri5"], ["command line: --integrator: expected"]),
                                 (["--coordinates", "polar"], ["--coordinates: expected 'reference-point'"]),
                                 (["--t-end", "-1"], ["--t-end: expected"])):
            done = self.refused("run", path, *arguments, words=words)
            self.assertNotIn("`", done.stderr.replace("`driftless ", ""))
        done = driftless("run", path, "--max-steps", "3", "--json")
        self.assertEqual(done.returncode, 1)
        for text in (done.stderr, json.loads(done.stdout)["message"]):
            self.assertIn("raise --max-steps or loosen --rtol", text)
        out = self.json_of("run", path, "--integrator", "rk4", "--step", "0.01", "--rtol", "1e-8")
        self.assertIn("--step fixes the step: --rtol, --atol, --initial-step and --max-step have no effect", out["notices"])
        helps = [o["help"] for m in self.json_of("methods")["integrators"] for o in m["options"]]
        self.assertTrue(any("--step" in text for text in helps))
        self.assertFalse(any("`" in text for text in helps))


if __name__ == "__main__":
    main()
