// What the files of the module share. The module is thin: Python builds a model as the tree of its file, and everything else is
// what the program does, called by the same functions.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

#include "driftless/core/json/json_value.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/results/trajectory.hpp"
#include "driftless/run/names.hpp"
#include "driftless/simulate.hpp"

namespace driftless::python {

namespace py = pybind11;

using SharedResults = std::shared_ptr<Results>;

// A tree of JSON as dictionaries, lists, numbers, texts.
py::object to_python(const JsonValue& value);

// Settings by keyword: t_end, rtol, coordinates, options={…}. InputError for names and values that are none.
RunSettings settings_of(const py::dict& keywords);

// {"text", "source", "name"}: a model; {"equations": …}: callables; {"named": "andrews"}: by name or file. With "parameters".
Target target_of(const py::dict& target);

// Callables of numpy arrays as a system.
ProblemInstance make_equations(const py::dict& equations);

// Ctrl-C while the interpreter waits for a run: asks Python now and then whether there was one.
class SignalCheck {
 public:
  const std::atomic<bool>* flag() const { return &interrupted_; }
  void operator()(const Progress&) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) interrupted_ = true;
  }
  // With the GIL held, after the run: what Python's handler raised.
  void raise() const {
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  }

 private:
  std::atomic<bool> interrupted_ = false;
  std::chrono::steady_clock::time_point next_ = {};
};

void bind_results(py::module_& module);
void bind_runs(py::module_& module);

}  // namespace driftless::python
