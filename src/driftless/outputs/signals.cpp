#include "driftless/outputs/signals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/text.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/outputs/motion.hpp"
#include "driftless/outputs/signal_kinds.hpp"
#include "driftless/outputs/undeclared.hpp"

namespace driftless {
namespace {

const Input* input_called(const std::string& name, const Model& model) {
  const auto found = std::find_if(model.inputs.begin(), model.inputs.end(),
                                  [&](const Input& input) { return input.name == name; });
  return found == model.inputs.end() ? nullptr : &*found;
}

const Element* force_called(const std::string& name, const Model& model) {
  const auto found = std::find_if(model.forces.begin(), model.forces.end(),
                                  [&](const Element& force) { return force.name == name; });
  return found == model.forces.end() ? nullptr : &*found;
}

bool is_expression(const Input& input) {
  return !input.function && input.every == 0 && !input.value.signals().empty();
}

// Names a force reads, with the field they stand in.
std::vector<std::pair<std::string, std::string>> read_by(const Element& force, Space space) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const FieldSpec* field : record_for(force_records(), force).element.fields_in(space)) {
    const auto found = force.fields.find(field->name);
    if (!field->reads_signals || found == force.fields.end()) continue;
    const auto add = [&](const std::vector<std::string>& names, const std::string& where) {
      for (const std::string& name : names) out.emplace_back(name, where);
    };
    if (const auto* f = std::get_if<TimeFunction>(&found->second)) add(f->signals(), field->name);
    if (const auto* text = std::get_if<std::string>(&found->second))
      add(signals_in(*text, field->choices), field->name);
    if (const auto* all = std::get_if<std::vector<TimeFunction>>(&found->second))
      for (size_t k = 0; k < all->size(); ++k) add((*all)[k].signals(), path_below(field->name, k));
  }
  return out;
}

// The force whose effort an output reads: it depends on that force's own laws.
const Element* force_behind(const Element& output, const Model& model) {
  if (output.type != "force") return nullptr;
  const Element* force = force_called(output.get<std::string>("force"), model);
  const bool of_motion = output.get<std::string>("value") != "force";
  return of_motion ? nullptr : force;
}

// Why a law cannot read an output; empty: it can. What the output itself gets wrong is said when outputs are compiled.
std::string why_not(const Element& output, const Model& model) {
  if (!is_of_state(output, model))
    return "it follows from accelerations or reactions, which the law would have to be known for";
  const auto offers = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (output.type == "joint") {
    const Element& joint = joint_called(output.get<std::string>("joint"), model);
    const auto& own = record_of_joint(joint).coordinates(model.space);
    const std::string& value = output.get<std::string>("value");
    if (value == "rate" ? !own.empty() : offers(own, value)) return "";
    return fmt::format("joint '{}' has no such coordinate", joint.name);
  }
  if (output.type == "force") {
    const Element* force = force_called(output.get<std::string>("force"), model);
    if (force == nullptr) return "there is no such force";
    const ForceRecord& record = record_for(force_records(), *force);
    if (offers(model.space == Space::planar ? record.planar_readings : record.spatial_readings,
               output.get<std::string>("value")))
      return "";
    return fmt::format("force '{}' has no such value", force->name);
  }
  if (output.type == "beam")
    return "it is found from elastic coordinates, which laws do not see: they read points and distances of "
           "flexible bodies";
  return "";
}

// Walks along what depends on what; loops and what cannot be read are complained of where the walk began.
class Walk {
 public:
  Walk(const Model& model, std::vector<Complaint>& out) : model_(model), out_(out) {}

  void from(const std::string& where, const std::string& start, const std::string& name) {
    where_ = where;
    way_ = {start};
    seen_.clear();
    found_ = false;
    visit(name);
  }

 private:
  void complain(const std::string& expected, const std::string& found, const std::string& hint) {
    if (!found_) out_.push_back({where_, expected, found, hint});
    found_ = true;
  }
  bool enter(const std::string& node) {
    const auto met = std::find(way_.begin(), way_.end(), node);
    if (met != way_.end()) {
      std::string loop;
      for (auto i = met; i != way_.end(); ++i) loop += *i + " → ";
      complain("a law that does not depend on its own value", "an algebraic loop: " + loop + node,
               "an input with \"every\" holds its value in between, and ends such a loop");
      return false;
    }
    if (!seen_.insert(node).second || found_) return false;
    way_.push_back(node);
    return true;
  }
  void visit(const std::string& name) {
    if (const Input* input = input_called(name, model_)) {
      if (input->every > 0 || !enter(name)) return;
      for (const std::string& other : input->signals()) visit(other);
      way_.pop_back();
      return;
    }
    const auto output = output_called(name, model_);
    if (!output) {
      std::vector<std::string> known;
      const std::string owner = name.substr(0, name.find('.'));
      for (const Element& other : undeclared_outputs(model_))
        if (other.name.starts_with(owner + ".")) known.push_back(other.name);
      return complain("the name of an output or an input", quoted(name),
                      known.empty() ? fmt::format("'{}' has no outputs of its own", owner)
                                    : "there are " + quoted_list(known));
    }
    if (const std::string reason = why_not(*output, model_); !reason.empty())
      return complain("an output of places and velocities", quoted(name), reason);
    if (!enter(name)) return;
    if (output->type == "expression")
      for (const std::string& other :
           signals_in(output->get<std::string>("expression"), std::vector<std::string>{"t"}))
        visit(other);
    if (const Element* force = force_behind(*output, model_)) {
      if (enter(force->name + " (force)")) {
        for (const auto& [other, field] : read_by(*force, model_.space)) visit(other);
        way_.pop_back();
      }
    }
    way_.pop_back();
  }

  const Model& model_;
  std::vector<Complaint>& out_;
  std::string where_;
  std::vector<std::string> way_;
  std::set<std::string> seen_;
  bool found_ = false;
};

// Forces whose efforts a name depends on.
void forces_behind(const std::string& name,
                   const Model& model,
                   std::set<std::string>& seen,
                   std::set<std::string>& out) {
  if (!seen.insert(name).second) return;
  if (const Input* input = input_called(name, model)) {
    for (const std::string& other : input->signals()) forces_behind(other, model, seen, out);
    return;
  }
  const auto output = output_called(name, model);
  if (!output) return;
  if (output->type == "expression")
    for (const std::string& other :
         signals_in(output->get<std::string>("expression"), std::vector<std::string>{"t"}))
      forces_behind(other, model, seen, out);
  if (output->type == "force") out.insert(output->get<std::string>("force"));
}

}  // namespace

std::vector<Complaint> check_signals(const Model& model) {
  std::vector<Complaint> out;
  Walk walk(model, out);
  for (const Input& input : model.inputs)
    for (const std::string& name : input.signals())
      walk.from(path_below("inputs", input.name), input.every > 0 ? "" : input.name, name);
  for (size_t i = 0; i < model.forces.size(); ++i)
    for (const auto& [name, field] : read_by(model.forces[i], model.space))
      walk.from(path_below("forces", i) + "." + field, model.forces[i].name + " (force)", name);
  return out;
}

std::vector<size_t> order_of_forces(const Model& model) {
  std::vector<size_t> order;
  std::vector<char> done(model.forces.size(), 0);
  const std::function<void(size_t)> place = [&](size_t i) {
    if (done[i] != 0) return;
    done[i] = 1;
    std::set<std::string> seen, before;
    for (const auto& [name, field] : read_by(model.forces[i], model.space))
      forces_behind(name, model, seen, before);
    for (size_t j = 0; j < model.forces.size() && !before.empty(); ++j)
      if (before.contains(model.forces[j].name)) place(j);
    order.push_back(i);
  };
  for (size_t i = 0; i < model.forces.size(); ++i) place(i);
  return order;
}

template <int D>
std::string ModelSignals<D>::expand(const std::string& text, const std::vector<std::string>& own) const {
  std::string out;
  std::size_t done = 0;
  for (const NamePlace& place : names_in(text)) {
    const std::string name(place.name);
    if (std::find(own.begin(), own.end(), name) != own.end()) continue;
    std::string inside;
    if (const Input* input = input_called(name, model_)) {
      if (!is_expression(*input)) continue;
      inside = expand(input->value.expression()->text(), {"t"});
    } else if (const auto output = output_called(name, model_); output && output->type == "expression") {
      inside = expand(output->get<std::string>("expression"), {"t"});
    } else {
      continue;
    }
    out += text.substr(done, place.begin - done) + "(" + inside + ")";
    done = place.begin + name.size();
  }
  return out + text.substr(done);
}

template <int D>
LawText<D> ModelSignals<D>::law(const std::string& text, const std::vector<std::string>& own) {
  LawText<D> out{expand(text, own), own, {}};
  for (const std::string& name : signals_in(out.text, own)) {
    out.names.push_back(name);
    out.signals.push_back(signal(name));
  }
  if (out.names.size() > kMostSignals)
    throw InputError(model_.name, Complaint{"forces", fmt::format("at most {} names in a law", kMostSignals),
                                            fmt::format("{}", out.names.size()), ""});
  return out;
}

template <int D>
SignalPtr<D> ModelSignals<D>::signal(const std::string& name) {
  SignalPtr<D>& known = known_[name];
  if (known) return known;
  if (const Input* of = input_called(name, model_)) return known_[name] = seen(*of);
  const Element output = *output_called(name, model_);
  const std::string element = expansion_.element();
  SignalPtr<D> made = measured(output);
  expansion_.begin(element);
  const bool in_degrees =
      output.type != "expression" && output.has("unit") && output.get<std::string>("unit") == "deg";
  if (in_degrees) made = std::make_shared<signal_kinds::Scaled<D>>(made, 180 / std::numbers::pi);
  return known_[name] = made;
}

template <int D>
SignalPtr<D> ModelSignals<D>::input(const Input& of) {
  if (of.function) {
    std::vector<SignalPtr<D>> reads;
    for (const std::string& name : of.reads) reads.push_back(signal(name));
    return std::make_shared<signal_kinds::Computed<D>>(of.function, std::move(reads));
  }
  if (of.value.signals().empty()) return std::make_shared<signal_kinds::OfTime<D>>(of.value);
  return std::make_shared<signal_kinds::Combined<D>>(law(of.value.expression()->text(), {"t"}));
}

template <int D>
SignalPtr<D> ModelSignals<D>::seen(const Input& of) {
  if (of.every == 0) return input(of);
  size_t from_end = 0;  // held numbers stand in the order of the inputs
  for (auto i = model_.inputs.rbegin(); i != model_.inputs.rend(); ++i) {
    if (i->every > 0) ++from_end;
    if (&*i == &of) break;
  }
  // Without a run it would be what is taken now, which may be a loop unless it is of time alone.
  return std::make_shared<signal_kinds::Held<D>>(of.signals().empty() ? input(of) : nullptr, from_end);
}

template <int D>
SignalPtr<D> ModelSignals<D>::joint(const Element& output) {
  const std::string& name = output.get<std::string>("joint");
  const Element& joint = joint_called(name, model_);
  const std::string& value = output.get<std::string>("value");
  const std::string coordinate = value != "rate" ? value
                                 : output.has("coordinate")
                                     ? output.get<std::string>("coordinate")
                                     : record_of_joint(joint).coordinates(model_.space).front();
  const JointFramesOf<D>& frames = expansion_.joint_frames(name);
  if (coordinate != "angle") return std::make_shared<signal_kinds::Displacement<D>>(frames, value == "rate");
  CountedAngle<D> angle;
  if constexpr (D == 2) {
    angle = {frames.first.origin.body, frames.second.origin.body};
    count_turns(angle.a, angle.b, expansion_);
  } else {
    expansion_.begin(name);
    angle = {expansion_.angle(frames.first, frames.second, "angle")};
  }
  return std::make_shared<signal_kinds::Angle<D>>(angle, value == "rate");
}

template <int D>
SignalPtr<D> ModelSignals<D>::force(const Element& output) {
  const std::string& name = output.get<std::string>("force");
  const std::string& value = output.get<std::string>("value");
  size_t index = 0;
  while (model_.forces[index].name != name) ++index;
  const ForcePlace& at = places_[index];
  SignalPtr<D> out;
  size_t kind = 0;
  const auto try_kind = [&](const auto& batch) {
    using Kind = typename std::remove_cvref_t<decltype(batch)>::value_type;
    if (kind++ != at.kind) return;
    if constexpr (requires { Kind::outputs; })
      for (size_t k = 0; k < Kind::outputs.size(); ++k)
        if (value == Kind::outputs[k].name)
          out = std::make_shared<signal_kinds::Reading<D, Kind>>(batch[at.index], k);
  };
  std::apply([&](const auto&... batch) { (..., try_kind(batch)); }, forces_);
  return out;
}

// Yaw is the angle of x of the body about the vertical of the world, roll that of this vertical about −x of the body, from z of
// the body on: (1) of outputs/body.cpp. As scalars they count turns.
template <int D>
SignalPtr<D> ModelSignals<D>::attitude(const std::string& name, int body, const std::string& component) {
  if constexpr (D == 3) {
    expansion_.needs_attitude(body);
    if (component == "pitch") return std::make_shared<signal_kinds::Pitch>(body);
    JointFrameOf<3> world{{expansion_.ground()}}, own{{body}};
    expansion_.begin(name);
    if (component == "yaw")
      return std::make_shared<signal_kinds::Angle<3>>(
          CountedAngle<3>{expansion_.angle(world, own, component)}, false);
    own.axes << Vec3::UnitZ(), Vec3::UnitY(), -Vec3::UnitX();
    world.axes << Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY();
    return std::make_shared<signal_kinds::Angle<3>>(CountedAngle<3>{expansion_.angle(own, world, component)},
                                                    false);
  } else {
    count_turns(expansion_.ground(), body, expansion_);
    return std::make_shared<signal_kinds::Angle<2>>(CountedAngle<2>{expansion_.ground(), body}, false);
  }
}

template <int D>
SignalPtr<D> ModelSignals<D>::angle(const Element& output) {
  const int a = expansion_.turning_body(output.get<std::string>("a")),
            b = expansion_.turning_body(output.get<std::string>("b"));
  const Vec3 &u = output.get<Vec3>("direction_a"), &w = output.get<Vec3>("direction_b");
  if constexpr (D == 3)
    return std::make_shared<signal_kinds::Between>(DirectionOf<3>{a, u.stableNormalized()},
                                                   DirectionOf<3>{b, w.stableNormalized()});
  else {
    count_turns(a, b, expansion_);
    return std::make_shared<signal_kinds::Angle<2>>(
        CountedAngle<2>{a, b}, false,
        std::atan2(u.x() * w.y() - u.y() * w.x(), u.x() * w.x() + u.y() * w.y()));
  }
}

template <int D>
SignalPtr<D> ModelSignals<D>::measured(const Element& output) {
  if (output.type == "joint") return joint(output);
  if (output.type == "force") return force(output);
  if (output.type == "angle") return angle(output);
  if (output.type == "point" || output.type == "body") {
    const std::string& component = output.get<std::string>("component");
    PointOf<D> p;
    if (output.type == "point")
      p = expansion_.point(output.get<PointRef>("point"));
    else
      p.body = expansion_.body(output.get<std::string>("body"));
    if (component.size() > 2) return attitude(output.get<std::string>("body"), p.body, component);
    if (vector_of(component) == 'w')
      return std::make_shared<signal_kinds::Spin<D>>(p.body, entry_of(component));
    return std::make_shared<signal_kinds::Point<D>>(p, entry_of(component), vector_of(component) == 'v');
  }
  if (output.type == "distance") {
    const bool of_rate = output.has("value") && output.get<std::string>("value") == "rate";
    return std::make_shared<signal_kinds::Distance<D>>(expansion_.point(output.get<PointRef>("a")),
                                                       expansion_.point(output.get<PointRef>("b")), of_rate);
  }
  return nullptr;  // check_signals() has refused what comes here
}

template class ModelSignals<2>;
template class ModelSignals<3>;

}  // namespace driftless
