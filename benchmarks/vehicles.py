#!/usr/bin/env python3
"""CPU seconds, memory and steps of `driftless run` on the vehicles of the library, and what every implicit method makes of the bump.

    benchmarks/vehicles.py build/release/driftless [--repetitions N] [--bump] [--tolerances 1e-3,1e-4]

The table of README.md: least CPU time of N runs, that of the integration, as the program states it. With --bump another one
instead: the height of the chassis at 1.01 s, where it is lowest (0.7068 m), for every implicit method that combines, and fails where
a run at rtol 1e-3 or tighter is off by more than 1e-3 m.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

SETS = ("relative", "reference-point", "euler-parameters")
METHODS = (
    ("partitioned", "sdirk4"),
    ("partitioned", "radau-iia5"),
    ("partitioned", "auto"),
    ("lagrange", "sdirk4"),
    ("lagrange", "radau-iia5"),
    ("lagrange", "auto"),
)
# Formulation, integrators, coordinates: what --bump tries.
ODE = ("implicit-midpoint", "norsett2", "norsett3", "sdirk4", "radau-iia5", "bdf", "rosenbrock4", "trapezoidal", "auto")
DAE = ("radau-iia5", "bdf")
STRUCTURAL = ("generalized-alpha", "hht-alpha", "newmark", "gssss")
BUMP = (
    ("partitioned", ODE, ("relative", "reference-point", "euler-parameters")),
    ("lagrange", ODE, ("relative", "euler-parameters")),
    ("index3", DAE, ("euler-parameters",)),
    ("index3", STRUCTURAL, ("relative", "reference-point", "euler-parameters")),
    ("index2", DAE, ("euler-parameters",)),
    ("index2-ggl", DAE, ("euler-parameters",)),
    ("lagrange", ("sdirk4", "radau-iia5"), ("reference-point", "natural")),
    ("projection-independent", ("sdirk4", "radau-iia5"), ("relative", "euler-parameters")),
    ("projection-dependent", ("sdirk4", "radau-iia5"), ("relative", "euler-parameters")),
    ("baumgarte", ("sdirk4", "radau-iia5"), ("relative", "euler-parameters")),
    ("stabilized-field", ("radau-iia5",), ("relative",)),
    ("penalty", ("radau-iia5",), ("relative",)),
    ("augmented-lagrangian", ("radau-iia5",), ("relative",)),
    ("lagrange", ("cvode-bdf", "ida"), ("relative",)),  # where SUNDIALS was found
    ("partitioned", ("cvode-bdf", "ida"), ("relative",)),
    ("index2-ggl", ("ida",), ("euler-parameters",)),
)
LOWEST, ALLOWED = 0.7068, 1e-3


def run(program, target, options, limit=120):
    """Statistics, final values by name and peak megabytes; None and the message where it does not run."""
    command = [program, "run", target, "--json", *options]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(["timeout", "-s", "KILL", str(limit), *command], stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
        if process.returncode != 0:
            return None, (said or [f"stopped after {limit} s"])[0]
        result = json.loads(output.read())
    return (result["statistics"], result["final"], usage.ru_maxrss / 1024), ""


def height(final):
    return final["quantities"]["height"]


def costs(program, repetitions):
    print("| problem | coordinates | method | CPU s | steps | rejected | evaluations | Jacobians | MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    cases = [("hmmwv", c, f, i) for c in SETS for f, i in METHODS]
    cases += [(p, c, "lagrange", "dopri5") for p in ("five-link-1", "five-link-2") for c in ("relative", "euler-parameters")]
    for problem, coordinates, formulation, integrator in cases:
        options = ["--coordinates", coordinates, "--formulation", formulation, "--integrator", integrator]
        if problem == "hmmwv":
            options += ["--t-end", "4", "--rtol", "1e-3"]
        best = None
        for _ in range(repetitions):
            found, message = run(program, problem, options)
            if found is None:
                sys.exit(f"{problem} in {coordinates}, {formulation}, {integrator}: {message}")
            if best is None or found[0]["cpu_seconds"] < best[0]["cpu_seconds"]:
                best = found
        s = best[0]
        print(
            f"| {problem} | {coordinates} | {formulation}, {integrator} | {s['cpu_seconds']:.3f} | {s['accepted']} | {s['rejected']} "
            f"| {s['evaluations']} | {s.get('jacobians', 0)} | {best[2]:.0f} |",
            flush=True,
        )


def bump(program, tolerances):
    print("\n| formulation | integrator | coordinates | " + " | ".join(tolerances) + " |")
    print("|---|---|---|" + "---|" * len(tolerances))
    blind = 0
    for formulation, integrators, sets in BUMP:
        for integrator in integrators:
            for coordinates in sets:
                cells = []
                for rtol in tolerances:
                    options = ["--coordinates", coordinates, "--formulation", formulation, "--integrator", integrator]
                    found, message = run(program, "hmmwv", [*options, "--t-end", "1.01", "--rtol", rtol])
                    if found is None:
                        cells.append(message[:60])
                        continue
                    z = height(found[1])
                    off = float(rtol) <= 1e-3 and abs(z - LOWEST) > ALLOWED
                    blind += off
                    cells.append(f"{z:.5f}" + (" **off**" if off else ""))
                print(f"| {formulation} | {integrator} | {coordinates} | " + " | ".join(cells) + " |", flush=True)
    return blind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--bump", action="store_true", help="heights at 1.01 s instead of costs")
    parser.add_argument("--tolerances", default="1e-2,1e-3,1e-4,1e-5,1e-6")
    given = parser.parse_args()
    if given.bump:
        return 1 if bump(given.program, given.tolerances.split(",")) else 0
    costs(given.program, given.repetitions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
