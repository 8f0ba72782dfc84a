"""driftless check warns of what is allowed and hardly meant; names that two things have; energy of what does not move."""

import copy

from _cli import PENDULUM, CliTest, main

WHEELS = {
    "driftless": 1, "name": "wheels", "ground": {"points": {"A": [0, 0], "B": [0.3, 0]}},
    "bodies": [{"name": "a", "mass": 1, "inertia": 0.1, "points": {"C": [0, 0]}, "position": [0, 0]},
               {"name": "b", "mass": 1, "inertia": 0.1, "points": {"C": [0, 0]}, "position": [0.3, 0]}],
    "joints": [{"name": "pin_a", "type": "revolute", "a": "ground.A", "b": "a.C"},
               {"name": "pin_b", "type": "revolute", "a": "b.C", "b": "ground.B"},
               {"name": "mesh", "type": "gear", "a": "a", "b": "b", "radius_a": 0.1, "radius_b": 0.2}],
}


class Check(CliTest):
    def warnings(self, model):
        path = self.write("model.json", model)
        text = self.ok("check", path).stdout
        found = self.json_of("check", path)["warnings"]
        self.assertEqual(text.count("WARNING"), len(found))
        return found

    def test_sound_models_give_no_warning(self):
        self.assertEqual(self.warnings(PENDULUM), [])
        self.assertEqual(self.warnings(WHEELS), [])

    def test_a_body_that_nothing_holds(self):
        model = copy.deepcopy(PENDULUM)
        model["bodies"].append({"name": "lost", "mass": 1, "inertia": 1})
        (warning,) = self.warnings(model)
        self.assertRegex(warning, "'lost' is not connected")

    def test_nothing_can_move(self):
        model = copy.deepcopy(PENDULUM)
        model["joints"][0]["type"] = "fixed"
        model["joints"][0]["angle"] = 0.1
        (warning,) = self.warnings(model)
        self.assertRegex(warning, "nothing can move")
        model = copy.deepcopy(PENDULUM)
        model["drivers"] = [{"name": "motor", "type": "angle", "a": "ground", "b": "bob", "function": "0.1 + t"}]
        self.assertEqual(self.warnings(model), [])

    def test_gears_that_do_not_mesh(self):
        model = copy.deepcopy(WHEELS)
        model["joints"][2]["radius_b"] = 0.25
        (warning,) = self.warnings(model)
        self.assertRegex(warning, r"gear 'mesh' does not mesh: .* 0\.3 m apart, the sum of its radii is 0\.35 m")
        model["joints"][2].update(radius_a=0.5, radius_b=0.2, internal=True)
        self.assertEqual(self.warnings(model), [])
        model["joints"][2]["radius_a"] = 0.4
        (warning,) = self.warnings(model)
        self.assertRegex(warning, r"the difference of its radii is 0\.2 m")

    def test_a_driver_that_jumps(self):
        model = copy.deepcopy(PENDULUM)
        step = {"type": "step", "time": 0.2, "before": 0.1, "after": 1}
        model["drivers"] = [{"name": "motor", "type": "angle", "a": "ground", "b": "bob", "function": step}]
        (warning,) = self.warnings(model)
        self.assertRegex(warning, r"driver 'motor' jumps at t = 0\.2 s")
        step["duration"] = 0.1
        self.assertEqual(self.warnings(model), [])

    def test_contradicting_drivers_and_initial_values_are_named(self):
        model = copy.deepcopy(PENDULUM)
        model["drivers"] = [{"name": name, "type": "angle", "a": "ground", "b": "bob", "function": function}
                            for name, function in (("one", "0.1 + t"), ("other", "0.2 + t"))]
        done = self.refused("check", self.write("model.json", model), words=("drivers", "'one'", "'other'"))
        self.assertNotIn("pin", done.stderr)
        del model["drivers"][1]
        model["initial"] = {"joints": {"pin": {"value": 0.5}}}
        done = self.refused("check", self.write("model.json", model), words=("initial.joints", "'pin'"))
        self.assertNotIn("off by", done.stderr)

    def test_counts_are_those_of_the_names(self):
        report = self.json_of("check", "stewart-platform")
        text = self.ok("check", "stewart-platform").stdout
        self.assertGreater(len(report["names"]), report["velocities"])  # quaternions
        self.assertIn(f"{len(report['names'])} coordinates ({report['velocities']} velocities)", text)
        self.assertRegex(self.ok("check", "slider-crank").stdout, r"reference-point: \d+ coordinates\n")

    def test_problems_say_so_where_a_model_has_their_name(self):
        for name in ("bricard", "heavy-top", "rolling-disc"):
            text = self.ok("run", name, "--t-end", "0.01").stdout
            self.assertRegex(text.splitlines()[0], rf"^{name}  \(problem of the library; the model of this name: .*{name}\.json")
        self.assertEqual(self.ok("run", "andrews", "--t-end", "0.001").stdout.splitlines()[0], "andrews")

    def test_what_rests_has_no_error_of_its_energy(self):
        model = copy.deepcopy(PENDULUM)
        model["gravity"] = [0, 0]
        model["bodies"].append({"name": "rod", "mass": 1, "inertia": 0.1, "points": {"A": [-0.5, 0]},
                                "position": [1.5, 0.3], "angle": 0.3})
        model["joints"].append({"name": "knee", "type": "revolute", "a": "bob.B", "b": "rod.A"})
        for coordinates in ("reference-point", "natural", "relative"):
            energy = self.json_of("run", self.write("model.json", model), "--coordinates", coordinates)["energy"]
            self.assertLess(energy["max_relative_error"], 1e-12, coordinates)


if __name__ == "__main__":
    main()
