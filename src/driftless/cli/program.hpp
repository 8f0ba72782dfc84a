// The program as a function: from its arguments to its exit status. main() calls it once, tests/fuzz once in every child.
#pragma once

namespace driftless::cli {

int program(int argc, char** argv);

}  // namespace driftless::cli
