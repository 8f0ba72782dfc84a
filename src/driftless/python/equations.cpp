// A user's own equations in Python: callables of numpy arrays (user_system.hpp says what each of them gives).
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/python/bindings.hpp"
#include "driftless/system/user_system.hpp"

namespace driftless::python {
namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A callable that C++ may keep, copy and let go of without the GIL.
class Callable {
 public:
  Callable(const py::object& function, std::string name)
      : function_(new py::object(function),
                  [](py::object* p) {
                    const py::gil_scoped_acquire gil;
                    delete p;
                  }),
        name_(std::move(name)) {}

  // With the GIL held.
  template <class... Arguments>
  Array operator()(const Arguments&... arguments) const {
    const py::object answer = (*function_)(arguments...);
    const Array out = Array::ensure(answer);
    if (!out) {
      PyErr_Clear();
      throw py::type_error(fmt::format("{}: expected an array of numbers", name_));
    }
    return out;
  }

  void fill(VecRef out, const Array& answer) const {
    if (answer.size() != out.size())
      throw py::value_error(
          fmt::format("{}: expected {} numbers, found {}", name_, out.size(), answer.size()));
    std::copy(answer.data(), answer.data() + answer.size(), out.data());
  }
  void fill(Mat& out, const Array& answer) const {
    const bool fits = answer.ndim() == 2 && answer.shape(0) == out.rows() && answer.shape(1) == out.cols();
    if (!fits && !(out.rows() == 1 && answer.size() == out.cols()))
      throw py::value_error(
          fmt::format("{}: expected an array of {} x {} numbers", name_, out.rows(), out.cols()));
    out = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        answer.data(), out.rows(), out.cols());
  }

 private:
  std::shared_ptr<py::object> function_;
  std::string name_;
};

// A copy: the user may keep it.
py::array_t<double> numpy(ConstVec x) { return py::array_t<double>(x.size(), x.data()); }

class EquationReader {
 public:
  explicit EquationReader(const py::dict& given) : given_(given) {}

  std::optional<Callable> callable(const char* name) const {
    if (!given_.contains(name) || given_[name].is_none()) return {};
    const py::object function = given_[name];
    if (PyCallable_Check(function.ptr()) == 0)
      throw InputError("",
                       Complaint{name, "a function of t, q …", py::repr(function).cast<std::string>(), ""});
    return Callable(function, name);
  }
  int count(const char* name) const {
    return given_.contains(name) && !given_[name].is_none() ? given_[name].cast<int>() : 0;
  }
  std::vector<std::string> names(const char* name) const {
    if (!given_.contains(name) || given_[name].is_none()) return {};
    return given_[name].cast<std::vector<std::string>>();
  }
  Vec vector(const char* name, Eigen::Index size) const {
    if (!given_.contains(name) || given_[name].is_none()) return Vec::Zero(size);
    const Array array = Array::ensure(given_[name]);
    if (!array || array.size() != size)
      throw InputError("", Complaint{name, fmt::format("{} numbers", size),
                                     array ? fmt::format("{}", array.size()) : "something else", ""});
    return Eigen::Map<const Vec>(array.data(), size);
  }

 private:
  const py::dict& given_;
};

}  // namespace

ProblemInstance make_equations(const py::dict& given) {
  const EquationReader reader(given);
  UserEquations e;
  e.nq = reader.count("nq");
  e.nv = reader.count("nv");
  e.rows = reader.count("rows");
  e.nonholonomic_rows = reader.count("nonholonomic_rows");
  const auto of_position = [&](const char* name, auto& slot) {
    if (const auto f = reader.callable(name))
      slot = [f = *f](double t, ConstVec q, auto& out) {
        const py::gil_scoped_acquire gil;
        f.fill(out, f(t, numpy(q)));
      };
  };
  const auto of_motion = [&](const char* name, auto& slot) {
    if (const auto f = reader.callable(name))
      slot = [f = *f](double t, ConstVec q, ConstVec v, VecRef out) {
        const py::gil_scoped_acquire gil;
        f.fill(out, f(t, numpy(q), numpy(v)));
      };
  };
  const auto vector_of_position = [&](const char* name, auto& slot) {
    if (const auto f = reader.callable(name))
      slot = [f = *f](double t, ConstVec q, VecRef out) {
        const py::gil_scoped_acquire gil;
        f.fill(out, f(t, numpy(q)));
      };
  };
  of_position("mass", e.mass);
  of_motion("force", e.force);
  vector_of_position("constraint", e.constraint);
  of_position("jacobian", e.jacobian);
  vector_of_position("time_derivative", e.time_derivative);
  of_motion("gamma", e.gamma);
  of_motion("nonholonomic_gamma", e.nonholonomic_gamma);
  of_motion("kinematics", e.kinematics);
  if (const auto f = reader.callable("nonholonomic"))
    e.nonholonomic = [f = *f](double t, ConstVec q, Mat& A, VecRef b) {
      const py::gil_scoped_acquire gil;
      f.fill(A, f(t, numpy(q)));
      b.setZero();
    };
  if (const auto f = reader.callable("potential"))
    e.potential = [f = *f](double t, ConstVec q) {
      const py::gil_scoped_acquire gil;
      Vec out(1);
      f.fill(out, f(t, numpy(q)));
      return out[0];
    };
  if (const auto f = reader.callable("applied_power"))
    e.applied_power = [f = *f](double t, ConstVec q, ConstVec v) {
      const py::gil_scoped_acquire gil;
      Vec out(1);
      f.fill(out, f(t, numpy(q), numpy(v)));
      return out[0];
    };
  e.quantity_names = reader.names("quantity_names");
  if (const auto f = reader.callable("quantities"))
    e.quantities = [f = *f](double t, ConstVec q, ConstVec v, const Reaction&, VecRef out) {
      const py::gil_scoped_acquire gil;
      f.fill(out, f(t, numpy(q), numpy(v)));
    };
  e.description.q_names = reader.names("names");
  e.time_dependent = !given.contains("time_dependent") || given["time_dependent"].cast<bool>();
  const int nv = e.nv > 0 ? e.nv : e.nq;
  ProblemInstance out;
  out.start.t = given.contains("t0") ? given["t0"].cast<double>() : 0;
  out.start.q = reader.vector("q0", e.nq);
  out.start.v = reader.vector("v0", nv);
  try {
    out.system = make_system(std::move(e));
  } catch (const std::invalid_argument& error) {
    throw InputError("", Complaint{"equations", "equations that fit together", error.what(), ""});
  }
  return out;
}

}  // namespace driftless::python
