// Canonical equations in independent coordinates.               García de Jalón & Bayo (5.104)–(5.112), algorithm 5-7
//   w = Rᵀ p,  p = M v;   state (z, w), z = B q                                                                       (1)
//   Rᵀ M R ż = w − Rᵀ M S ν,   v = R ż + S ν                                                                           (2)
//   ẇ = Rᵀ f_p + Ṙᵀ M v = Rᵀ (f + Ṁ v + J̇ᵀ s),   s = −Sᵀ M v            because Ṙ = −S J̇ R                            (3)
// Corrections to the source: (5.110), (5.112) have Ṙᵀ p and Ṙ = −S J̇ R, the dots lost in print.
// The position problem, the choice of B (velocities themselves), the watch over it and singular positions are those of
// independent_form.hpp; J v = ν and g = 0 hold to round-off at every evaluation, so no stabilization is needed. Where
// the choice changes, w = Rᵀ M v with the new R.
// y = (q, x, set, W): x holds w in its first entries and zeros behind, `set` the columns of B as whole numbers of 50 bits
// (−1: handed over, x = v). So each y says what it means: output inside a step is read with the choice of that step,
// and a run resumed from a checkpoint goes on with the choice it was saved with.
// Options: choice=pivot/qr/svd, independent=NAMES, monitor=growth/condition, as partitioned.
// Cost: as partitioned, and Ṁ v + J̇ᵀ s. λ of the output: one index-1 solve.
#include <cmath>

#include "driftless/formulation/independent/independent_form.hpp"

namespace driftless {
namespace {

constexpr int kBits = 50;

class CanonicalIndependent final : public IndependentForm {
 public:
  CanonicalIndependent(const DescriptorSystem& system, const Options& options)
      : IndependentForm(
            system,
            IndependentSettings{"canonical-independent", choice_rule(options), Positions::solved,
                                options.choice("monitor") == "condition", options.names("independent")},
            (system.layout().nv + kBits - 1) / kBits),
        differences_(system.layout()),
        elsewhere_(system.make_terms()),
        reader_basis_(system.layout(), choice_rule(options)),
        reader_set_(Vec::Zero(extra_)),
        set_(extra_),
        rate_(nv_),
        momentum_(nv_),
        s_(m_),
        w_(nv_),
        read_x_(Vec::Constant(nv_, std::nan(""))) {}

  void drop_rows(std::span<const int> rows) override {
    IndependentForm::drop_rows(rows);
    reader_basis_.drop_rows(rows);
  }

  void magnitudes(ConstVec y, VecRef out) const override {
    if (is_handed_over(y)) return IndependentForm::magnitudes(y, out);
    w_.setZero();
    system_.magnitudes(q_of(y), w_, q_of(out), x_of(out));
    x_of(out) = x_of(y).cwiseAbs();
    extra_of(out).setZero();
    if (integrates_work_) out[out.size() - 1] = 0;
  }

  void pack(const State& state, double work, VecRef y) override {
    IndependentForm::pack(state, work, y);
    v_ = state.v;
    if (handed_over_ || stand_at(state.t, state.q) != Status::ok) {
      extra_of(y)[0] = -1;
      return;
    }
    write_velocities(y);
    renew_scale();
  }

  double unpack(double t, ConstVec y, State& state) override {
    const double work = IndependentForm::unpack(t, y, state);  // x = v if handed over
    if (is_handed_over(y)) return work;
    if (stands_ && t == at_ && q_of(y) == q_ && x_of(y) == read_x_)
      state.v = v_;
    else
      read_elsewhere(t, y, state.v);
    return work;
  }

  bool has_jacobian() const override { return false; }  // (7) is that of velocities
  Status derivative(double t, ConstVec y, VecRef ydot) override {
    adopt(t, y);
    extra_of(ydot).setZero();
    if (handed_over_) return refuge_derivative(t, y, ydot);
    if (const Status status = place(t, q_of(y)); status != Status::ok) return status;
    if (const Status status = find_velocities(t, y); status != Status::ok) return status;
    system_.bias(t, q_, v_, terms_);
    system_.force(t, q_, v_, terms_);
    mass_times(terms_, v_, momentum_);
    space_.S_transposed(momentum_, s_);
    s_ = -s_;
    system_.momentum_rate(t, q_, v_, s_, elsewhere_, differences_, rate_);
    rate_ += terms_.f;
    x_of(ydot).setZero();
    space_.R_transposed(rate_, x_of(ydot).head(basis_.freedom()));  // (3)
    system_.kinematics(t, q_, v_, q_of(ydot));
    if (integrates_work_) {
      lambda_.setZero();
      if (max_abs(terms_.nu) > 0) space_.solve(terms_.M, terms_.f, terms_.gamma, rate_, lambda_);
      power(t, q_, v_, lambda_, ydot);
    }
    return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
  }

  Status settle(double t, VecRef y) override {
    if (handed_over_) return IndependentForm::settle(t, y);
    if (const Status status = place(t, q_of(y)); status != Status::ok) return status;
    q_of(y) = q_;
    if (stabilization == nullptr) return Status::ok;
    if (const Status status = find_velocities(t, y); status != Status::ok) return status;
    rate_ = v_;
    if (const Status status = stabilization->settle(t, q_of(y), rate_); status != Status::ok) return status;
    if (const Status status = stand_at(t, q_of(y)); status != Status::ok) return status;
    v_ = rate_;
    write_velocities(y);
    return Status::ok;
  }

  void keep(Memory& memory) override {
    IndependentForm::keep(memory);
    memory(set_);
    bool has_read = reader_basis_.chosen();  // events and what they cut are read apart
    memory(has_read);
    memory(reader_set_);
    if (!has_read) return;
    if (memory.reads()) {
      const std::vector<int> read = columns(reader_set_);
      if (static_cast<int>(read.size()) != reader_basis_.freedom()) memory.refuse();
      if (!memory.is_good()) return;
      reader_basis_.take(read);
    }
    reader_.keep(memory, reader_basis_, elsewhere_.J);
  }

 private:
  bool is_handed_over(ConstVec y) const { return extra_of(y)[0] < 0; }

  void encode(const IndependentBasis& basis, Vec& set) const {
    set.setZero();
    for (const int column : basis.independent()) set[column / kBits] += std::ldexp(1.0, column % kBits);
  }

  std::vector<int> columns(ConstVec set) const {
    std::vector<int> out;
    for (int column = 0; column < nv_; ++column)
      if (std::fmod(std::floor(std::ldexp(std::round(set[column / kBits]), -(column % kBits))), 2) == 1)
        out.push_back(column);
    return out;
  }

  // The choice y was written with: another than the one in force after a run is resumed.
  void adopt(double t, ConstVec y) {
    if (is_handed_over(y)) {
      if (!handed_over_) {
        handed_over_ = true;
        renew_scale();
      }
      return;
    }
    if (basis_.chosen() && !handed_over_ && extra_of(y) == set_) return;
    basis_.take(columns(extra_of(y)));
    handed_over_ = false;
    stands_ = false;
    set_ = extra_of(y);
    if (stand_at(t, q_of(y)) == Status::ok) note_choice();
    renew_scale();
  }

  // (2), with terms_ and space_ in place
  Status find_velocities(double t, ConstVec y) {
    system_.mass(t, q_, terms_);
    if (const Status status = space_.factor_mass(terms_.M); status != Status::ok) return status;
    velocities(space_, terms_, x_of(y), v_);
    read_x_ = x_of(y);
    return Status::ok;
  }

  void velocities(NullSpace& space, const Terms& terms, ConstVec x, VecRef v) const {
    auto z = w_.head(space.freedom());
    space.S(terms.nu, v);
    mass_times(terms, v, momentum_);
    space.R_transposed(momentum_, z);
    z = x.head(space.freedom()) - z;
    space.solve_reduced(z);
    v.noalias() += space.R() * z;
  }

  // v of a y of any choice at any q, apart from terms_ and space_.
  void read_elsewhere(double t, ConstVec y, Vec& v) {
    if (!reader_basis_.chosen() || extra_of(y) != reader_set_) {
      reader_basis_.take(columns(extra_of(y)));
      reader_set_ = extra_of(y);
    }
    system_.position(t, q_of(y), elsewhere_);
    system_.mass(t, q_of(y), elsewhere_);
    if (reader_.factor(reader_basis_, elsewhere_.J) != Status::ok ||
        reader_.factor_mass(elsewhere_.M) != Status::ok)
      v.setConstant(std::nan(""));  // the monitor of the run sees it
    else
      velocities(reader_, elsewhere_, x_of(y), v);
  }

  Status read_velocities(double t, ConstVec y) override {
    if (!is_handed_over(y)) return find_velocities(t, y);
    v_ = x_of(y);
    return Status::ok;
  }

  void write_velocities(VecRef y) override {
    x_of(y).setZero();
    extra_of(y).setZero();
    if (handed_over_) {
      x_of(y) = v_;
      extra_of(y)[0] = -1;
      return;
    }
    system_.mass(at_, q_, terms_);
    mass_times(terms_, v_, momentum_);
    space_.R_transposed(momentum_, x_of(y).head(basis_.freedom()));  // (1)
    encode(basis_, set_);
    extra_of(y) = set_;
    read_x_ = x_of(y);
  }

  void renew_scale() override {
    IndependentForm::renew_scale();
    if (handed_over_) return;
    scale_.segment(nq_, nv_).setZero();
    if (!stands_) return;
    system_.mass(at_, q_, terms_);
    if (space_.factor_mass(terms_.M) == Status::ok)
      scale_.segment(nq_, basis_.freedom()) = space_.reduced_mass().diagonal();  // w of a unit ż
  }

  DifferenceScratch differences_;
  Terms elsewhere_;                // of Ṁ v + J̇ᵀ s and of y read apart
  IndependentBasis reader_basis_;  // of y read apart
  NullSpace reader_;
  Vec reader_set_;
  Vec set_;               // extra: the choice in force
  Vec rate_;              // nv
  mutable Vec momentum_;  // nv
  Vec s_;                 // m
  mutable Vec w_;         // nv
  Vec read_x_;            // nv   x that v_ belongs to
};

}  // namespace

extern const FormulationRecord canonical_independent_formulation;
const FormulationRecord canonical_independent_formulation = {
    .method = {"canonical-independent",
               "canonical momenta of independent coordinates; dependent ones solved from the constraints",
               "Garcia de Jalon & Bayo 1994, (5.104)-(5.112), algorithm 5-7",
               {choice_option(), independent_option(), monitor_option()}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      return std::make_unique<CanonicalIndependent>(system, options);
    },
    .needs_mass = true,
    .is_smooth = false,
};

}  // namespace driftless
