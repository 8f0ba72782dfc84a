#!/usr/bin/env python3
"""What `advise` recommends costs at most twice the best of the methods that `compare` tries, at an error of 1e-6, on most of the library."""

import math

from _cli import CliTest, main

MODELS = ["slider-crank", "four-bar", "spatial-slider-crank", "heavy-top", "universal-shaft", "hanging-chain"]
ERROR = 1e-6


def time_at(runs):
    """CPU time at which a method reaches the error, between its runs on logarithms."""
    good = [(run["error"], run["statistics"]["cpu_seconds"]) for run in runs if run["status"] == "ok" and run["error"] is not None]
    below = [pair for pair in good if pair[0] <= ERROR]
    if not below:
        return math.inf
    error, time = min(below, key=lambda pair: pair[1])
    above = [pair for pair in good if pair[0] > ERROR]
    if above:
        worse, quicker = min(above)
        if quicker < time:
            share = math.log(ERROR / max(error, 1e-16)) / math.log(worse / max(error, 1e-16))
            return math.exp(math.log(time) + share * math.log(quicker / time))
    return time


class Advice(CliTest):
    def test_cost_against_the_best(self):
        names = [entry["name"] for entry in self.json_of("problems")["problems"]] + MODELS
        ratios = {}
        for name in names:
            advice = self.json_of("advise", name)
            method = advice["method"]
            word = "/".join(part for part in (method["formulation"], method["integrator"], method["stabilization"]) if part)
            if method["coordinates"] not in ("equations", ""):
                word = method["coordinates"] + "/" + word
            default = ("lagrange/dopri5/pstab,lagrange/dop853/pstab,lagrange/adams/pstab,lagrange/radau-iia5/pstab,lagrange/dopri5/none,"
                       "baumgarte/dopri5,projection-independent/dopri5,index3/generalized-alpha")
            answer = self.json_of("compare", name, "--methods", word + "," + default, "--rtol", "1e-5,1e-7,1e-9", "--time-limit", "10",
                                  "--t-end", advice["facts"]["trial_end"])
            if not answer["reference"]["trusted"]:
                continue
            times = {}
            for run in answer["runs"]:
                times.setdefault(run["method"], []).append(run)
            times = {key: time_at(runs) for key, runs in times.items()}
            best = min(times.values())
            if math.isfinite(best):
                ratios[name] = times[word] / best
        bad = {name: round(ratio, 2) for name, ratio in ratios.items() if ratio > 2}
        print(f"{len(ratios) - len(bad)} of {len(ratios)} within a factor of 2; others: {bad}")
        self.assertGreaterEqual(len(ratios), 25)
        self.assertGreaterEqual((len(ratios) - len(bad)) / len(ratios), 25 / 30)


if __name__ == "__main__":
    main()
