"""tools/method-matrix on one model: cells that are right, cells that must be found wrong, options. The matrix itself is a full test."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import unittest

from _cli import CLI, CliTest, main

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/method-matrix"


class MethodMatrix(CliTest):
    def matrix(self, *arguments, program=CLI):
        return subprocess.run([sys.executable, str(TOOL), "--program", program, *arguments], capture_output=True, text=True, timeout=120)

    def test_right_cells(self):
        done = self.matrix("--models", "four-bar", "--coordinates", "relative,reference-point", "--formulations", "lagrange,index3",
                           "--integrators", "dopri5,rk4,generalized-alpha", "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        out = json.loads(done.stdout)
        self.assertEqual(out["count"], {"ok": 6})
        self.assertLess(out["models"]["four-bar"]["agreement"], 1e-9)
        self.assertLess(max(result["error"] for result in out["results"] if result["integrator"] == "dopri5"), 1e-4)

    def test_fully_driven_models_in_independent_forms(self):
        """No degree of freedom is left: Newton's method of the implicit schemes has systems of size 0."""
        done = self.matrix("--models", "drawing-arm", "--coordinates", "reference-point,natural", "--formulations",
                           "partitioned,projection-independent,canonical-independent", "--integrators", "sdirk4,norsett2,bdf", "--json")
        self.assertEqual(json.loads(done.stdout)["count"], {"ok": 18}, done.stdout)

    def test_wrong_cells_are_found(self):
        """A program that runs dopri5 at a hundred thousand times the tolerance asked for and keeps its doubts to itself."""
        liar = self.write("liar", f"""#!{sys.executable}
import json, subprocess, sys
words = sys.argv[1:]
lies = "dopri5" in words
done = subprocess.run(["{CLI}", *(word.replace("1e-06", "0.1") if lies else word for word in words)], capture_output=True, text=True)
said = json.loads(done.stdout)
if lies:
    said["warnings"] = []
print(json.dumps(said))
sys.exit(done.returncode)
""")
        os.chmod(liar, stat.S_IRWXU)
        done = self.matrix("--models", "double-pendulum-bars", "--coordinates", "reference-point", "--formulations", "lagrange",
                           "--integrators", "dopri5,rkf45", "--stretch", "4", program=liar)
        self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
        self.assertIn("1 ok, 1 WRONG", done.stdout)
        self.assertIn("driftless run double-pendulum-bars --coordinates reference-point --formulation lagrange --integrator dopri5", done.stdout)

    def test_what_is_kept_is_not_run_again(self):
        words = ["--models", "four-bar", "--coordinates", "natural", "--formulations", "lagrange", "--integrators", "dopri5,rk4,bdf",
                 "--keep", self.path("done.jsonl"), "--json"]
        first = json.loads(self.matrix(*words).stdout)
        self.assertEqual(first["count"], {"ok": 3})
        with open(self.path("done.jsonl"), encoding="utf-8") as file:
            lines = file.readlines()
        self.assertEqual(len(lines), 4)  # the reference and three cells
        lazy = self.write("lazy", f"""#!{sys.executable}
import subprocess, sys
sys.exit(3 if sys.argv[1] == "run" else subprocess.run(["{CLI}", *sys.argv[1:]]).returncode)
""")
        os.chmod(lazy, stat.S_IRWXU)
        self.assertEqual(json.loads(self.matrix(*words, program=lazy).stdout), first)
        with open(self.path("done.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(lines[:-1] + [lines[-1][:20]])  # stopped while it was writing: that cell again
        self.assertEqual(json.loads(self.matrix(*words).stdout)["count"], {"ok": 3})

    def test_problems_in_their_own_coordinates(self):
        done = self.matrix("--problems", "circle-track", "--formulations", "lagrange,index3", "--integrators", "dopri5,rk4,generalized-alpha", "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        out = json.loads(done.stdout)
        self.assertEqual(out["count"], {"ok": 3})  # explicit schemes on ODE forms, structural ones on index 3
        about = out["models"]["problem circle-track"]
        self.assertLess(about["agreement"], 1e-9)
        self.assertGreater(about["amplification"], 2)  # 4 t² of kinetic energy: what is off early goes on off
        self.assertLess(about["amplification"], 20)

    def test_table_and_unknown_names(self):
        done = self.matrix("--models", "four-bar", "--coordinates", "natural", "--formulations", "lagrange", "--integrators", "dopri5,euler")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertRegex(done.stdout, r"natural +lagrange +\.\.")
        self.assertIn("unknown: nine-bar", self.matrix("--models", "nine-bar").stderr)
        self.assertIn("unknown: squaring-the-circle", self.matrix("--problems", "squaring-the-circle").stderr)


if __name__ == "__main__":
    main()
