#!/usr/bin/env python3
"""driftless compare: methods in one word, the reference, rows that fail, the page."""

import os
import unittest

from _cli import CliTest, main
from _page import PageFile


class Compare(CliTest):
    def rows(self, *arguments):
        answer = self.json_of("compare", *arguments)
        self.assertEqual(answer["status"], "ok")
        return answer, {(run["method"], run["rtol"] or run["step"]): run for run in answer["runs"]}

    def test_errors_are_those_of_the_exact_motion(self):
        answer, rows = self.rows("circle-track", "--methods", "dopri5,dop853", "--rtol", "1e-5,1e-9")
        self.assertLess(answer["reference"]["agreement"], 1e-10)
        self.assertNotEqual(answer["reference"]["method"], answer["reference"]["check"])
        # x = sin 4, y = cos 4 at the end
        for method in ("dopri5", "dop853"):
            for rtol in (1e-5, 1e-9):
                final = self.json_of("run", "circle-track", "--integrator", method, "--rtol", rtol)["final"]["q"]
                exact = max(abs(final[0] + 0.7568024953079282), abs(final[1] + 0.6536436208636119))
                self.assertAlmostEqual(rows[method, rtol]["error"] / exact, 1, delta=1e-3)
            self.assertLess(rows[method, 1e-9]["error"], rows[method, 1e-5]["error"])
            self.assertGreater(rows[method, 1e-9]["statistics"]["evaluations"], rows[method, 1e-5]["statistics"]["evaluations"])

    def test_the_default_set_fits_every_kind(self):
        for name in ("double-pendulum", "oscillator", "heavy-top", "slider-crank"):
            answer, rows = self.rows(name, "--t-end", "0.1", "--rtol", "1e-6")
            good = [run for run in answer["runs"] if run["status"] == "ok"]
            self.assertGreaterEqual(len(good), 3, name)
            for run in good:
                self.assertLess(run["error"], 1e-2, (name, run["method"]))

    def test_methods_in_one_word(self):
        _, rows = self.rows("slider-crank", "--t-end", "0.2", "--rtol", "1e-7", "--methods",
                            "pstab/dopri5/lagrange,natural/dopri5,relative/dopri5,baumgarte/dopri5[alpha=20,beta=20],rk4",
                            "--step", "1e-3")
        self.assertEqual({run["status"] for run in rows.values()}, {"ok"})
        self.assertEqual(rows["rk4", 1e-3]["statistics"]["steps"], 200)
        for run in rows.values():
            self.assertLess(run["error"], 1e-4)
        self.assertGreater(rows["baumgarte/dopri5[alpha=20,beta=20]", 1e-7]["drift"]["position_max"], 1e-14)

    def test_bad_input(self):
        for methods, word in (("dopri", "did you mean 'dopri5'"), ("dopri5/rk4", "dopri5"), ("dopri5[order]", "name=value"),
                              ("dopri5[a=1", "brackets"), ("", "names of methods"), ("dopri5,", "names of methods")):
            self.refused("compare", "andrews", "--methods", methods, words=["--methods", word])
        self.refused("compare", "andrews", "--rtol", "1e-4,2", words=["--rtol", "'2'"])
        self.refused("compare", "andrews", "--rtol", "", words=["--rtol"])
        self.refused("compare", "andrews", "--report", self.path("a.txt"), words=[".html"])
        self.refused("compare", "andrws", words=["andrews"])

    def test_failures_are_rows(self):
        answer, rows = self.rows("andrews", "--t-end", "0.01", "--rtol", "1e-6", "--methods",
                                 "dopri5,index3/dopri5,dopri5[nonsense=1]")
        self.assertEqual([run["status"] for run in answer["runs"]], ["ok", "failed", "failed"])
        self.assertIn("generalized-alpha", rows["index3/dopri5", 1e-6]["message"])
        self.assertIsNone(rows["index3/dopri5", 1e-6]["error"])
        text = self.ok("compare", "andrews", "--t-end", "0.01", "--rtol", "1e-6", "--methods", "dopri5,index3/dopri5").stdout
        self.assertIn("refused", text)
        self.assertIn("reference", text)

    def test_patterns_sorted_rows_and_the_table_as_csv(self):
        csv = self.path("a.csv")
        answer, rows = self.rows("circle-track", "--methods", "*/dopri5", "--rtol", "1e-5", "--csv", csv, "-j", "2")
        methods = [run["method"] for run in answer["runs"]]
        self.assertIn("lagrange/dopri5", methods)
        self.assertIn("penalty/dopri5", methods)
        self.assertNotIn("index3/dopri5", methods)
        self.assertTrue(answer["reference"]["trusted"])
        with open(csv, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 1 + len(methods))
        self.assertEqual([line.split(",")[0].strip('"') for line in lines[1:]], methods)
        answer, _ = self.rows("circle-track", "--methods", "lagrange/dopri5/p*", "--rtol", "1e-5")
        self.assertEqual({run["method"] for run in answer["runs"]}, {"lagrange/dopri5/pstab", "lagrange/dopri5/projection"})
        answer, _ = self.rows("slider-crank", "--t-end", "0.05", "--methods", "*/lagrange/dopri5", "--rtol", "1e-5")
        sets = {run["method"].split("/")[0]: run["status"] for run in answer["runs"]}
        self.assertEqual({name for name, status in sets.items() if status == "ok"}, {"reference-point", "natural", "relative"})
        answer, _ = self.rows("slider-crank", "--t-end", "0.05", "--methods", "rel*/*/dopri5", "--rtol", "1e-5")
        self.assertIn("relative/penalty/dopri5", [run["method"] for run in answer["runs"]])
        self.refused("compare", "circle-track", "--methods", "*/nothing*", words=["--methods", "pattern"])

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "with sanitizers nothing comes to its end within the limit")
    def test_references_behind_singular_positions(self):
        """Two methods agree there, too, and are right: elliptic functions, tests/validation/library_test.cpp."""
        answer, _ = self.rows("n-four-bar", "--methods", "augmented-lagrangian/dop853", "--rtol", "1e-8", "--time-limit", "2")
        self.assertTrue(answer["reference"]["trusted"])
        self.assertIn("augmented-lagrangian", answer["reference"]["method"])

    def test_a_case_that_takes_too_long_is_a_row(self):
        answer, rows = self.rows("andrews", "--t-end", "5", "--methods", "dop853,index3/generalized-alpha", "--rtol", "1e-12",
                                 "--step", "1e-7", "--time-limit", "0.2")
        self.assertEqual({run["reason"] for run in answer["runs"]}, {"too slow"})
        self.assertFalse(answer["reference"]["trusted"])
        self.assertIn("limit", answer["runs"][0]["message"])
        self.refused("compare", "andrews", "-j", "0", words=["-j"])

    def test_page(self):
        self.ok("compare", "double-pendulum", "--t-end", "0.3", "--rtol", "1e-4,1e-7", "--methods",
                "dopri5,lagrange/dopri5/none", "--report", self.path("a.html"))
        data = PageFile(self.path("a.html")).data
        self.assertEqual(data["kind"], "compare")
        self.assertEqual({run["name"] for run in data["runs"]}, {"dopri5", "lagrange/dopri5/none"})
        work = data["plots"][0]
        self.assertEqual((work["kind"], work["x"]["log"], work["y"]["log"]), ("work-precision", True, True))
        self.assertEqual([len(s["x"]) for s in work["series"]], [2, 2])
        self.assertEqual(work["series"][0]["labels"], ["rtol 0.0001", "rtol 1e-07"])
        self.assertEqual(len(data["tables"][0]["rows"]), 4)
        for row in data["tables"][0]["rows"]:
            self.assertEqual(len(row), len(data["tables"][0]["columns"]))
        # One colour a method: in every plot, in the table, of its run.
        colors = {series["name"]: series["color"] for series in work["series"]}
        self.assertEqual(sorted(colors.values()), [0, 1])
        for plot in data["plots"]:
            for series in plot["series"]:
                self.assertEqual(series["color"], colors[series["name"]], plot["title"])
        self.assertEqual([colors[row[0]] for row in data["tables"][0]["rows"]], data["tables"][0]["colors"])
        self.assertEqual({run["name"]: run["color"] for run in data["runs"]}, colors)
        titles = [plot["title"] for plot in data["plots"]]
        self.assertIn("Drift |g|, rtol 1e-07", titles)
        self.assertIn("Energy error, rtol 1e-07", titles)
        self.assertRegex(data["verdict"], r"smallest error, \S+, is that of")


if __name__ == "__main__":
    main()
