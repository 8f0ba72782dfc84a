#!/usr/bin/env python3
"""Every command that README, docs/ and examples/ show is run as it stands there, in the order of its page; what a page shows of the answer
is what the program says, but for figures."""

import os
import pathlib
import re
import shutil
import subprocess

from _cli import CLI, CliTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Lines that say how a command is written, not one to type; tables of figures have a test of their own.
SYNOPSIS = re.compile(r"\bMODEL\b|PROBLEM|\bTABLE\b|FILE\.h5|SHELL|bash\|zsh|…|\bS1\.h5\b|^driftless reproduce (?!chin-2\.1)")
NOT_HERE = {
    "driftless run andrews --t-end 1000 --out a.h5 --checkpoint-every 60": "is killed: tests/python/growing_file_test.py",
    "driftless run andrews --t-end 1000 --from a.h5.part --out b.h5": "goes on from a run that was killed: tests/python/growing_file_test.py",
}
PLACEHOLDERS = {"NAME": "four-bar", "FILE.json": "models/four-bar.json"}  # of the cheat sheet
# Figures, and the rows that are worst at round-off.
FIGURE = re.compile(r"[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\(\w+\.\w+\)")


def commands_of(text):
    """Commands with the lines shown below them, of code blocks fenced or indented; "$ " in front says that an answer follows."""
    out, shown, fenced = [], None, False
    for line in re.sub(r" \\\n +", " ", text).splitlines():  # one command on two lines
        if line.startswith("```"):
            fenced, shown = not fenced, None
            continue
        is_code = fenced or line.startswith("    ")
        word = line if fenced else line[4:]
        found = re.match(r"(\$ )?(driftless [a-z].*?)(?:   +\S.*)?$", word) if is_code else None
        if found:
            shown = [] if found.group(1) else None
            out.append((found.group(2).strip(), shown))
        elif shown is not None and is_code:
            shown.append(word)
        elif not is_code and line.strip():
            shown = None
    return out


def shape(line):
    return " ".join(FIGURE.sub("#", line).replace("# #", "#").split())


class Commands(CliTest):
    def setUp(self):
        super().setUp()
        self.home = pathlib.Path(self.folder)
        for name in ("models", "examples"):
            shutil.copytree(ROOT / name, self.home / name)
        (self.home / "bin").mkdir()
        (self.home / "bin" / "driftless").symlink_to(CLI)
        self.environment = {**os.environ, "PATH": f"{self.home}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def run_page(self, page, folder):
        count, wrong = 0, []
        for command, shown in commands_of(page.read_text(encoding="utf-8")):
            if SYNOPSIS.search(command) or command in NOT_HERE or ("--png" in command and shutil.which("chromium") is None):
                continue
            if page.name == "cheat-sheet.md" and "--out both" in command:
                command = "driftless run four-bar --out a.h5; driftless run four-bar --out b.h5; " + command
            if page.name == "cheat-sheet.md":
                for name, instead in PLACEHOLDERS.items():
                    command = command.replace(name, instead)
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, capture_output=True, text=True, timeout=1800)
            count += 1
            answer = done.stdout + done.stderr
            refused = bool(shown) and shown[0].startswith("error:") and not re.search(r"[|;]", command)
            if (done.returncode != 0) != refused:
                wrong.append(f"{command}: exit status {done.returncode}: {answer.strip()[-300:]}")
            there = {shape(line) for line in answer.splitlines()}
            for line in shown or []:
                if line.strip() not in ("", "...", "…") and "…" not in line and shape(line) not in there:
                    wrong.append(f"{command}: shown, but not said: {line}")
        return count, wrong

    def test_every_command_of_every_page(self):
        pages = [(ROOT / "README.md", self.home)]
        pages += [(page, self.home) for page in sorted((ROOT / "docs").rglob("*.md"))
                  if page.name not in ("tutorial.md", "how-to.md")]  # tutorial_test.py
        pages += [(page, self.home / page.parent.relative_to(ROOT)) for page in sorted((ROOT / "examples").rglob("README.md"))]
        total = 0
        for page, folder in pages:
            text = page.read_text(encoding="utf-8")
            # Files that a page has its reader write: what the next command takes.
            for model, name in re.findall(r"^```json\n(.*?)^```.*?driftless \w+ (\w+\.json)", text, re.S | re.M):
                if not (folder / name).exists() and '"driftless"' in model:
                    (folder / name).write_text(model, encoding="utf-8")
            count, wrong = self.run_page(page, folder)
            total += count
            with self.subTest(page=str(page.relative_to(ROOT))):
                self.assertEqual(wrong, [], "\n".join(wrong))
        print(f"{total} commands")
        self.assertGreater(total, 60)


if __name__ == "__main__":
    main()
