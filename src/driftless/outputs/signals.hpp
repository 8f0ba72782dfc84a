// The signals of a model (constraints/signal.hpp): outputs of places and velocities, declared or not, and inputs. Expressions among
// them are put in the place of their names, so that cases in them are switches of the law that reads them; what is left are
// measurements, functions of time and values that programs compute.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driftless/outputs/output_record.hpp"

namespace driftless {

// Names in laws that cannot be read there (accelerations, reactions, elastic coordinates), and algebraic loops. Empty: sound.
std::vector<Complaint> check_signals(const Model& model);

// Numbers of forces in an order in which those whose effort a law reads come before it; the model is sound.
std::vector<size_t> order_of_forces(const Model& model);

template <int D>
class ModelSignals final : public SignalSource<D> {
 public:
  // `forces`: those compiled so far, with their places in the order of the model.
  ModelSignals(const Model& model,
               Expansion<D>& expansion,
               const Forces<D>& forces,
               const std::vector<ForcePlace>& places)
      : model_(model), expansion_(expansion), forces_(forces), places_(places) {}

  LawText<D> law(const std::string& text, const std::vector<std::string>& own) override;
  // The value of an input, as it is now, whatever it is held at.
  SignalPtr<D> input(const Input& input);
  // What laws see of an input.
  SignalPtr<D> seen(const Input& input);

 private:
  std::string expand(const std::string& text, const std::vector<std::string>& own) const;
  SignalPtr<D> signal(const std::string& name);
  SignalPtr<D> measured(const Element& output);
  SignalPtr<D> joint(const Element& output);
  SignalPtr<D> force(const Element& output);
  SignalPtr<D> angle(const Element& output);
  // Component angle, yaw, pitch or roll of a body.
  SignalPtr<D> attitude(const std::string& name, int body, const std::string& component);

  const Model& model_;
  Expansion<D>& expansion_;
  const Forces<D>& forces_;
  const std::vector<ForcePlace>& places_;
  std::map<std::string, SignalPtr<D>> known_;
};

extern template class ModelSignals<2>;
extern template class ModelSignals<3>;

}  // namespace driftless
