"""The Python module: models, messages, results as arrays, files, equations, Ctrl-C, threads; the same numbers as the program's."""

import ast
import gc
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from _module import dl, pendulum  # noqa: E402

import numpy as np  # noqa: E402

CLI = os.environ["DRIFTLESS_CLI"]
ROOT = os.environ["DRIFTLESS_SOURCE_DIR"]


def run_program(*arguments):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


class ModuleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="driftless-python-")
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)

    def test_inputs_that_python_computes(self):
        m, spring = pendulum(), pendulum()
        spring.force("spring", "rsda", joint="pin", stiffness=5, damping=0.3)
        m.input("torque", lambda t, angle, rate: -5 * angle - 0.3 * rate, reads=["pin.angle", "pin.angle_rate"], unit="N m")
        m.force("motor", "torque", body="bar", torque="torque")
        a, b = (x.run(t_end=0.5, rtol=1e-9) for x in (m, spring))
        self.assertLess(abs(a["angle"][-1] - b["angle"][-1]), 1e-7)
        self.assertIn("torque", a)
        self.assertAlmostEqual(a["torque"][-1], -b["spring.force"][-1], 6)
        m.input("torque", lambda t, angle, rate: 1 / 0, reads=["pin.angle", "pin.angle_rate"])
        with self.assertRaises(ZeroDivisionError):
            m.run(t_end=0.5)
        with self.assertRaises(dl.InputError):
            m.sweep({"L": [1, 2]}, jobs=1)
        for answer in (None, "five", [1, 2]):
            m.input("torque", lambda t, angle, rate: answer, reads=["pin.angle", "pin.angle_rate"])
            with self.assertRaises(TypeError) as caught:
                m.run(t_end=0.5)
            self.assertIn("input 'torque': expected a number", str(caught.exception))

    def test_the_contract(self):
        m = pendulum()
        r = m.run(t_end=2, rtol=1e-9, coordinates="relative", parameters={"L": 1.2})
        self.assertTrue(r.ok)
        self.assertEqual(r.t[-1], 2)
        self.assertEqual(len(r["angle"]), len(r.t))
        np.testing.assert_allclose(r["angle"], r.q[r.q.names[0]], atol=1e-12)
        self.assertLess(r.energy.summary["max_relative_error"], 1e-6)
        self.assertEqual(r.drift.array.shape, (len(r.t), 2))
        self.assertEqual(r.parameters, {"L": 1.2})
        self.assertEqual((r.warnings, r.notices), ([], []))
        self.assertGreater(r.statistics["steps"], 10)
        self.assertIn("revolute", type(m).joint.__doc__)
        # In relative coordinates, too, where it is read off the pose.
        self.assertNotIn("bar.theta", r.q)
        np.testing.assert_allclose(r.q["bar.theta"], r["angle"], atol=1e-12)
        np.testing.assert_allclose(r.q["bar.x"], 0.6 * np.cos(r["angle"]), atol=1e-12)
        with self.assertRaises(KeyError):
            r.q["bar.phi"]
        r = m.run(t_end=1)
        self.assertEqual(r.q["bar.theta"].shape, r.t.shape)
        self.assertTrue(np.shares_memory(r.q["bar.theta"], r.q.array))

    def test_stubs_and_docstrings(self):
        """What an editor is told is what there is: __init__.pyi is up to date, parses, and names everything public."""
        from driftless import _records

        with open(os.path.join(os.path.dirname(dl.__file__), "__init__.pyi"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text, _records.stubs())
        tree = ast.parse(text)
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(set(dl.__all__) - set(classes) - functions, set())
        for name in ("Model", "Results", "Columns", "Page", "Comparison", "Sweep", "Problem", "Equations"):
            told, todo = set(), [name]
            while todo:  # with those it inherits
                node = classes.get(todo.pop())
                if node is not None:
                    told |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                    told |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
                    todo += [base.id for base in node.bases if isinstance(base, ast.Name)]
            kind = getattr(dl, name)
            there = {part for part in dir(kind) if not part.startswith("_") and part not in ("keys", "items", "values", "get", "KEYS")}
            self.assertEqual(there - told, set(), f"{name}: not in the stubs")
            undocumented = {part for part in there if callable(getattr(kind, part)) and not getattr(kind, part).__doc__}
            self.assertEqual(undocumented - {"to_pandas", "save", "view"}, set(), f"{name}: without docstrings")
        for name in dl.__all__:
            self.assertTrue(getattr(dl, name).__doc__, name)
        for word in ("t_end", "max_steps", "record", "options", "[s]"):
            self.assertIn(word, dl.Model.run.__doc__)
        for method, types in (("joint", "revolute"), ("driver", "distance"), ("force", "tyre"), ("contact", "point-plane"), ("output", "beam")):
            self.assertIn(f"{types}: ", getattr(dl.Model, method).__doc__)
        self.assertIn("output?", dl.Model.switch.__doc__)
        self.assertIn("tolerance", dl.Model.run.__doc__)

    def test_contacts_switches_and_stop_conditions(self):
        m = dl.Model("ball", gravity=[0, -9.81])
        m.ground.points["O"] = (0, 0)
        m.body("ball", mass=1, inertia=0.1, points={"C": (0, 0)}, position=[0, 1])
        m.contact("floor", "point-plane", a="ground.O", normal=[0, 1], b="ball.C", restitution=0.5)
        m.output("height", "point", point="ball.C", component="y")
        m.output("speed", "point", point="ball.C", component="vy")
        m.stop_when("speed", 0, "down")
        r = m.run(t_end=2, rtol=1e-9)
        self.assertEqual(r.status, "stopped", r)
        self.assertAlmostEqual(r["height"][-1], 0.25, 6)  # half the speed, a quarter of the height
        self.assertIn("floor", str(r.events))
        with self.assertRaises(dl.InputError) as caught:
            m.switch("never", joints="pin")
            m.run()
        self.assertTrue(caught.exception.path.startswith("switches[0]"), caught.exception)

    def test_the_same_as_the_program(self):
        m = pendulum()
        m.save(self.path("m.json"))
        run_program("run", self.path("m.json"), "--t-end", 1, "--rtol", "1e-8", "--set", "L=1.5", "--out", self.path("a.h5"))
        theirs = dl.load(self.path("a.h5"))
        for model in (m, dl.load_model(self.path("m.json")), dl.Problem(self.path("m.json"))):
            mine = model.run(t_end=1, rtol=1e-8, parameters={"L": 1.5})
            for name in ("t", "poses", "reactions"):
                self.assertEqual(getattr(mine, name).tobytes(), getattr(theirs, name).tobytes(), name)
            for name in ("q", "v", "vdot", "multipliers", "outputs", "energy", "drift", "steps"):
                self.assertEqual(getattr(mine, name).array.tobytes(), getattr(theirs, name).array.tobytes(), name)
        theirs = json.loads(run_program("run", "andrews", "--t-end", "0.01", "--json"))["final"]["q"]
        self.assertEqual(list(dl.Problem("andrews").run(t_end=0.01).q.array[-1]), theirs)

    def test_messages(self):
        m = pendulum()
        m.tree["joints"][0]["b"] = "bar.A"
        with self.assertRaises(dl.InputError) as caught:
            m.run()
        error = caught.exception
        self.assertEqual(error.path, "joints[0].b")
        self.assertIn("'bar.A'", error.found)
        self.assertIn("a point of a body", error.expected)
        self.assertIn("'bar' has 'O' or 'tip'", error.hint)
        self.assertIn("pendulum: joints[0].b: expected", str(error))
        self.assertEqual(pickle.loads(pickle.dumps(error)).complaints, error.complaints)
        good = pendulum()
        for keywords, path in (({"t_end": -1}, "t_end"), ({"rtol": 2}, "rtol"), ({"integrator": "dopri6"}, "integrator"),
                               ({"tend": 2}, "tend"), ({"rtol": "1e-6"}, "rtol"), ({"max_steps": 0}, "max_steps"),
                               ({"parameters": {"l": 1}}, "parameters.l"), ({"options": {"alpha": 3}}, "option alpha"),
                               ({"coordinates": "polar"}, "coordinates"), ({"integrator": "rk4"}, "integrator"),
                               ({"formulation": "index3", "integrator": "dopri5"}, "integrator")):
            with self.subTest(keywords), self.assertRaises(dl.InputError) as caught:
                good.run(**keywords)
            self.assertEqual(caught.exception.path, path)
            self.assertNotIn("--", str(caught.exception))
        self.assertIn("raise `max_steps` or loosen `rtol`", good.run(max_steps=3).message)
        with self.assertRaises(dl.InputError):
            dl.load(self.path("no.h5"))
        with self.assertRaises(TypeError):
            good.body("x", mass=object()) and good.run()

    def test_arrays_are_views_that_live_on(self):
        r = pendulum().run(t_end=1)
        angle, q, t = r["angle"], r.q.array, r.t
        copy = angle.copy()
        for array in (angle, q, t, r.poses):
            self.assertFalse(array.flags.writeable)
            self.assertFalse(array.flags.owndata)
            with self.assertRaises(ValueError):
                array[0] = 1
        self.assertTrue(np.shares_memory(r.q.array, q), "the same memory every time")
        with self.assertRaises(KeyError):
            r["angel"]
        del r, q, t
        gc.collect()
        for _ in range(20):  # other results would take the memory if it were free
            pendulum().run(t_end=1)
        np.testing.assert_array_equal(angle, copy)

    def test_reactions_by_name(self):
        r = pendulum().run(t_end=0.5)
        fx, fy = r["pin.fx"], r["pin.fy"]
        self.assertTrue(np.shares_memory(fx, r.reactions))
        theta, rate, accel = r.q["bar.theta"], r.v["bar.omega"], r.vdot["bar.omega"]  # of a mass of 1 kg, 0.5 m from the pin
        np.testing.assert_allclose(fx, 0.5 * (-accel * np.sin(theta) - rate**2 * np.cos(theta)), atol=1e-9)
        np.testing.assert_allclose(fy, 9.81 + 0.5 * (accel * np.cos(theta) - rate**2 * np.sin(theta)), atol=1e-9)
        np.testing.assert_allclose(np.hypot(r["pin.fx_joint"], r["pin.fy_joint"]), np.hypot(fx, fy))
        self.assertNotIn("pin.fx", r)  # no output
        with self.assertRaises(KeyError):
            r["pin.fq"]

    def test_files_and_tables(self):
        r = pendulum().run(t_end=1, output_step=0.1)
        r.save(self.path("r.h5"))
        again = dl.load(self.path("r.h5"))
        self.assertEqual(again["angle"].tobytes(), r["angle"].tobytes())
        self.assertEqual(again.parameters, {"L": 1.0})
        frame = r.to_pandas()
        self.assertEqual(len(frame), 11)
        self.assertEqual(frame["angle"].iloc[-1], r["angle"][-1])
        data = r.to_xarray()
        self.assertEqual(float(data["q"].sel(t=1.0, q_name="bar.theta")), r.q["bar.theta"][-1])
        self.assertEqual(data["angle"].attrs["units"], "rad")
        page = dl.view([r, again])
        self.assertIn("<html", page.html)
        self.assertIn("srcdoc", page._repr_html_())
        with self.assertRaises(dl.InputError):
            r.save(self.path("r.xyz"))
        more = pendulum().run(t_end=2, output_step=0.1, start_from=self.path("r.h5"))
        self.assertEqual(more.notices, [])
        self.assertEqual(more.q.array[-1].tobytes(), pendulum().run(t_end=2, output_step=0.1).q.array[-1].tobytes())

    def test_check_and_compare(self):
        found = pendulum().check()
        self.assertEqual((found["dof"], found["redundant_rows"]), (1, []))
        self.assertIn("bodies[0].inertia", found["parameters"]["L"]["used_in"])
        comparison = dl.compare(pendulum(), methods=["dopri5", "dop853"], rtol=[1e-4, 1e-8], t_end=0.5)
        self.assertEqual([row["status"] for row in comparison.rows], ["ok"] * 4)
        self.assertLess(comparison.rows[1]["error"], comparison.rows[0]["error"])

    def test_sweep(self):
        m = pendulum(simulate={"t_end": 0.3})
        s = dl.sweep(m, {"L": [0.5, 1, 2]}, ["min(angle)", "final(angle)"], jobs=2)
        self.assertEqual(s.status, ["ok"] * 3)
        np.testing.assert_array_equal(s.parameters["L"], [0.5, 1, 2])
        self.assertEqual(s["final(angle)"][1], m.run()["angle"][-1])
        self.assertEqual(len(s.to_pandas()), 3)
        with self.assertRaises(dl.InputError):
            m.sweep({"k": [1, 2]})
        self.assertEqual(m.run(parameters={"L": "mm(1200)"}).parameters, {"L": 1.2})
        with self.assertRaises(dl.InputError) as caught:
            m.run(parameters={"L": "long"})
        self.assertEqual(caught.exception.path, "parameters.L")

    def test_spatial_include_and_numpy(self):
        m = dl.Model("top", space="spatial", gravity=np.array([0, 0, -9.81]))
        m.ground.points["O"] = np.zeros(3)
        m.body("top", mass=np.float64(2), inertia=np.array([0.3, 0.3, 0.1]), center_of_mass=[0, 0, 1], points={"O": (0, 0, 0)},
               angular_velocity_body=[0, 0, 40], orientation={"axis": [1, 0, 0], "angle": "deg(20)"})
        m.joint("ball", "spherical", a="ground.O", b="top.O")
        self.assertTrue(m.run(t_end=0.1).ok)
        car = dl.load_model(os.path.join(ROOT, "examples", "half-car", "half-car.json"))
        self.assertTrue(car.run(t_end=0.1, parameters={"front_k": 30000}).ok)

    def test_own_equations(self):
        g = 9.81
        bead = dl.Equations("bead", nq=2, rows=1, mass=lambda t, q: np.eye(2), force=lambda t, q, v: [0, -g],
                            constraint=lambda t, q: [(q @ q - 1) / 2], potential=lambda t, q: g * q[1], q0=[1, 0], names=["x", "y"])
        r = bead.run(t_end=1, rtol=1e-8)
        self.assertTrue(r.ok)
        np.testing.assert_allclose(np.hypot(r.q["x"], r.q["y"]), 1, atol=1e-10)
        self.assertLess(r.energy.summary["max_relative_error"], 1e-6)
        with self.assertRaises(ZeroDivisionError):
            dl.Equations(nq=1, mass=lambda t, q: [[1]], force=lambda t, q, v: [1 / 0]).run()
        with self.assertRaises(ValueError):
            dl.Equations(nq=1, mass=lambda t, q: [[1]], force=lambda t, q, v: [1, 2]).run()
        with self.assertRaises(dl.InputError):
            dl.Equations(nq=1, mass=lambda t, q: [[1]]).run()

    def test_ctrl_c(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell starts in the background
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.time()
        with self.assertRaises(KeyboardInterrupt):
            pendulum().run(t_end=1e6, output_step=1e4)
        self.assertLess(time.time() - begun, 10)
        timer.join()

    def test_threads(self):
        expected = pendulum().run(t_end=1).q.array.tobytes()
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(pendulum().run(t_end=1).q.array.tobytes())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [expected] * 4)

    def test_memory_does_not_grow(self):
        model = pendulum()
        for _ in range(50):
            model.run(t_end=0.2)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(300):
            r = model.run(t_end=0.2)
            r["angle"], r.q.array
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096, "kB")


if __name__ == "__main__":
    unittest.main()
