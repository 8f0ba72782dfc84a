// The animated part of a page: frames with poses and arrows, and what is drawn at them.
#pragma once

#include <string>

#include "driftless/report/pack.hpp"
#include "driftless/results/trajectory.hpp"

namespace driftless {

// Members of a page's run: frames, frame_note, position_error, angle_error, poses, arrows, scene.
JsonValue::Object pack_scene(const Results& results, Packer& packer);

}  // namespace driftless
