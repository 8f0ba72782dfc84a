#include <cstdio>
#include <cstdlib>

#include "driftless/cli/program.hpp"

int main(int argc, char** argv) {
  const int status = driftless::cli::program(argc, argv);
  if (status == 0) return 0;
  std::fflush(nullptr);  // what HDF5 does at exit trips over what a failed allocation has left
  std::_Exit(status);
}
