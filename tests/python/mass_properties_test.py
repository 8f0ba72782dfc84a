"""Bodies that weigh what their shapes weigh: closed forms, and meshes against the shapes they approximate or are."""

import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _cli import CliTest, main  # noqa: E402

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def obj(faces=FACES):
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE]
    return "\n".join(lines + ["f " + " ".join(str(i + 1) for i in face) for face in faces]) + "\n"


def model(*bodies, space="spatial"):
    zero = [0, 0, 0] if space == "spatial" else [0, 0]
    return {"driftless": 1, "space": space, "gravity": zero, "bodies": list(bodies), "simulate": {"t_end": 0.01}}


class MassPropertiesTest(CliTest):
    def kinetic(self, shapes, spin, space="spatial"):
        """Twice the kinetic energy of a body that turns about its origin: what the inertia must give."""
        body = {"name": "b", "shapes": shapes, "angular_velocity": spin}
        out = self.json_of("run", self.write("m.json", model(body, space=space)))
        return 2 * out["energy"]["initial"]

    def about_origin(self, shapes):
        return [self.kinetic(shapes, [1.0 if i == k else 0.0 for i in range(3)]) for k in range(3)]

    def check(self, shapes, expected):
        for found, wanted in zip(self.about_origin(shapes), expected):
            self.assertAlmostEqual(found, wanted, delta=1e-6 * abs(wanted))

    def test_closed_forms(self):
        self.check([{"type": "box", "size": [1, 2, 3], "density": 10}], [60 * 13 / 12, 60 * 10 / 12, 60 * 5 / 12])
        m = 4 / 3 * math.pi * 8 * 5
        self.check([{"type": "sphere", "radius": 2, "density": 5, "position": [1, 0, 0]}],
                   [0.4 * m * 4, 0.4 * m * 4 + m, 0.4 * m * 4 + m])
        m = math.pi * 0.25 * 3 * 2
        self.check([{"type": "cylinder", "from": [0, 0, 0], "to": [0, 0, 3], "radius": 0.5, "density": 2}],
                   [m * (0.75 / 12 + 3)] * 2 + [m / 8])
        # Two half spheres and nothing between them are a sphere.
        sphere = self.about_origin([{"type": "sphere", "radius": 0.7, "density": 3}])
        self.check([{"type": "capsule", "from": [0, 0, -5e-10], "to": [0, 0, 5e-10], "radius": 0.7, "density": 3}], sphere)

    def test_mesh_is_the_box_it_draws(self):
        self.write("box.obj", obj())
        box = self.about_origin([{"type": "box", "size": [1, 2, 3], "position": [0.5, 1, 1.5], "density": 10}])
        self.check([{"type": "mesh", "file": "box.obj", "density": 10}], box)
        turned = {"orientation": {"axis": [1, 2, 3], "angle": 0.4}, "position": [1, 0, 2]}
        far = [{"type": "box", "size": [2, 4, 6], "density": 1.25, **turned}]
        # the mesh has its corner at the place, the box its centre: scaled, turned, shifted alike about the corner
        half = self.about_origin([{"type": "mesh", "file": "box.obj", "scale": 2, "density": 1.25}])
        self.check([{"type": "box", "size": [2, 4, 6], "position": [1, 2, 3], "density": 1.25}], half)
        self.assertEqual(len(self.about_origin(far)), 3)

    def test_polygon_and_several(self):
        square = [[0, 0], [2, 0], [2, 1], [0, 1]]
        for corners in (square, square[::-1]):
            prism = [{"type": "polygon", "points": corners, "thickness": 0.5, "z": 0.1, "density": 4}]
            self.check(prism, self.about_origin([{"type": "box", "size": [2, 1, 0.5], "position": [1, 0.5, 0.1], "density": 4}]))
        halves = [{"type": "box", "size": [1, 1, 0.5], "position": [x, 0.5, 0.1], "density": 4} for x in (0.5, 1.5)]
        self.check(halves, self.about_origin(prism))
        flat = self.kinetic(prism, 1.0, space="planar")
        self.assertAlmostEqual(flat, self.about_origin(prism)[2], places=9)

    def test_refused(self):
        def refuse(shapes, *words, **fields):
            body = {"name": "b", "shapes": shapes, **fields}
            self.refused("check", self.write("m.json", model(body)), words=words)

        self.write("open.obj", obj(FACES[1:]))
        refuse([{"type": "mesh", "file": "open.obj", "density": 1}], "bodies[0].shapes[0]", "edge from (0, 0, 0)")
        # Four corners less a face: three triangles enclose nothing, but what is wrong is the edge.
        self.write("three.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
        refuse([{"type": "mesh", "file": "three.obj", "density": 1}], "not closed", "the edge from (1, 0, 0) to (0, 0, 3)")
        self.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\nf 1 3 2\n")
        refuse([{"type": "mesh", "file": "flat.obj", "density": 1}], "encloses nothing")
        self.write("short.stl", "")
        message = self.refused("check", self.write("m.json", model({"name": "b", "shapes": [
            {"type": "mesh", "file": "short.stl", "density": 1}]})), words=["found a file too short for STL"]).stderr
        self.assertNotIn("encloses", message, "one mistake, one complaint")
        message = self.refused("check", self.write("m.json", model({"name": "b", "shapes": [
            {"type": "sphere", "radius": -1, "density": 1}]})), words=["bodies[0].shapes[0].radius: expected a number > 0, found -1"]).stderr
        self.assertNotIn("mass", message, "one mistake, one complaint")
        self.write("wound.obj", obj([FACES[0][::-1], *FACES[1:]]))
        refuse([{"type": "mesh", "file": "wound.obj", "density": 1}], "not well wound")
        self.write("inside.obj", obj([face[::-1] for face in FACES]))
        refuse([{"type": "mesh", "file": "inside.obj", "density": 1}], "inside out")
        refuse([{"type": "line", "points": [[0, 0, 0], [1, 0, 0]], "density": 1}], "density")
        refuse([{"type": "sphere", "radius": 1, "density": -1}], "density > 0")
        refuse([{"type": "sphere", "radius": 1, "density": 1}], "bodies[0].mass", "both", mass=1)

    def test_written_and_read_again(self):
        path = self.write("m.json", model({"name": "b", "shapes": [{"type": "sphere", "radius": 1, "density": 2}]}))
        out = self.json_of("check", path)
        self.assertEqual(out["status"], "ok", json.dumps(out))


if __name__ == "__main__":
    main()
