#include "driftless/cli/program.hpp"

int main(int argc, char** argv) { return driftless::cli::program(argc, argv); }
