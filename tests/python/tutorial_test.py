#!/usr/bin/env python3
"""Commands of the tutorial and the how-tos do what the pages say; links between documents lead somewhere."""

import pathlib
import re
import shlex
import subprocess

from _cli import CLI, CliTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.S | re.M)


def anchors(path):
    """As GitHub and MyST make them of headings."""
    found = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"#+ +(.*)", line)
        if match:
            text = re.sub(r"[^\w\- ]", "", re.sub(r"`|\[|\]\([^)]*\)", "", match.group(1)).strip().lower())
            found.add(text.replace(" ", "-"))
    return found


class Pages(CliTest):
    def run_page(self, page):
        commands = [line for block in blocks(page, "sh") for line in block.splitlines() if line.strip()]
        self.assertTrue(commands)
        for command in commands:
            words = shlex.split(command)
            self.assertEqual(words[0], "driftless", command)
            done = subprocess.run([CLI, *words[1:]], cwd=self.path(""), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{page}: {command}\n{done.stderr}")

    def test_tutorial(self):
        files = blocks("tutorial.md", "json")
        self.assertEqual(len(files), 2)
        for name, text in zip(("trolley.json", "trolley2.json"), files):
            pathlib.Path(self.path(name)).write_text(text, encoding="utf-8")
        self.run_page("tutorial.md")

    def test_how_to(self):
        self.run_page("how-to.md")

    def test_no_link_between_documents_is_dead(self):
        dead = []
        for page in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
            text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
            text = re.sub(r"`[^`\n]*`", "", text)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                path = (page.parent / name).resolve() if name else page
                if not path.exists():
                    dead.append(f"{page.relative_to(ROOT)}: {target}")
                elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                    dead.append(f"{page.relative_to(ROOT)}: no such heading: {target}")
        self.assertEqual(dead, [])


if __name__ == "__main__":
    main()
