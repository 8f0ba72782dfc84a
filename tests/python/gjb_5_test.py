#!/usr/bin/env python3
"""examples/gjb-chapter-5: ways to write the equations of a mechanism that must give one motion; the satellite against its gyrostat."""

import math
import pathlib

from _cli import CliTest, main

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "gjb-chapter-5"


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def gyrostat(t_end, n):
    """Where the hull's x axis points: (I + I_r) w' + w x ((I + I_r) w + h) = 0, p' = p x w in hull axes turned round: R' = R [w]x."""
    inertia, h = [20.5, 30.3, 40.3], [0.5 * 100, 0, 0]

    def rate(state):
        w, x, y, z = state[0:3], state[3:6], state[6:9], state[9:12]  # rows of R
        torque = cross(w, [i * a + b for i, a, b in zip(inertia, w, h)])
        return [-a / i for a, i in zip(torque, inertia)] + cross(x, w) + cross(y, w) + cross(z, w)

    state = [0.1, 0.2, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    dt = t_end / n
    for _ in range(n):
        k1 = rate(state)
        k2 = rate([a + dt / 2 * b for a, b in zip(state, k1)])
        k3 = rate([a + dt / 2 * b for a, b in zip(state, k2)])
        k4 = rate([a + dt * b for a, b in zip(state, k3)])
        state = [a + dt / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(state, k1, k2, k3, k4)]
    return [state[3], state[6], state[9]]


def upright_rods(t_end, n):
    """Problem 5/10 in psi1, psi2: the equations of README.md by the classical Runge-Kutta scheme."""
    g = 9.81

    def rate(state):
        a, b, p, q = state
        torque = -(183 * a + 62.6 * b + 62.7 * p + 26.5 * q)
        s, c = 0.5 * math.sin(a - b), 0.5 * math.cos(a - b)
        one, two = torque - s * q * q + 1.5 * g * math.sin(a), -torque + s * p * p + 0.5 * g * math.sin(b)
        det = 4 / 9 - c * c
        return [p, q, (one / 3 - c * two) / det, (4 / 3 * two - c * one) / det]

    state, dt = [0.02, 0.02, 0, 0], t_end / n
    for _ in range(n):
        k1 = rate(state)
        k2 = rate([a + dt / 2 * b for a, b in zip(state, k1)])
        k3 = rate([a + dt / 2 * b for a, b in zip(state, k2)])
        k4 = rate([a + dt * b for a, b in zip(state, k3)])
        state = [a + dt / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(state, k1, k2, k3, k4)]
    return state


class Chapter5(CliTest):
    def final(self, model, *arguments):
        name = str(FOLDER / model) if model.endswith(".json") else model
        return self.json_of("run", name, "--rtol", "1e-9", *arguments)["final"]["quantities"]

    def test_slider_crank_in_seven_ways(self):
        for coordinates, formulation in [("natural", f) for f in ("lagrange", "penalty", "projection-dependent", "projection-independent",
                                                                  "canonical-independent", "canonical-augmented")] + [("relative", "penalty")]:
            found = self.final("slider-crank", "--coordinates", coordinates, "--formulation", formulation)["phi"]
            self.assertAlmostEqual(found, -1.3159331130, delta=1e-7, msg=formulation)

    def test_led_pendulum(self):
        for arguments in (("--coordinates", "natural"), ("--coordinates", "relative", "--formulation", "projection-independent")):
            found = self.final("led-pendulum.json", *arguments)
            self.assertAlmostEqual(found["B_x"], -0.3183644383, delta=1e-7)
            self.assertAlmostEqual(found["B_y"], -0.7883929974, delta=1e-7)

    def test_loop_by_baumgarte_and_the_coin(self):
        baumgarte = self.final("four-bar", "--coordinates", "relative", "--formulation", "baumgarte")
        lagrange = self.final("four-bar", "--coordinates", "relative")
        self.assertAlmostEqual(baumgarte["crank_angle"], lagrange["crank_angle"], delta=1e-7)
        natural = self.final("rolling-disc", "--coordinates", "natural")
        for name, value in self.final("rolling-disc", "--coordinates", "reference-point").items():
            self.assertAlmostEqual(natural[name], value, delta=1e-8, msg=name)

    def test_satellite_is_a_gyrostat(self):
        found = self.final("satellite.json", "--coordinates", "relative")
        for name, value in zip(("P_x", "P_y", "P_z"), gyrostat(2, 4000)):
            self.assertAlmostEqual(found[name], value, delta=1e-6, msg=name)

    def test_rods_are_kept_upright(self):
        known = upright_rods(2, 8000)
        for arguments in ((), ("--coordinates", "relative", "--formulation", "projection-independent")):
            found = self.final("upright-rods.json", "--t-end", "2", *arguments)
            for name, value in zip(("psi1", "psi2", "psi1_rate", "psi2_rate"), known):
                self.assertAlmostEqual(found[name], value, delta=1e-7, msg=name)
        rest = self.final("upright-rods.json")
        self.assertLess(max(abs(rest["psi1"]), abs(rest["psi2"])), 2e-5)


if __name__ == "__main__":
    main()
