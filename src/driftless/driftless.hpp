// driftless for programs, all of it: models from files and from code, runs, results by name, comparisons and sweeps, own equations.
//
//   #include "driftless/driftless.hpp"
//   const auto results = driftless::run_file("models/four-bar.json", {.rtol = 1e-9});
//   results["crank_angle"].back();
#pragma once

#include "driftless/analysis/assembly.hpp"   // assemble: a start that fits the constraints, for own equations
#include "driftless/compare/compare.hpp"     // several methods on one model
#include "driftless/core/errors.hpp"         // InputError: what is wrong, where, what was expected
#include "driftless/io/model_json.hpp"       // read_model, with, model_to_json
#include "driftless/io/results_io.hpp"       // results from and to files
#include "driftless/model/model.hpp"         // Model, Body, Element
#include "driftless/problems/mechanism.hpp"  // element, point: words for models in code
#include "driftless/run/named_results.hpp"   // run_model, run_file, results["angle"]
#include "driftless/run/run.hpp"             // run, with all it can do
#include "driftless/sweep/sweep.hpp"         // one model over many values of its parameters
#include "driftless/system/user_system.hpp"  // own equations: M, f, g
