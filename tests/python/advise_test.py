#!/usr/bin/env python3
"""driftless advise and run --method: facts, a recommendation with reasons, the same choice by `auto`."""

import pathlib

from _cli import CliTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Advise(CliTest):
    def test_a_stiff_problem_gets_an_implicit_scheme(self):
        answer = self.json_of("advise", "stiff-double-pendulum-angles", "--t-end", "0.5")
        self.assertTrue(answer["facts"]["stiff"])
        self.assertGreater(answer["facts"]["decay"], 5e4)
        self.assertIn(answer["method"]["integrator"], ("radau-iia5", "bdf"))
        self.assertTrue(any("stiff" in reason for reason in answer["reasons"]))

    def test_a_smooth_problem_gets_an_explicit_one(self):
        answer = self.json_of("advise", "manipulator-parabola", "--t-end", "2")
        facts = answer["facts"]
        self.assertEqual((facts["dof"], facts["velocities"], facts["rows"]), (1, 2, 1))
        self.assertFalse(facts["stiff"])
        self.assertIn(answer["method"]["integrator"], ("dopri5", "dop853", "adams"))
        self.assertEqual(answer["method"]["stabilization"], "pstab")
        self.assertGreater(len(answer["others"]), 0)
        text = self.ok("advise", "manipulator-parabola", "--t-end", "2").stdout
        self.assertIn("driftless run manipulator-parabola --formulation", text)

    def test_singular_positions_are_seen(self):
        answer = self.json_of("advise", "singular-slider-crank", "--t-end", "2")
        facts = answer["facts"]
        self.assertEqual(facts["redundant_rows"], 0)
        self.assertEqual(len(facts["singular_at"]), 1)
        self.assertAlmostEqual(facts["singular_at"][0], 1.0313, delta=0.02)
        self.assertIsInstance(answer["method"]["options"], dict)
        # Stiff penalties are part of the advice, and of the run that follows it.
        done = self.json_of("run", "singular-slider-crank", "--t-end", "2", "--method", "auto")
        self.assertEqual(done["status"], "ok")
        if (done["formulation"], done["integrator"]) == ("augmented-lagrangian", "dop853"):
            self.assertEqual(done["options"]["formulation.penalty"], "1e8")

    def test_eigenvalues_of_the_bicycle(self):
        """Meijaard et al. 2007 at 5 m/s: -14.078389692798, -0.775341882196 +- 4.464867713788 i, -0.322866429004."""
        lines = (ROOT / "models" / "bicycle.json").read_text(encoding="utf-8").splitlines(keepends=True)
        path = pathlib.Path(self.path("bicycle.json"))
        path.write_text("".join(line for line in lines if '"initial"' not in line), encoding="utf-8")  # without the kick
        facts = self.json_of("advise", str(path), "--coordinates", "relative", "--t-end", "0.5")["facts"]
        self.assertAlmostEqual(facts["decay"], 14.078389692798, delta=1e-7)
        self.assertAlmostEqual(facts["frequency"], 4.464867713788, delta=1e-7)
        self.assertEqual((facts["dof"], facts["nonholonomic_rows"]), (3, 4))
        self.assertFalse(facts["stiff"])

    def test_switches_and_flexibility_are_seen(self):
        answer = self.json_of("advise", "bouncing-ball", "--t-end", "1")
        self.assertGreater(answer["facts"]["switches"], 0)
        self.assertGreater(answer["facts"]["switchings"], 0)
        self.assertTrue(any("switch" in reason for reason in answer["reasons"]))
        answer = self.json_of("advise", "flexible-slider-crank", "--t-end", "0.005")
        self.assertEqual((answer["facts"]["flexible_bodies"], answer["facts"]["elastic_coordinates"]), (1, 6))
        self.assertGreater(answer["facts"]["frequency"], 5e4)
        self.assertEqual(answer["method"]["coordinates"], "reference-point")
        self.assertTrue(any("elastic coordinates" in reason for reason in answer["reasons"]))

    def test_auto_runs_what_is_advised(self):
        done = self.json_of("run", "manipulator-parabola", "--t-end", "1", "--method", "auto")
        self.assertEqual(done["status"], "ok")
        self.assertIn("--integrator " + done["integrator"], done["command"])
        self.assertNotIn("--method", done["command"])
        one = self.json_of("run", "manipulator-parabola", "--t-end", "1", "--method", "baumgarte/dopri5[alpha=20,beta=20]")
        self.assertEqual((one["formulation"], one["integrator"]), ("baumgarte", "dopri5"))
        self.refused("run", "manipulator-parabola", "--method", "nothing", words=["names of methods"])
        self.refused("advise", "manipulator-parabola", "--error", "2", words=["--error"])


if __name__ == "__main__":
    main()
