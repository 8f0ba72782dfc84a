// Triangle meshes for drawing: STL, text or binary, and the vertices and faces of OBJ. Vertices that coincide exactly are
// merged; faces of more than three corners become fans.
#pragma once

#include <string>

#include "driftless/model/shape.hpp"

namespace driftless {

// By the ending, .stl or .obj. std::runtime_error with what was found instead of a mesh.
Mesh read_mesh(const std::string& path);

}  // namespace driftless
