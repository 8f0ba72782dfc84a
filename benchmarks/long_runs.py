#!/usr/bin/env python3
"""Drift and energy error of long runs: figures at 10^4, 10^5, ... steps.

What conserves must conserve for ever: |g| stays at round-off, and the energy error of conserving schemes stays below eps times
the square root of the steps: what independent errors of one unit of round-off a step add up to. Where coordinates themselves grow,
judged is the exponent of growth from the first line to the last, with an allowance for chance.

    benchmarks/long_runs.py build/release/driftless [--steps 10000000] [--only TEXT]

10^7 steps take 1 to 4 CPU minutes a line. Exit status: 0 when all runs end, drift and growth are as said, else 1.
"""

import argparse
import json
import math
import subprocess
import sys

CONSERVING = ("--formulation", "index3", "--integrator", "gssss", "--option", "forces=conserving")
MIDPOINT = ("--formulation", "index3", "--integrator", "implicit-midpoint")
# Name, step, arguments, exponent of the energy error (0.5: below eps sqrt(steps); None: the scheme does not conserve it), largest |g| in m or rad.
# The second bar turns over and over: its angle grows like a random walk, round-off of it as well, and the error as steps^1; natural
# coordinates of the same bars have no angle. Four masses fly away, 25 km in 10^7 steps: round-off of coordinates grows with the distance, and the error as steps^(3/2).
CASES = [
    ("double-pendulum, gssss conserving", 0.01, ("double-pendulum", *CONSERVING), 0.5, 1e-12),
    ("double-pendulum, implicit-midpoint", 0.01, ("double-pendulum", *MIDPOINT), 0.5, 1e-12),
    ("natural-double-pendulum, gssss conserving", 0.005, ("natural-double-pendulum", *CONSERVING), 0.5, 1e-12),
    ("double-pendulum-bars, gssss conserving", 0.005, ("double-pendulum-bars", *CONSERVING), 1.0, 1e-11),
    ("double-pendulum-bars, natural, gssss conserving", 0.005, ("double-pendulum-bars", "--coordinates", "natural", *CONSERVING), 0.5, 1e-12),
    ("four-mass, gssss conserving", 0.01, ("four-mass", *CONSERVING), 1.5, None),
    ("andrews, rk4 and projection", 1e-5, ("andrews", "--integrator", "rk4"), None, 1e-10),
    ("andrews, gssss with velocity-only", 1e-6,
     ("andrews", "--formulation", "index3", "--integrator", "gssss", "--stabilization", "velocity-only"), None, 1e-10),
]
ALLOWANCE = 0.25  # in the exponent over all decades


def run(program, step, arguments, steps):
    """What the program says of a run of so many steps, or the last line of why it failed."""
    command = [program, "run", *arguments, "--step", repr(step), "--t-end", repr(step * steps), "--output-step", repr(step * steps / 1000),
               "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr or done.stdout).strip().splitlines()[-1]
    return json.loads(done.stdout), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=10**7)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    given = parser.parse_args()
    failed = False
    for name, step, arguments, exponent, limit in CASES:
        if given.only not in name:
            continue
        print(f"{name}, h = {step} s", flush=True)
        errors, steps = [], 10**4
        while steps <= given.steps:
            answer, why = run(given.program, step, arguments, steps)
            if answer is None:
                print(f"  {steps:9} steps   FAILED: {why}", flush=True)
                failed = True
                break
            drift, error = answer["drift"], answer["energy"]["max_relative_error"]
            growth = f"{math.log10(error / errors[-1]):5.2f}" if errors and error > 0 and errors[-1] > 0 else ""
            drifts = limit is not None and drift["position_max"] > limit
            print(f"  {steps:9} steps   energy {error:7.1e} {growth:5}   |g| {drift['position_max']:7.1e}   |Jv-nu| {drift['velocity_max']:7.1e}"
                  f"   {answer['statistics']['cpu_seconds']:6.1f} CPU s" + (f"   DRIFT above {limit:.0e}" if drifts else ""), flush=True)
            failed |= drifts
            errors.append(error)
            steps *= 10
        if exponent is not None and len(errors) > 1:
            growth = math.log10(errors[-1] / errors[0]) / (len(errors) - 1)
            if exponent == 0.5:
                too_fast = any(error > sys.float_info.epsilon * math.sqrt(10 ** (4 + k)) for k, error in enumerate(errors))
            else:
                too_fast = growth > exponent + ALLOWANCE
            print(f"  energy error grows as steps^{growth:.2f}" + ("  TOO FAST" if too_fast else ""), flush=True)
            failed |= too_fast
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
