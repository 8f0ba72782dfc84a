"""Long chains are no singular positions: pivots are judged by what their own rows are made of, not by the whole matrix."""

import unittest

from _cli import CliTest, main


def chain(bodies):
    names = [f"b{i}" for i in range(bodies)]
    return {"driftless": 1, "name": "chain", "gravity": [0, -9.81], "ground": {"points": {"O": [0, 0]}},
            "bodies": [{"name": name, "mass": 1, "inertia": 0.01, "center_of_mass": [0.05, 0], "points": {"A": [0, 0], "B": [0.1, 0]},
                        "position": [0.1 * i, 0]} for i, name in enumerate(names)],
            "joints": [{"name": f"j{i}", "type": "revolute", "a": f"{names[i - 1]}.B" if i else "ground.O", "b": f"{name}.A"}
                       for i, name in enumerate(names)]}


class LongChains(CliTest):
    def run_chain(self, bodies, coordinates, t_end):
        answer = self.json_of("run", self.write("chain.json", chain(bodies)), "--coordinates", coordinates, "--t-end", t_end)
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(answer["warnings"], [])
        self.assertLess(answer["energy"]["max_relative_error"], 1e-5)

    def test_of_250_bodies(self):
        for coordinates in ("relative", "reference-point", "natural"):
            self.run_chain(250, coordinates, "0.005")

    def test_of_20000_bodies(self):
        self.run_chain(20000, "reference-point", "0.0005")


if __name__ == "__main__":
    main()
