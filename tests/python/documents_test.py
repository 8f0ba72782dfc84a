"""The lists in the documents are those of the program: joints, drivers, forces, outputs and their fields (from the schema,
which is made from the records), options of the command line (from --help), counts in README.md.
"""

import json
import pathlib
import re

from _cli import CliTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
COMMANDS = ("run", "check", "compare", "sweep", "view", "problems", "methods", "reproduce", "advise")
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
# Of other programs, in examples of the documents.
FOREIGN = {"--install", "--no-index", "--system-site-packages"}


def text_of(*names):
    return "\n".join((DOCS / name).read_text(encoding="utf-8") for name in names)


def elements():
    """(kind, type) → names of its fields, in planar and in spatial models together."""
    schema = json.loads((ROOT / "schema" / "model.schema.json").read_text(encoding="utf-8"))
    found = {}
    for name, entry in schema["$defs"].items():
        match = re.fullmatch(r"(planar|spatial)-(joint|driver|force|contact|output)-(.+)", name)
        if match:
            fields = set(entry.get("properties", {})) - {"name", "type", "comment"}
            found.setdefault(match.group(2, 3), set()).update(fields)
    return found


def rows(text):
    """First cells and whole rows of all tables."""
    return [(line.split("|")[1], line) for line in text.splitlines() if line.startswith("|")]


class Documents(CliTest):
    def test_every_element_is_in_the_reference_with_all_its_fields(self):
        reference = {"joint": "joints.md", "driver": "joints.md", "force": "forces.md", "contact": "contacts.md",
                     "output": "model-format.md"}
        missing = []
        for (kind, name), fields in elements().items():
            text = text_of("model-format.md", reference[kind])
            own = "\n".join(row for cell, row in rows(text) if f"`{name}`" in cell)
            if not own:
                missing.append(f"{kind} `{name}`: in no table of docs/model-format.md, docs/{reference[kind]}")
            for field in sorted(fields):
                if f"`{field}`" not in text:
                    missing.append(f"{kind} `{name}`: its field `{field}` in neither of them")
        self.assertEqual(missing, [])

    def test_no_table_has_an_element_that_is_not_there(self):
        """Tables whose head says `type`: of elements, functions of time and shapes."""
        schema = json.loads((ROOT / "schema" / "model.schema.json").read_text(encoding="utf-8"))
        known = {re.sub(r"^(planar|spatial)-(joint|driver|force|contact|output|shape)-|^function-", "", name)
                 for name in schema["$defs"]}
        unknown = []
        for page in ("model-format.md", "joints.md", "forces.md"):
            typed = False
            for line in text_of(page).splitlines():
                if not line.startswith("|"):
                    typed = False
                elif re.match(r"\| *(`type`|type|joint|driver|force|output) *\|", line):
                    typed = True
                elif typed:
                    unknown += [f"{page}: {name}" for name in re.findall(r"`([a-z][a-z-]*)`", line.split("|")[1])
                                if name not in known]
        self.assertEqual(unknown, [])

    def test_cheat_sheet_has_every_element_and_method(self):
        lists = {kind: ", ".join(name for of, name in elements() if of == kind)
                 for kind in ("joint", "driver", "force", "contact", "output")}
        methods = self.json_of("methods")
        for kind in ("coordinates", "formulations", "integrators", "stabilizations"):
            lists[kind] = ", ".join(method["name"] for method in methods[kind])
        rows_wanted = [f"| {kind if kind.endswith('s') else kind + 's'} | {names} |" for kind, names in lists.items()]
        if "cvode-bdf" not in lists["integrators"]:  # a build without SUNDIALS
            rows_wanted = [row for row in rows_wanted if not row.startswith("| integrators")]
        text = text_of("cheat-sheet.md")
        missing = [row for row in rows_wanted if row not in text]
        self.assertEqual(missing, [], "rows of docs/cheat-sheet.md as the records give them:\n" + "\n".join(missing))

    def test_command_line_page_has_every_option_and_no_other(self):
        options = set()
        for command in COMMANDS:
            options |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.ok(command, "--help").stdout))
        options |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.ok("--help").stdout))
        written = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text_of("command-line.md")))
        self.assertEqual(options - written, set(), "not in docs/command-line.md")
        for page in [*DOCS.glob("*.md"), ROOT / "README.md"]:
            written = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page.read_text(encoding="utf-8")))
            self.assertEqual(written - options - FOREIGN, set(), f"in {page.name}, but there are no such options")

    def test_every_problem_and_model_has_a_picture(self):
        listed = self.json_of("problems")
        missing = [entry["name"] for entry in [*listed["problems"], *listed["models"]]
                   if not (DOCS / "img" / "library" / f"{entry['name']}.svg").exists()]
        self.assertEqual(missing, [], "draw them: tools/library-pictures NAME")

    def test_one_version_everywhere(self):
        version = self.ok("--version").stdout.split()[1]
        for name, line in (("CMakeLists.txt", r"^  VERSION (\S+)$"), ("pyproject.toml", r'^version = "(.*)"$'), ("CITATION.cff", r"^version: (\S+)$")):
            found = re.search(line, (ROOT / name).read_text(encoding="utf-8"), re.M)
            self.assertEqual(found and found.group(1), version, name)

    def test_counts_in_the_readme(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        methods = self.json_of("methods")
        match = re.search(r"(\w+) formulations of the equations of motion, more\s+than\s+(\w+)\s+integrators", text)
        self.assertIsNotNone(match, "the sentence with the counts is gone: adapt this test")
        self.assertEqual(match.group(1), WORDS[len(methods["formulations"])])
        tens = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}[match.group(2)]
        self.assertIn(len(methods["integrators"]) - tens, range(1, 11), match.group(0))


if __name__ == "__main__":
    main()
