"""What every field of every element is, for those who write a mechanism down differently (_transform.py).

invariance_test.py compares the tables with the schema, so a new field cannot be forgotten.
"""

# point, body, name, same (no dimension); dir:F, a direction in the frame of the body of field F, dir:world;
# place (in the world); turn (angle of b against a); M:L, a number in mass^M length^L; fun:M:L, a function of time;
# pairs and law are efforts over a coordinate (M:L of the effort, then L of the coordinate); others have code of their own.
_SPRING = "stiffness:{0}:{1} damping:{0}:{1} actuator:fun:1:{2} spring:pairs:1:{2}:{3} damper:pairs:1:{2}:{3} law:law:1:{2}:{3}"
_AXIS = "a:point b:point axis:dir:a axis_b:dir:b"
_IMPACT = "restitution:same impact:same"
_TABLE = {
    "joints": {
        "revolute": _AXIS + " friction:friction stops:stops", "translational": _AXIS + " angle:turn friction:friction stops:stops",
        "fixed": _AXIS + " angle:turn", "cylindrical": _AXIS + " friction:friction stops:stops",
        "spherical": "a:point b:point", "universal": _AXIS, "constant-velocity": _AXIS, "planar": _AXIS,
        "screw": _AXIS + " pitch:0:1", "distance": "a:point b:point length:0:1", "point-on-line": "a:point b:point axis:dir:a stops:stops",
        "point-on-plane": "a:point b:point axis:dir:a", "point-on-curve": "a:point b:point curve:curve",
        "parallel-axes": "a:body b:body axis:dir:a axis_b:dir:b", "perpendicular-axes": "a:body b:body axis:dir:a axis_b:dir:b",
        "relative-angle": "a:body b:body angle:turn",
        "rolling": "a:point b:point axis:dir:a radius:0:1 form:same phase:rolling-phase",
        "gear": "a:body b:body carrier:body axis_a:dir:carrier axis_b:dir:carrier radius_a:0:1 radius_b:0:1 internal:same "
                "phase:gear-phase",
        "rack-and-pinion": "carrier:point axis:dir:carrier rack:point pinion:body pinion_axis:dir:carrier radius:0:1 "
                           "phase:rack-phase",
        "coupler": "joint_a:name coordinate_a:same joint_b:name coordinate_b:same ratio:ratio offset:offset",
        "rolling-disc": "a:point axis:dir:a b:point axis_b:dir:b radius:0:1", "knife-edge": "b:point axis:dir:b",
    },
    "drivers": {
        "angle": "a:body b:body axis:dir:a reference_a:dir:a reference_b:dir:b function:angle-function",
        "displacement": "a:point b:point axis:dir:a function:fun:0:1", "path": "a:point b:point function:path",
        "joint-coordinate": "joint:name coordinate:same function:joint-function",
        "distance": "a:point b:point function:fun:0:1",
    },
    "forces": {
        "tsda": "a:point b:point joint:name free_length:0:1 " + _SPRING.format(1, 0, 1, 1),
        "rsda": "a:body b:body joint:name axis:dir:a free_angle:free-angle " + _SPRING.format(1, 2, 2, 0),
        "point-force": "at:point force:components:1:1 frame:same",
        "follower-force": "at:point direction:dir:at magnitude:fun:1:1",
        "torque": "body:body at:point reaction_on:body torque:components:1:2 frame:same",
        "truss": "a:point b:point stiffness:1:1 free_length:0:1",
        "axial-spring": "a:point b:point stiffness:1:0 free_length:0:1",
        "bending": "a:point b:point center:point stiffness:1:2 EI:1:3",
        "bushing": "a:point b:point axis:dir:a x_axis:dir:a stiffness:1:0 damping:1:0 angular_stiffness:1:2 angular_damping:1:2",
        "tyre": "at:point radius:0:1 stiffness:1:0 damping:1:0 road:road contact:same speed:0:1 up:dir:world "
                "along:dir:world origin:place",
        "clutch": "joint:name torque:fun:1:2 static_torque:fun:1:2",
    },
    "contacts": {
        "point-plane": "a:point b:point normal:dir:a radius:0:1 friction:friction " + _IMPACT,
        "circle-circle": "a:point b:point radius_a:0:1 radius_b:0:1 friction:friction " + _IMPACT,
        "sphere-sphere": "a:point b:point radius_a:0:1 radius_b:0:1 friction:friction " + _IMPACT,
        "point-curve": "a:point b:point curve:curve friction:friction " + _IMPACT,
        "point-road": "a:point b:point along:dir:a radius:0:1 road:road friction:friction " + _IMPACT,
    },
}
# Objects inside elements. Stops are in the unit of the joint's coordinate, and counted from where its angle is zero.
FRICTION = {"coefficient": "same", "static": "same", "radius": "0:1", "torque": "fun:1:2", "static_torque": "fun:1:2",
            "force": "fun:1:1", "static_force": "fun:1:1"}
STOPS = {"revolute": {"min": "limit", "max": "limit", "stiffness": "1:2", "restitution": "same", "impact": "same"},
         **{kind: {"min": "0:1", "max": "0:1", "stiffness": "1:0", "restitution": "same", "impact": "same"}
            for kind in ("translational", "cylindrical", "point-on-line")}}
# Flexible bodies: what their numbers are.
FLEXIBLE = {"type": "same", "from": "0:1", "to": "0:1", "elements": "same", "frame": "same", "stiffening": "same",
            "rotary_inertia": "same", "modes": "same", "damping": "same",
            "section": {"type": "same", "width": "0:1", "height": "0:1", "diameter": "0:1", "inner": "0:1"},
            "material": {"youngs_modulus": "1:-1", "density": "1:-3", "poisson": "same"}}
FIELDS = {group: {type_: dict(word.split(":", 1) for word in text.split()) for type_, text in types.items()}
          for group, types in _TABLE.items()}
FIRST_COORDINATE = {"revolute": "angle", "translational": "displacement", "cylindrical": "displacement", "screw": "angle",
                     "planar": "angle", "parallel-axes": "angle", "point-on-line": "displacement"}
