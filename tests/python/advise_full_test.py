#!/usr/bin/env python3
"""What `advise` recommends costs at most twice the best of the methods that `compare` tries, at an error of 1e-6, on most of the library.

What is measured is the run that `--method auto` makes, with the recommended tolerance; it counts as within the factor if it meets the error, too.
A table of all of them is printed, and written to $DRIFTLESS_ADVICE_TABLE if that is set. Names as arguments: those alone."""

import json
import math
import os
import subprocess
import sys

from _cli import CliTest, main

MODELS = ["slider-crank", "four-bar", "spatial-slider-crank", "heavy-top", "universal-shaft", "hanging-chain"]
ERROR = 1e-6
TOLERANCES = "1e-5,1e-7,1e-9"
# What `driftless compare` tries where nobody names methods.
DEFAULT = ["lagrange/dopri5/pstab", "lagrange/dop853/pstab", "lagrange/adams/pstab", "lagrange/radau-iia5/pstab", "lagrange/dopri5/none",
           "baumgarte/dopri5", "projection-independent/dopri5", "index3/generalized-alpha"]


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
    def long_json(self, *arguments):
        return json.loads(self.ok(*arguments, "--json", timeout=1800).stdout)

    def measured(self, name):
        """Method with its tolerance, time of its run over the best one's, its error, the best one; None: no reference, or nothing reaches the error."""
        advice = self.long_json("advise", name)
        method = advice["method"]
        word = "/".join(part for part in (method["formulation"], method["integrator"], method["stabilization"]) if part)
        if method["coordinates"] not in ("equations", ""):
            word = method["coordinates"] + "/" + word
        if method["options"]:
            word += "[" + ",".join(f"{name}={value}" for name, value in method["options"].items()) + "]"
        common = ("--time-limit", "20", "--t-end", advice["facts"]["trial_end"], "--jobs", "1")
        answer = self.long_json("compare", name, "--methods", ",".join([word, *DEFAULT]), "--rtol", TOLERANCES, *common)
        own = self.long_json("compare", name, "--methods", word, "--rtol", f"{method['rtol']:g}", *common)["runs"][0]
        said = f"{word} {method['rtol']:g}"
        if not answer["reference"]["trusted"]:
            return said, None, None, "no trusted reference"
        times = {}
        for run in answer["runs"]:
            times.setdefault(run["method"], []).append(run)
        times = {key: time_at(runs) for key, runs in times.items()}
        best = min(times, key=times.get)
        if not math.isfinite(times[best]):
            return said, None, own["error"], "no method reaches the error"
        if own["status"] != "ok" or own["error"] is None:
            return said, math.inf, None, best
        return said, own["statistics"]["cpu_seconds"] / times[best], own["error"], best

    def test_cost_against_the_best(self):
        names = NAMES or [entry["name"] for entry in self.json_of("problems")["problems"]] + MODELS
        lines, ratios, errors = [], {}, {}
        for name in names:
            try:
                word, ratio, error, best = self.measured(name)
            except subprocess.TimeoutExpired:  # a machine that does much else
                word, ratio, error, best = "", None, None, "not measured in half an hour"
            if ratio is not None:
                ratios[name], errors[name] = ratio, math.inf if error is None else error
            shown = ["-" if ratio is None else f"{ratio:.2f}", "-" if error is None else f"{error:.1e}"]
            lines.append(f"{name:<30} {word:<52} {shown[0]:>6} {shown[1]:>8}  {best}")
            print(lines[-1], flush=True)
            if table := os.environ.get("DRIFTLESS_ADVICE_TABLE"):
                with open(table, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
        bad = {name: (round(ratio, 2), errors[name]) for name, ratio in ratios.items() if ratio > 2 or errors[name] > ERROR}
        print(f"{len(ratios) - len(bad)} of {len(ratios)} within a factor of 2 and the error; others: {bad}")
        if not NAMES:
            self.assertGreaterEqual(len(ratios), 25)
        self.assertGreaterEqual((len(ratios) - len(bad)) / len(ratios), 25 / 30)


if __name__ == "__main__":
    NAMES = sys.argv[1:]
    sys.argv[1:] = []
    main()
