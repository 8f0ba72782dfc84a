"""Outputs in space, and of couplers and cylinders, against what poses, Newton, Euler and virtual work say, in every coordinate set."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from _module import dl  # noqa: E402

import numpy as np  # noqa: E402

G = 9.81
SPATIAL = ("reference-point", "euler-parameters", "natural", "relative")
PLANAR = ("reference-point", "natural", "relative")


def rotations(quaternions):
    """Body → world, of rows w, x, y, z."""
    w, x, y, z = quaternions.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def columns(r, *names):
    return np.stack([r[name] for name in names], axis=1)


def xyz(r, *prefixes):
    """The columns PREFIXx, PREFIXy, PREFIXz of each prefix."""
    return [columns(r, *(prefix + axis for axis in "xyz")) for prefix in prefixes]


def crossed(vectors):
    """v × as matrices."""
    x, y, z = vectors.T
    o = 0 * x
    return np.array([[o, -z, y], [z, o, -x], [-y, x, o]]).transpose(2, 0, 1)


def times(matrices, vectors):
    return np.einsum("tij,tj->ti", matrices, np.broadcast_to(vectors, (len(matrices), 3)))


def body_outputs(m, name, point):
    for component in ("", "v", "a"):
        for axis in "xyz":
            m.output(f"B{component}{axis}", "body", body=name, component=component + axis)
            m.output(f"C{component}{axis}", "point", point=f"{name}.{point}", component=component + axis)
    for quantity in ("w", "alpha"):
        for axis in "xyz":
            m.output(quantity + axis, "body", body=name, component=quantity + axis)


class OutputsByHand(unittest.TestCase):
    def close(self, found, expected, tolerance=1e-8, **which):
        np.testing.assert_allclose(found, np.broadcast_to(expected, np.shape(found)), rtol=tolerance, atol=tolerance, err_msg=str(which))

    def runs(self, m, sets, **settings):
        for coordinates in sets:
            r = m.run(rtol=1e-10, coordinates=coordinates, **settings)
            self.assertTrue(r.ok, r)
            yield coordinates, r

    def test_a_body_thrown_and_turned(self):
        mass, inertia, place = 0.6, np.diag([0.0014, 0.0026, 0.0040]), np.array([0.115, 0.085, 0.01])
        m = dl.Model("book", space="spatial", gravity=[0, 0, -G])
        m.ground.points["Q"] = (3, 1, 2)
        m.body("b", mass=mass, inertia=np.diag(inertia), points={"C": place}, position=[0, 0, 1.5],
               orientation={"axis": [1, 2, 3], "angle": "deg(25)"}, velocity=[0.5, 0, 3], angular_velocity_body=[0.3, 4, 0.2])
        m.force("motor", "torque", body="b", torque=["0.001*sin(3*t)", 0.0005, 0])
        m.force("wind", "point-force", at="b.C", force=[0.1, "0.2*t", 0])
        body_outputs(m, "b", "C")
        for angle in ("yaw", "pitch", "roll"):
            m.output(angle, "body", body="b", component=angle)
        m.output("yaw_deg", "body", body="b", component="yaw", unit="deg")
        m.output("far", "distance", a="ground.Q", b="b.C")
        m.output("far_rate", "distance", a="ground.Q", b="b.C", value="rate")
        m.output("tilt", "angle", a="ground", b="b", direction_a=[0, 0, 1], direction_b=[1, 1, 0])
        m.output("tilt_deg", "angle", a="ground", b="b", direction_a=[0, 0, 1], direction_b=[1, 1, 0], unit="deg")
        m.output("mixed", "expression", expression="sqrt(Cx^2 + Cy^2) - 2*t*wz")
        for which, r in self.runs(m, SPATIAL, t_end=1, output_step=0.05):
            R, x = rotations(r.poses[:, 0, 3:]), r.poses[:, 0, :3]
            arm, t = R @ place, r.t
            B, C, Bv, Cv, Ba, Ca, w, alpha = xyz(r, "B", "C", "Bv", "Cv", "Ba", "Ca", "w", "alpha")
            self.close(B, x, which=which)
            self.close(C, x + arm, which=which)
            self.close(Cv, Bv + np.cross(w, arm), which=which)
            self.close(Ca, Ba + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)), which=which)
            force = np.stack([0.1 + 0 * t, 0.2 * t, 0 * t], axis=1)
            torque = np.stack([0.001 * np.sin(3 * t), 0.0005 + 0 * t, 0 * t], axis=1) + np.cross(arm, force)
            self.close(Ba, force / mass + [0, 0, -G], which=which)
            turned = R @ inertia @ R.transpose(0, 2, 1)
            self.close(times(turned, alpha) + np.cross(w, times(turned, w)), torque, which=which)
            self.close(r["yaw"], np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0])), which=which)
            self.close(r["pitch"], -np.arcsin(R[:, 2, 0]), which=which)
            self.close(r["roll"], np.unwrap(np.arctan2(R[:, 2, 1], R[:, 2, 2])), which=which)
            self.close(r["yaw_deg"], np.degrees(r["yaw"]), which=which)
            way = C - [3, 1, 2]
            self.close(r["far"], np.linalg.norm(way, axis=1), which=which)
            self.close(r["far_rate"], np.sum(way * Cv, axis=1) / r["far"], which=which)
            self.close(np.cos(r["tilt"]), (R @ [0.5**0.5, 0.5**0.5, 0])[:, 2], which=which)
            self.close(r["tilt_deg"], np.degrees(r["tilt"]), which=which)
            self.close(r["mixed"], np.hypot(C[:, 0], C[:, 1]) - 2 * t * w[:, 2], which=which)
            self.assertEqual(r.outputs.units["wx"], "rad/s (world axes)")

    def test_a_mount(self):
        """The force and the torque of a bushing by equation (8) of docs/forces.md, and what they do to the body."""
        mass, inertia, place = 3, np.diag([0.1, 0.2, 0.25]), np.array([0.05, 0.02, -0.03])
        m = dl.Model("mount", space="spatial", gravity=[0, 0, -G])
        m.ground.points["O"] = (0, 0, 0)
        m.body("b", mass=mass, inertia=np.diag(inertia), points={"C": place}, position=-place, velocity=[0.2, 0.1, 0])
        m.force("mount", "bushing", a="ground.O", b="b.C", stiffness=[900, 1200, 5000], damping=[5, 6, 7],
                angular_stiffness=[40, 50, 60], angular_damping=[0.1, 0.2, 0.3])
        body_outputs(m, "b", "C")
        for axis in "xyz":
            m.output("phi" + axis, "force", force="mount", value="r" + axis)
        for which, r in self.runs(m, SPATIAL, t_end=0.5, output_step=0.02):
            R = rotations(r.poses[:, 0, 3:])
            C, Cv, Ba, w, alpha, phi, F, T = xyz(r, "C", "Cv", "Ba", "w", "alpha", "phi", "mount.f", "mount.t")
            self.close(F, -C * [900, 1200, 5000] - Cv * [5, 6, 7], which=which)
            theta = np.maximum(np.linalg.norm(phi, axis=1), 1e-9)
            self.assertGreater(theta.max(), 0.05)
            P = crossed(phi)
            Gamma = np.eye(3) - P / 2 + ((1 - theta / 2 / np.tan(theta / 2)) / theta**2)[:, None, None] * (P @ P)
            self.close(T, -times(Gamma.transpose(0, 2, 1), phi * [40, 50, 60]) - w * [0.1, 0.2, 0.3], which=which)
            self.close(mass * Ba, F + [0, 0, -mass * G], which=which)
            turned = R @ inertia @ R.transpose(0, 2, 1)
            self.close(times(turned, alpha) + np.cross(w, times(turned, w)), T + np.cross(R @ place, F), which=which)

    def test_a_crane_on_a_cylinder(self):
        m = dl.Model("crane", space="spatial", gravity=[0, 0, -G])
        m.ground.points.update(O=(0, 0, 0), C=(0.5, 0, -1))
        m.body("boom", mass=4, inertia=[0.05, 1.2, 1.2], center_of_mass=[1, 0, 0], points={"O": (0, 0, 0), "K": (1.2, 0, 0)})
        m.joint("pin", "revolute", a="ground.O", b="boom.O", axis=[0, 1, 0])
        m.driver("cylinder", "distance", a="ground.C", b="boom.K", function="sqrt(1.49) + 0.1*sin(t)")
        m.output("alpha", "body", body="boom", component="alphay")
        for which, r in self.runs(m, SPATIAL, t_end=2, output_step=0.1):
            angle, rate = r["pin.angle"], r["pin.angle_rate"]
            way = np.stack([1.2 * np.cos(angle) - 0.5, 1 - 1.2 * np.sin(angle)], axis=1)
            length = 1.49**0.5 + 0.1 * np.sin(r.t)
            self.close(np.hypot(*way.T), length, which=which)
            lever = -1.2 * (way[:, 0] * np.sin(angle) + way[:, 1] * np.cos(angle)) / length  # d length / d angle
            self.close(lever * rate, 0.1 * np.cos(r.t), which=which)
            # Virtual work: F d length = (J alpha - m g l cos) d angle; the angle turns the boom down.
            self.close(r["cylinder.force"] * lever, (1.2 + 4) * r["alpha"] - 4 * G * np.cos(angle), 1e-7, which=which)

    def test_a_planar_coupler(self):
        """Two pendulums that are geared: the ratio, the energy, and the torque by the second one's equation."""
        m = dl.Model("coupled", gravity=[0, -G])
        m.ground.points.update(O=(0, 0), P=(2, 0))
        m.body("a", mass=1, inertia=0.2, center_of_mass=[0.4, 0], points={"O": (0, 0)})
        m.body("b", mass=2, inertia=0.3, center_of_mass=[0.1, 0], points={"O": (0, 0)}, position=[2, 0])
        m.joint("pin_a", "revolute", a="ground.O", b="a.O")
        m.joint("pin_b", "revolute", a="ground.P", b="b.O")
        m.joint("belt", "coupler", joint_a="pin_a", joint_b="pin_b", ratio=-2.5)
        m.output("torque", "reaction", joint="belt", component="tz")
        m.initial["joints"] = {"pin_a": {"value": 0.3, "rate": 1.0}}
        of_a, of_b = 0.2 + 0.16, 0.3 + 0.02  # about the pins
        for which, r in self.runs(m, PLANAR, t_end=0.8, output_step=0.05):
            a, b, rate = r["pin_a.angle"], r["pin_b.angle"], r["pin_a.angle_rate"]
            self.close(b - b[0], -2.5 * (a - a[0]), which=which)
            self.close(r["pin_b.angle_rate"], -2.5 * rate, which=which)
            energy = (of_a + 6.25 * of_b) * rate**2 / 2 + G * 0.4 * np.sin(a) + 2 * G * 0.1 * np.sin(b)
            self.close(energy, energy[0], which=which)
            accel = (-G * 0.4 * np.cos(a) + 2.5 * 2 * G * 0.1 * np.cos(b)) / (of_a + 6.25 * of_b)
            self.close(r["torque"], -2.5 * of_b * accel + 2 * G * 0.1 * np.cos(b), which=which)

    def test_a_block_that_slides_down(self):
        """The normal force of a contact, declared and not, and friction in its reaction."""
        slope, m = 0.5, dl.Model("incline", gravity=[0, -G])
        m.ground.points["O"] = (0, 0)
        m.body("b", mass=1.5, inertia=0.1, points={"C": (0, 0)}, position=[2 * np.cos(slope), 2 * np.sin(slope)])
        m.contact("floor", "point-plane", a="ground.O", normal=[-np.sin(slope), np.cos(slope)], b="b.C", friction={"coefficient": 0.2})
        m.output("normal", "effort", joint="floor")
        r = m.run(t_end=0.5, rtol=1e-9, output_step=0.05)
        self.assertTrue(r.ok, r)
        self.close(r["floor.normal"], 1.5 * G * np.cos(slope))
        self.close(r["normal"], 1.5 * G * np.cos(slope))
        self.close(np.hypot(r["floor.fx"], r["floor.fy"])[1:], 1.5 * G * np.cos(slope) * 1.04**0.5)
        way = 2 - np.hypot(r.poses[:, 0, 0], r.poses[:, 0, 1])
        self.close(way, G * (np.sin(slope) - 0.2 * np.cos(slope)) * r.t**2 / 2, 1e-7)
        self.assertEqual(m.run(t_end=0.1, record="declared").outputs.names, ("normal",))


if __name__ == "__main__":
    unittest.main()
