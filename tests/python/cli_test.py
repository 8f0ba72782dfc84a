#!/usr/bin/env python3
"""The command line contract (design, section 5): usage, lists, runs, the --json object, bad input."""

import json
import math
import os
import pathlib
import subprocess
import time
import unittest

from _cli import CLI, PENDULUM, REDUNDANT, UNCLOSABLE, CliTest, changed, driftless, main, read_csv


ROOT = pathlib.Path(__file__).resolve().parents[2]


class Reproduce(CliTest):
    def test_list(self):
        listed = self.ok("reproduce", "--list").stdout
        tables = self.json_of("reproduce", "--list")["tables"]
        self.assertIn("chin-2.1", [table["id"] for table in tables])
        for table in tables:
            self.assertIn(table["id"], listed)
            self.assertTrue(table["title"] and table["source"])

    def test_tables(self):
        for name in ("chin-2.1", "chin-4.6", "hoitink-4.2"):
            answer = self.json_of("reproduce", name)
            self.assertEqual((answer["status"], answer["id"]), ("ok", name))
            self.assertTrue(answer["rows"])
            for row in answer["rows"]:
                for field in ("published", "measured", "verdict", "reason"):
                    self.assertEqual(len(row[field]), len(answer["columns"]))
                self.assertLessEqual(set(row["verdict"]), {"matches", "trend", "misprint", "data-missing", "differs"})
                self.assertTrue(all(row["reason"]))
            text = self.ok("reproduce", name).stdout
            for word in [name, *answer["columns"], *(row["label"] for row in answer["rows"])]:
                self.assertIn(word, text)
            self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_several_tables_in_one_page_and_as_data(self):
        page, text = self.path("tables.html"), self.path("tables.md")
        answer = self.json_of("reproduce", "chin-2.2", "chin-3.1", "-j", "2", "--report", page, "--markdown", text)
        self.assertEqual([table["id"] for table in answer["tables"]], ["chin-2.2", "chin-3.1"])
        self.assertIn("misprint", pathlib.Path(page).read_text(encoding="utf-8"))
        # The page of the documents is what the program writes.
        written = pathlib.Path(text).read_text(encoding="utf-8").split("\n## ")
        page = (ROOT / "docs" / "reproduced-tables.md").read_text(encoding="utf-8").split("\n## ")
        self.assertEqual(written[0], page[0])
        self.assertIn(written[1].strip(), [part.strip() for part in page])  # chin-2.2: nothing in it is round-off
        listed = [table["id"] for table in self.json_of("reproduce", "--list")["tables"]]
        self.assertEqual([part.split("\n")[0] for part in page[1:]], listed)

    def test_measured_figures_are_those_of_runs(self):
        row = self.json_of("reproduce", "chin-3.1")["rows"][0]
        run = self.json_of("run", "manipulator-parabola", "--integrator", "heun", "--step", "0.01", "--formulation",
                           "baumgarte", "--option", "gamma1=12", "--option", "gamma2=70")
        self.assertEqual(row["measured"], [run["drift"]["velocity_max"], run["drift"]["position_max"]])

    def test_unknown_table(self):
        self.refused("reproduce", "chin-9.9", words=["chin-2.1", "chin-9.9", "expected"])
        self.refused("reproduce", "", words=["expected"])


class Usage(CliTest):
    def test_help_and_version(self):
        for command in ([], ["run"], ["view"], ["check"], ["methods"], ["problems"], ["reproduce"], ["advise"]):
            self.assertIn("Usage", self.ok(*command, "--help").stdout)
        self.assertRegex(self.ok("--version").stdout, r"^driftless \d+\.\d+\.\d+\n$")

    def test_usage_errors(self):
        self.refused()
        self.refused("rnu", "andrews", words=["run"])
        self.refused("run")
        self.refused("check")
        self.refused("run", "andrews", "extra", words=["extra"])
        self.refused("methods", "extra", words=["extra"])
        self.refused("reproduce", "chin-2.1", "extra", words=["extra"])
        self.refused("reproduce", "chin-2.1", "-j", "0", words=["-j"])
        self.refused("run", "andrews", "--jsn", words=["--json"])
        self.refused("run", "andrews", "--t-end", words=["--t-end"])
        for option in ("--report", "--png"):
            self.refused("run", "andrews", option, self.path("x"), words=["ending"])

    def test_unknown_names_list_the_nearest(self):
        self.refused("run", "andrew", words=["andrews"])
        self.refused("run", "", words=["expected"])
        self.refused("run", "x" * 5000, words=["expected"])
        self.refused("run", self.path("none.json"), words=["none.json"])
        self.refused("run", "none.json", words=["none.json"])

    def test_numbers_must_be_finite_and_in_range(self):
        done = self.refused("run", "andrews", "--step", "-1")
        self.assertIn("--step: expected a number > 0, found '-1'", done.stderr)
        for option in ("--rtol", "--atol", "--step", "--initial-step", "--max-step", "--max-steps", "--output-step",
                       "--drift-limit"):
            for value in ("0", "-1", "nan", "inf", "-inf", "1e999", "x", "", "1 2", "0x10"):
                self.refused("run", "andrews", option, value, words=[option, "expected", "found"])
        for value in ("nan", "inf", "-inf", "x", "0", "-1"):
            self.refused("run", "andrews", "--t-end", value, words=["--t-end", "expected"])
        self.refused("run", "andrews", "--max-steps", "1.5", words=["--max-steps"])
        self.refused("run", "andrews", "--output-step", "1e-300", words=["--output-step", "memory"])

    def test_bad_usage_with_json_prints_the_object_too(self):
        for arguments in (["run", "andrews", "--rtol", "0"], ["run", "andrew"], ["check", "none.json"],
                          ["run", "andrews", "--unknown"]):
            done = driftless(*arguments, "--json")
            self.assertEqual(done.returncode, 2)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["status"], "failed")
            self.assertTrue(answer["message"])
            self.assertIn(answer["message"].splitlines()[0], done.stderr)

    def test_plain_ascii_where_the_locale_is_not_utf8(self):
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
        for command in (["methods"], ["problems"], ["run", "circle-track"]):
            done = subprocess.run([CLI, *command], capture_output=True, env=environment, timeout=60)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout.isascii(), command)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_stdout_is_a_failure(self):
        with open("/dev/full", "w") as full:
            for command in (["methods"], ["run", "--help"], ["--version"]):
                done = subprocess.run([CLI, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(done.returncode, 1)
                self.assertIn("stdout", done.stderr)


class Lists(CliTest):
    def test_methods(self):
        methods = self.json_of("methods")
        for kind, some in (("coordinates", {"reference-point", "relative", "equations"}), ("formulations", {"lagrange", "baumgarte"}),
                           ("integrators", {"euler", "heun", "rk4", "dopri5"}),
                           ("stabilizations", {"none", "pstab", "s-both", "s-seq", "s-full", "velocity-only",
                                               "projection"})):
            names = [method["name"] for method in methods[kind]]
            self.assertEqual(len(names), len(set(names)))
            self.assertLessEqual(some, set(names))
            for method in methods[kind]:
                self.assertTrue(method["reference"] and method["summary"])
        text = self.ok("methods").stdout
        for kind in ("coordinates", "formulations", "integrators", "stabilizations"):
            for method in methods[kind]:
                self.assertIn(method["name"], text)

    def test_page_of_the_problems_is_what_the_program_prints(self):
        page = ROOT / "docs" / "problems.md"
        self.assertEqual(self.ok("problems", "--markdown").stdout, page.read_text(encoding="utf-8"),
                         "write it anew: driftless problems --markdown > docs/problems.md")

    def test_page_of_methods_is_the_one_the_records_give(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "methods.md"
        found = self.ok("methods", "--markdown").stdout
        if "cvode-bdf" in found:  # the page lists the integrators of SUNDIALS, which a build may be without
            self.assertEqual(found, page.read_text(encoding="utf-8"),
                             "write it anew: driftless methods --markdown > docs/methods.md")
        folder = page.parent / "theory"
        for kind in ("formulations", "integrators", "stabilizations", "coordinates"):
            for method in self.json_of("methods")[kind]:
                if method["name"] != "equations":
                    self.assertTrue((folder / f"{method['name']}.md").is_file(), method["name"])

    def test_methods_that_do_not_fit_are_refused_with_those_that_do(self):
        self.refused("run", "andrews", "--formulation", "index3", "--integrator", "rk4", "--step", "1e-5",
                     words=["generalized-alpha", "bdf"])
        self.refused("run", "andrews", "--formulation", "lagrange", "--integrator", "generalized-alpha", words=["dopri5"])
        self.refused("run", "andrews", "--formulation", "index3", "--integrator", "sdirk4", words=["radau-iia5", "bdf"])
        self.ok("run", "four-bar", "--formulation", "index2-ggl", "--t-end", "0.01")
        self.refused("run", "heavy-top", "--formulation", "index2-ggl", "--step", "1e-3", "--coordinates", "reference-point",
                     words=["euler-parameters"])

    def test_what_nobody_chose_gives_way_to_what_is_named(self):
        answer = self.json_of("run", "heavy-top", "--formulation", "index2", "--t-end", "0.01")
        self.assertEqual(answer["coordinates"], "euler-parameters")
        self.assertTrue(any("euler-parameters instead of reference-point" in note for note in answer["notices"]))
        answer = self.json_of("run", "stiff-double-pendulum", "--formulation", "index3", "--t-end", "0.01")
        self.assertEqual(answer["integrator"], "generalized-alpha")
        self.assertTrue(any("sdirk4" in note for note in answer["notices"]))
        answer = self.json_of("run", "stiff-double-pendulum", "--integrator", "abm4", "--t-end", "0.0001")
        self.assertEqual(answer["formulation"], "partitioned")  # it fits, and stays
        for problem, integrator, formulation in (("andrews", "generalized-alpha", "index3"), ("four-bar", "hem4", "index2"),
                                                 ("stiff-double-pendulum", "newmark", "index3")):
            answer = self.json_of("run", problem, "--integrator", integrator, "--t-end", "0.0001")
            self.assertEqual(answer["formulation"], formulation)
            self.assertTrue(any(formulation in note and integrator in note for note in answer["notices"]), answer["notices"])
        for chosen in ((), ("--integrator", "auto")):
            answer = self.json_of("run", "heavy-top", "--formulation", "index2", "--coordinates", "reference-point", *chosen,
                                  "--t-end", "0.01")
            self.assertEqual((answer["coordinates"], answer["integrator"]), ("reference-point", "hem4"))
            self.assertTrue(any("hem4 instead of" in note for note in answer["notices"]), answer["notices"])

    def test_mechanisms_without_freedom(self):
        for model in ("quick-return", "drawing-arm", "universal-shaft"):
            for formulation in ("partitioned", "projection-independent"):
                for integrator in ("bdf", "sdirk4", "radau-iia5"):
                    self.ok("run", model, "--formulation", formulation, "--integrator", integrator, "--t-end", "0.01")

    def test_problems_and_models(self):
        listed = self.json_of("problems")
        self.assertLessEqual({"andrews", "circle-track", "double-pendulum"},
                             {problem["name"] for problem in listed["problems"]})
        for model in listed["models"]:
            self.assertNotIn("trouble", model)
        self.assertIn("andrews", self.ok("problems").stdout)

    def test_every_listed_name_runs(self):
        listed = self.json_of("problems")
        for entry in listed["problems"] + listed["models"]:
            run = self.ok("run", entry["name"], "--t-end", "0.001", "--json")
            answer = json.loads(run.stdout)
            self.assertEqual((answer["status"], answer["final"]["t"]), ("ok", 0.001))
            redundant = {"bricard": 1, "spatial-four-bar": 3, "universal-shaft": 2}.get(entry["name"], 0)
            self.assertEqual("redundant" in run.stderr, redundant > 0)
            self.assertEqual(len(self.json_of("check", entry["name"])["redundant_rows"]), redundant)

    def test_models_folder_from_the_environment(self):
        self.write("my-pendulum.json", PENDULUM)
        self.write("broken.json", "{")
        environment = dict(os.environ, DRIFTLESS_MODELS=self.folder)
        listed = json.loads(self.ok("problems", "--json", env=environment).stdout)
        models = {model["name"]: model for model in listed["models"]}
        self.assertEqual(models["my-pendulum"]["description"], "a bar on a pin")
        self.assertTrue(models["broken"]["trouble"])
        self.ok("run", "my-pendulum", env=environment)
        self.refused("run", "my-pendulm", env=environment, words=["my-pendulum"])


class Runs(CliTest):
    def test_json_object(self):
        answer = self.json_of("run", "andrews", "--t-end", "0.01", "--rtol", "1e-8")
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(answer["problem"], "andrews")
        self.assertEqual((answer["coordinates"], answer["formulation"], answer["integrator"], answer["stabilization"]),
                         ("equations", "lagrange", "dopri5", "pstab"))
        self.assertEqual((answer["t_end"], answer["rtol"], answer["atol"]), (0.01, 1e-8, 1e-9))
        counts = answer["statistics"]
        self.assertEqual(counts["rejected"], counts["error_test_failures"] + counts["convergence_failures"])
        for key in ("steps", "accepted", "rejected", "evaluations", "newton_iterations", "jacobians",
                    "iteration_matrices", "factorizations", "partitions", "stabilizations"):
            self.assertIsInstance(counts[key], int)
        self.assertEqual(counts["steps"], counts["accepted"] + counts["rejected"])
        self.assertGreater(counts["evaluations"], 5 * counts["steps"])
        self.assertGreaterEqual(counts["cpu_seconds"], 0)
        self.assertLess(answer["drift"]["position_max"], 1e-9)
        self.assertLess(answer["drift"]["velocity_max"], 1e-6)
        self.assertLess(answer["energy"]["max_relative_error"], 1e-5)
        self.assertLessEqual({"initial", "final"}, set(answer["energy"]))
        final = answer["final"]
        self.assertEqual(final["t"], 0.01)
        self.assertEqual(len(final["names"]), 7)
        self.assertEqual((len(final["q"]), len(final["v"]), len(final["lambda"])), (7, 7, 6))
        self.assertTrue(all(math.isfinite(x) for x in final["q"] + final["v"] + final["lambda"]))
        self.assertIsInstance(final["quantities"], dict)

    def test_summary_and_quiet(self):
        done = self.ok("run", "andrews", "--t-end", "0.01")
        self.assertEqual(done.stderr, "")
        for word in ("andrews", "accepted", "evaluations", "|g|", "|J v - nu|", "energy", "beta"):
            self.assertIn(word, done.stdout)
        done = self.ok("run", "andrews", "--t-end", "0.01", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_model_with_assembly_outputs_and_stop(self):
        model = changed(PENDULUM, lambda m: m["simulate"].update(
            t_end=2, stop_when=[{"output": "tip_y", "crosses": -0.9, "direction": "down"}]))
        answer = self.json_of("run", self.write("p.json", model))
        self.assertEqual((answer["status"], answer["problem"]), ("ok", "pendulum"))
        self.assertIn("tip_y", answer["stopped_by"])
        self.assertEqual(answer["final"]["names"], ["bob.x", "bob.y", "bob.theta"])
        self.assertAlmostEqual(answer["final"]["quantities"]["tip_y"], -0.9, places=6)
        self.assertLess(answer["final"]["t"], 2)
        self.assertEqual(answer["events"][-1]["t"], answer["final"]["t"])
        self.assertGreater(answer["assembly"]["moved_length"], 0.01)
        self.assertIn("moved at most", self.ok("run", self.path("p.json")).stdout)

    def test_command_line_goes_before_the_model(self):
        path = self.write("p.json", changed(PENDULUM, lambda m: m["simulate"].update(
            t_end=0.3, rtol=1e-5, formulation="baumgarte", options={"alpha": 5, "beta": 7})))
        answer = self.json_of("run", path)
        self.assertEqual((answer["t_end"], answer["rtol"], answer["formulation"]), (0.3, 1e-5, "baumgarte"))
        self.assertEqual(answer["options"]["formulation.beta"], "7")
        answer = self.json_of("run", path, "--t-end", "0.2", "--rtol", "1e-7", "--option", "formulation.alpha=3")
        self.assertEqual((answer["t_end"], answer["rtol"]), (0.2, 1e-7))
        self.assertEqual((answer["options"]["formulation.alpha"], answer["options"]["formulation.beta"]), ("3", "7"))
        answer = self.json_of("run", path, "--formulation", "lagrange")
        self.assertEqual((answer["formulation"], answer["stabilization"]), ("lagrange", "pstab"))
        self.assertIn("beta", " ".join(answer["notices"]))

    def test_fixed_step_of_a_model_gives_way_to_tolerances(self):
        path = self.write("p.json", changed(PENDULUM, lambda m: m["simulate"].update(
            t_end=0.1, step=0.01, integrator="rk4")))
        self.assertEqual(self.json_of("run", path)["statistics"]["accepted"], 10)
        self.assertEqual(self.json_of("run", path, "--step", "0.02")["statistics"]["accepted"], 5)
        answer = self.json_of("run", path, "--integrator", "dopri5")
        self.assertIsNone(answer["step"])
        self.assertIn("step", " ".join(answer["notices"]))

    def test_failed_run_says_so_and_keeps_its_results(self):
        out = self.path("r.csv")
        done = driftless("run", "andrews", "--max-steps", "10", "--out", out, "--json")
        self.assertEqual(done.returncode, 1)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["status"], "failed")
        self.assertIn("--max-steps", answer["message"])
        self.assertIn(answer["message"], done.stderr)
        self.assertEqual(answer["statistics"]["steps"], 10)
        self.assertEqual(len(read_csv(out)[1]), 11)
        done = driftless("run", "double-pendulum", "--integrator", "euler", "--step", "0.01", "--stabilization",
                         "none", "--drift-limit", "1e-6")
        self.assertEqual(done.returncode, 1)
        self.assertIn("limit", done.stderr)
        self.assertIn("FAILED", done.stdout)

    def test_function_that_is_no_number_at_the_start_is_named(self):
        push = {"name": "push", "type": "torque", "body": "bob", "torque": "sin(t)/t"}
        model = self.write("p.json", changed(PENDULUM, lambda m: m.update(forces=[push])))
        for command in ("run", "check"):
            self.refused(command, model, words=["p.json", "forces[0].torque", "sin(t)/t", "NaN", "t = 0"])
        push["torque"] = "if(t > 0, sin(t)/t, 1)"
        model = self.write("q.json", changed(PENDULUM, lambda m: m.update(forces=[push])))
        self.assertEqual(driftless("run", model, "--quiet").returncode, 0)

    def test_doubts_about_accuracy_are_warnings(self):
        done = driftless("run", "double-pendulum", "--integrator", "euler", "--step", "0.01", "--json")
        answer = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(answer["warnings"]), 1, answer["warnings"])
        self.assertIn("energy balance is off by 0.", answer["warnings"][0])
        self.assertEqual(json.loads(driftless("run", "double-pendulum", "--json").stdout)["warnings"], [])

    def test_methods_that_do_not_exist_or_do_not_combine(self):
        pendulum = self.write("p.json", PENDULUM)
        for option, near in (("--formulation", "lagrange"), ("--integrator", "dopri5"), ("--stabilization", "pstab")):
            self.refused("run", "andrews", option, near + "x", words=[option, near])
            self.refused("run", pendulum, option, "nothing-like-it", words=[option, near])
        self.refused("run", pendulum, "--coordinates", "reference-pont", words=["--coordinates", "reference-point"])
        self.refused("run", pendulum, "--coordinates", "equations", words=["--coordinates", "reference-point"])
        self.refused("run", "andrews", "--coordinates", "reference-point", words=["--coordinates", "equations"])
        self.refused("run", "andrews", "--integrator", "rk4", words=["--step"])
        model = changed(PENDULUM, lambda m: m["simulate"].update(formulation="lagrang"))
        self.refused("run", self.write("q.json", model), words=["q.json", "simulate.formulation", "lagrange"])

    def test_options(self):
        self.refused("run", "andrews", "--option", "alpha=1", words=["alpha"])
        self.refused("run", "andrews", "--option", "alpha", words=["name=value"])
        self.refused("run", "andrews", "--option", "=1", words=["name=value"])
        self.refused("run", "andrews", "--option", "weight=heavy", words=["mass", "identity"])
        self.refused("run", "andrews", "--option", "weight=mass", "--option", "weight=identity", words=["once"])
        self.refused("run", "andrews", "--formulation", "baumgarte", "--option", "alpha=-1", words=["alpha"])
        answer = self.json_of("run", "andrews", "--t-end", "0.001", "--option", "stabilization.weight=identity")
        self.assertEqual(answer["options"]["stabilization.weight"], "identity")

    def test_relative_coordinates_and_their_options(self):
        bodies = self.json_of("run", "four-bar", "--rtol", "1e-9")
        chosen = self.json_of("run", "four-bar", "--coordinates", "relative")
        self.assertEqual(chosen["coordinates"], "relative")
        self.assertEqual(chosen["final"]["names"], ["pin_O.angle", "pin_C.angle", "pin_A.angle"])
        self.assertEqual(chosen["options"]["coordinates.cut"], "")
        for name in ("cut", "coordinates.cut"):
            cut = self.json_of("run", "four-bar", "--rtol", "1e-9", "--coordinates", "relative", "--option",
                               name + "=pin_C")
            self.assertEqual(cut["final"]["names"], ["pin_O.angle", "pin_A.angle", "pin_B.angle"])
            self.assertEqual(cut["options"]["coordinates.cut"], "pin_C")
            for channel, value in bodies["final"]["quantities"].items():
                self.assertAlmostEqual(value, cut["final"]["quantities"][channel], delta=1e-6)
        checked = self.json_of("check", "four-bar", "--coordinates", "relative", "--option", "cut=pin_C")
        self.assertEqual((checked["row_names"], checked["dof"]), (["pin_C.x", "pin_C.y"], 1))
        self.refused("run", "four-bar", "--coordinates", "relative", "--option", "cut=pin_c",
                     words=["cut", "'pin_O', 'pin_A', 'pin_B' or 'pin_C'", "did you mean 'pin_C'"])
        self.refused("run", "four-bar", "--coordinates", "relative", "--option", "root=crank", words=["root", "ground"])
        self.refused("run", "four-bar", "--coordinates", "relative", "--option", "cut=", words=["commas"])
        self.refused("run", "four-bar", "--option", "cut=pin_C", words=["cut"])
        self.refused("check", "four-bar", "--option", "cut", words=["name=value"])

    def test_options_of_coordinates_in_the_model(self):
        def cut(model):
            model["joints"].append({"name": "rod", "type": "distance", "a": "bob.B", "b": "ground.O", "length": 1})
            model["simulate"].update(coordinates="relative", options={"cut": "rod"})
        model = self.write("cut.json", changed(PENDULUM, cut))
        self.assertEqual(self.json_of("check", model)["row_names"], ["rod.length"])
        answer = self.json_of("check", model, "--coordinates", "reference-point")
        self.assertEqual(len(answer["row_names"]), 3)
        wrong = changed(PENDULUM, lambda m: m["simulate"].update(coordinates="relative", options={"cut": "pin"}))
        self.refused("run", self.write("wrong.json", wrong), words=["wrong.json", "cut", "no loop"])

    def test_command_in_the_result_reproduces_it(self):
        first = self.json_of("run", "andrews", "--t-end", "0.01", "--rtol", "1e-7", "--option", "weight=identity")
        words = first["command"].split()
        self.assertEqual(words[:3], ["driftless", "run", "andrews"])
        again = self.json_of(*words[1:])
        self.assertEqual(first["final"], again["final"])


class Check(CliTest):
    def test_sound_model(self):
        path = self.write("p.json", PENDULUM)
        answer = self.json_of("check", path)
        self.assertEqual((answer["rows"], answer["rank"], answer["dof"], answer["dof_counted"]), (2, 2, 1, 1))
        self.assertEqual(answer["redundant_rows"], [])
        self.assertEqual(answer["names"], ["bob.x", "bob.y", "bob.theta"])
        self.assertIn("sound", self.ok("check", path).stdout)

    def test_redundant_constraints_are_named(self):
        path = self.write("r.json", REDUNDANT)
        answer = self.json_of("check", path)
        self.assertEqual((answer["rows"], answer["rank"], answer["dof"], answer["dof_counted"]), (12, 11, 1, 0))
        self.assertEqual(len(answer["redundant_rows"]), 1)
        text = self.ok("check", path).stdout
        self.assertIn("overconstrained", text)
        self.assertIn(answer["redundant_rows"][0], text)
        run = self.ok("run", path, "--t-end", "0.1")
        self.assertEqual(run.stderr.count("redundant"), 1)
        self.assertIn("individual reactions are not", run.stderr)


class BadInput(CliTest):
    """Exit status 2 with file, JSON path, what was expected, what was found; never a crash, never a hang."""

    def bad(self, content, words=()):
        path = self.write("bad.json", content)
        for command in ("run", "check"):
            self.refused(command, path, words=["bad.json", *words], timeout=20)

    def bad_change(self, change, words=()):
        self.bad(changed(PENDULUM, change), words)

    def test_unknown_key(self):
        self.bad_change(lambda m: m.update(bodys=[]), ["bodys", "bodies"])
        self.bad_change(lambda m: m["bodies"][0].update(weight=1), ["bodies[0]", "weight"])

    def test_wrong_type(self):
        self.bad_change(lambda m: m["bodies"][0].update(mass="heavy"), ["bodies[0].mass", "expected", "heavy"])
        self.bad_change(lambda m: m.update(bodies={}), ["bodies", "expected"])
        self.bad("[]", ["expected"])
        self.bad("3", ["expected"])

    def test_missing_body(self):
        self.bad_change(lambda m: m["joints"][0].update(b="bub.A"), ["joints[0].b", "bob"])

    def test_duplicate_name(self):
        self.bad_change(lambda m: m["bodies"].append(m["bodies"][0]), ["bodies[1]", "bob"])

    def test_negative_mass(self):
        self.bad_change(lambda m: m["bodies"][0].update(mass=-1), ["bodies[0].mass", "-1"])

    def test_nan_and_infinity(self):
        for value in (math.nan, math.inf, -math.inf):  # Python writes NaN, Infinity
            self.bad_change(lambda m: m["bodies"][0].update(mass=value))
        self.bad(json.dumps(PENDULUM).replace("9.81", "9e999"))

    def test_files_that_are_no_models(self):
        self.bad("")
        self.bad("{")
        self.bad('{"driftless": 2, "bodies": []}', ["driftless"])
        self.bad("[" * 100_000)
        with open(self.path("bad.json"), "wb") as file:
            file.write(bytes(range(256)) * 100)
        self.refused("run", self.path("bad.json"), words=["bad.json"])
        self.refused("run", self.folder + "/", words=[])

    def test_ten_megabytes_of_garbage(self):
        self.bad("x" * 10_000_000)
        self.bad('{"driftless": 1, "name": "' + "y" * 10_000_000)
        self.bad("[" + "0," * 5_000_000 + "0]")

    def test_loop_that_cannot_close_names_the_joints(self):
        path = self.write("open.json", UNCLOSABLE)
        done = self.refused("run", path, words=["open.json"])
        self.assertTrue(any(joint in done.stderr for joint in ("left", "middle", "right")))

    def test_unusable_output_paths_are_refused_before_the_run(self):
        for name in ("r.txt", "r", "none/r.csv", "."):
            start = time.monotonic()
            self.refused("run", "andrews", "--t-end", "1e6", "--out", self.path(name), words=["expected"])
            self.assertLess(time.monotonic() - start, 20)
        os.mkdir(self.path("d.h5"))
        self.refused("run", "andrews", "--out", self.path("d.h5"), words=["directory"])


if __name__ == "__main__":
    main()
