// Planar models in natural coordinates: two points, or a point and a unit vector, a body; see natural_basis.hpp,
// natural_system.hpp. Forces and outputs see frames of the bodies. With e the first body axis
//   θ = atan2(e_y, e_x),   ω = e⊥·ė / e·e                                                                             (1)
// Gears, racks, torsion springs and bushings count whole turns: θ of their bodies is carried as a massless coordinate,
//   θ − atan2(e_y, e_x) = 0,  mod 2π                                                                                  (2)
#include <cmath>
#include <functional>
#include <map>

#include <Eigen/Geometry>

#include "driftless/coordinates/natural_system.hpp"
#include "driftless/coordinates/planar_builder.hpp"
#include "driftless/coordinates/planar_mechanism.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {
namespace {

// Blocks on frames → blocks on markers.
class MarkerRows {
 public:
  MarkerRows(const PlanarParts& parts, NaturalParts<2>& out)
      : out_(out),
        theta_of_(parts.body_names.size(), -1),
        ground_(static_cast<int>(parts.body_names.size())) {
    std::map<int, std::function<void()>> in_order;
    for_each_element(parts.blocks, [&](const auto& placed) {
      in_order[placed.row] = [&] {
        labels_.clear();
        for (int r = 0; r < placed.block.rows; ++r) {
          const std::string& name = parts.row_names[size_t(placed.row + r)];
          owner_ = name.substr(0, name.rfind('.'));
          labels_.push_back(name.substr(name.rfind('.') + 1));
        }
        velocity_only_ = placed.velocity_only;
        convert(placed.block);
      };
    });
    for (const auto& [row, add] : in_order) add();
    for (const Rsda& spring : std::get<std::vector<Rsda>>(parts.forces)) {
      theta(spring.a);
      theta(spring.b);
    }
    for (const PlanarBushing& bushing : std::get<std::vector<PlanarBushing>>(parts.forces)) {
      if (bushing.angular_stiffness == 0) continue;
      theta(bushing.a.body);
      theta(bushing.b.body);
    }
    define_angles(parts);
  }

  // Per body, the index of its angle among the scalars; −1: not carried.
  const std::vector<int>& theta_of() const { return theta_of_; }

 private:
  int mark(const Marker<2>& marker) {
    const auto same = [&](const Marker<2>& m) {
      return m.kind == marker.kind && m.body == marker.body && m.at == marker.at;
    };
    auto& list = out_.markers;
    const auto found = std::find_if(list.begin(), list.end(), same);
    if (found != list.end()) return static_cast<int>(found - list.begin());
    list.push_back(marker);
    return static_cast<int>(list.size()) - 1;
  }
  int point(const PointOn& p) { return mark({MarkerKind::point, p.body, p.at}); }
  int direction(int body, const Vec2& u) { return mark({MarkerKind::direction, body, u}); }
  int theta(int body) {
    if (body == ground_) return -1;
    int& index = theta_of_[size_t(body)];
    if (index < 0) {
      index = static_cast<int>(out_.scalars.size());
      out_.scalars.push_back({out_.bodies.names[size_t(body)] + ".theta", "rad", 1});
    }
    return index;
  }
  template <class Block>
  void add(const Block& block) {
    out_.rows.add(block, owner_, labels_, velocity_only_);
  }

  void convert(const Coincident& c) { add(markers::Coincident<2>{{}, {point(c.a), point(c.b)}, {}}); }
  void convert(const Along& c) {
    markers::Along<2, 0> block;
    block.x = {direction(c.a.body, c.u_body), point(c.a), point(c.b)};
    block.f = c.f;
    add(block);
  }
  void convert(const Distance& c) {
    markers::Distance<2> block;
    block.x = {point(c.a), point(c.b)};
    block.length = c.length;
    add(block);
  }
  void convert(const AngleSum& c) {
    if (c.c[2] == 0 && c.c[1] == c.s && c.c[0] == -c.s) {  // θ_b − θ_a = f
      markers::Angle<2, 0> block;
      block.x = {direction(c.index[0], Vec2::UnitX()), direction(c.index[0], Vec2::UnitY()),
                 direction(c.index[1], Vec2::UnitX())};
      block.length = c.s;
      block.f = c.f;
      return add(block);
    }
    std::map<int, double> sum;  // θ of ground is zero
    for (size_t k = 0; k < 3; ++k)
      if (c.index[k] != ground_ && c.c[k] != 0) sum[theta(c.index[k])] += c.c[k];
    if (sum.size() == 1) add_sum<1>(sum, c);
    if (sum.size() == 2) add_sum<2>(sum, c);
    if (sum.size() == 3) add_sum<3>(sum, c);
  }
  template <int N>
  void add_sum(const std::map<int, double>& sum, const AngleSum& c) {
    markers::Sum<2, N> block;
    size_t k = 0;
    for (const auto& [scalar, factor] : sum) {
      block.s[k] = scalar;
      block.c[k++] = factor;
    }
    block.length = c.s;
    block.f = c.f;
    add(block);
  }
  void convert(const Rack& c) {
    if (c.along.a.body == ground_) return add_rack<1>(c);
    add_rack<2>(c);
  }
  template <int N>
  void add_rack(const Rack& c) {
    markers::Along<2, N> block;
    block.x = {direction(c.along.a.body, c.along.u_body), point(c.along.a), point(c.along.b)};
    block.s[0] = theta(c.pinion);
    block.c[0] = c.radius;
    if constexpr (N == 2) {
      block.s[1] = theta(c.along.a.body);
      block.c[1] = -c.radius;
    }
    block.f = c.along.f;
    add(block);
  }
  void convert(const OnCurve& c) {
    markers::OnCurve<2> block;
    block.x = {point(c.a), point(c.b), direction(c.a.body, Vec2::UnitX()),
               direction(c.a.body, Vec2::UnitY())};
    block.curve = c.curve;
    add(block);
  }
  void convert(const Skate& c) {
    markers::NoSlip<2> block;
    block.x = {direction(c.p.body, c.u_body), point(c.p)};
    add(block);
  }
  void convert(const Path& c) {
    markers::Follow<2, 0> block;
    block.x = {point(c.a), point(c.b), direction(c.a.body, Vec2::UnitX()),
               direction(c.a.body, Vec2::UnitY())};
    block.curve = {c.x, c.y};
    add(block);
  }

  void define_angles(const PlanarParts& parts) {  // (2)
    velocity_only_ = false;
    for (int body = 0; body < ground_; ++body) {
      if (theta_of_[size_t(body)] < 0) continue;
      markers::Angle<2, 1> block;
      block.x = {direction(ground_, Vec2::UnitX()), direction(ground_, Vec2::UnitY()),
                 direction(body, Vec2::UnitX())};
      block.s = {theta_of_[size_t(body)]};
      block.length = parts.length;
      owner_ = parts.body_names[size_t(body)];
      labels_ = {"theta"};
      add(block);
    }
  }

  NaturalParts<2>& out_;
  std::vector<int> theta_of_;
  int ground_;
  std::string owner_;
  std::vector<std::string> labels_;
  bool velocity_only_ = false;
};

class NaturalPlanar final : public PlanarMechanism, public TurningVectors {
 public:
  NaturalPlanar(PlanarParts&& parts,
                NaturalMap<2> map,
                std::vector<int> theta_of,
                std::unique_ptr<ReactionRecovery> reactions)
      : PlanarMechanism(map.layout(), std::move(parts), std::move(reactions)),
        map_(std::move(map)),
        theta_of_(std::move(theta_of)) {
    check_layout(layout_);
  }

  void position(double t, ConstVec q, Terms& terms) const override {
    Work& work = work_of(*terms.scratch);
    place(q, work);
    map_.position(t, q, work.nodes, terms);
  }
  void mass(double, ConstVec, Terms& terms) const override { map_.mass(terms); }
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    map_.bias(t, q, v, work_of(*terms.scratch).nodes, terms);
  }
  void force(double t, ConstVec, ConstVec v, Terms& terms) const override {
    Work& work = work_of(*terms.scratch);
    move(v, work);
    load(t, work);
    terms.f.setZero();
    for (int i = 0; i < map_.bodies(); ++i) {
      const Resultant& on = work.resultants[size_t(i)];
      const size_t c = map_.center(i);
      map_.push(c, Vec2(on[0], on[1]), terms.f);
      if (on[2] == 0) continue;
      const Vec2& e = work.nodes.x[c + 1];
      map_.push(c + 1, on[2] / e.squaredNorm() * Vec2(-e.y(), e.x()), terms.f);
    }
  }
  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override {
    map_.magnitudes(q, v, q_size, v_size);
  }
  // θ of (1) does not count turns.
  std::vector<int> wrapped_quantities() const override { return wrapped_channels(parts_.channels); }
  void wrapped_values(
      double t, ConstVec, ConstVec v, Terms& terms, VecRef value, VecRef rate) const override {
    Work& work = work_of(*terms.scratch);
    move(v, work);
    measure_wrapped(parts_.channels, work.view(t), value, rate);
  }

 private:
  struct Work final : PlanarScratch {
    Work(size_t bodies, NaturalWork<2>&& n) : PlanarScratch(bodies), nodes(std::move(n)) {}
    NaturalWork<2> nodes;
  };
  static Work& work_of(Scratch& scratch) { return static_cast<Work&>(scratch); }

  std::unique_ptr<PlanarScratch> make_bodies() const override {
    return std::make_unique<Work>(theta_of_.size(), map_.make_work());
  }
  void place(ConstVec q, PlanarScratch& scratch) const override {
    Work& work = work_of(scratch);
    map_.place(q, work.nodes);
    for (size_t i = 0; i < theta_of_.size(); ++i) {
      const Vec2* x = work.nodes.x.data() + map_.center(static_cast<int>(i));
      const double theta = theta_of_[i] < 0 ? std::atan2(x[1].y(), x[1].x()) : map_.scalars(q)[theta_of_[i]];
      work.frames[i] = {{x[0].x(), x[0].y()}, theta, x[1].x(), x[1].y()};
    }
  }
  void move(ConstVec v, PlanarScratch& scratch) const override {
    Work& work = work_of(scratch);
    map_.move_bodies(v, work.nodes);
    for (size_t i = 0; i < theta_of_.size(); ++i) {
      const size_t c = map_.center(static_cast<int>(i));
      const Vec2 &e = work.nodes.x[c + 1], &e_dot = work.nodes.xdot[c + 1], &r_dot = work.nodes.xdot[c];
      const double omega = (e.x() * e_dot.y() - e.y() * e_dot.x()) / e.squaredNorm();  // (1)
      work.velocities[i] = {{r_dot.x(), r_dot.y()}, omega};
    }
  }

  NaturalMap<2> map_;
  std::vector<int> theta_of_;  // per body, index of the scalar; −1: not carried
};

// Nodes and carried angles of a state in reference-point coordinates.
State read_off(const NaturalMap<2>& map,
               const std::vector<int>& theta_of,
               const std::vector<std::string>& names,
               const State& reference,
               const std::string& source) {
  State state{reference.t, Vec(map.layout().nq), Vec(map.layout().nv)};
  std::vector<NaturalFrame<2>> frames;
  for (size_t i = 0; i < names.size(); ++i) {
    const Vec3 q = reference.q.segment<3>(3 * static_cast<Eigen::Index>(i));
    frames.push_back({q.head<2>(), Eigen::Rotation2Dd(q[2]).toRotationMatrix()});
    if (theta_of[i] < 0) continue;
    state.q[2 * map.nodes() + theta_of[i]] = q[2];
    state.v[2 * map.nodes() + theta_of[i]] = reference.v[3 * static_cast<Eigen::Index>(i) + 2];
  }
  for (int k = 0; k < map.nodes(); ++k) {
    const auto& [kind, body, at] = map.basis().nodes()[size_t(k)].marker;
    const Vec2 arm = frames[size_t(body)].axes * at;
    const Vec3 v = reference.v.segment<3>(3 * body);
    const bool is_point = kind == MarkerKind::point;
    state.q.segment<2>(2 * k) = is_point ? Vec2(frames[size_t(body)].center + arm) : arm;
    state.v.segment<2>(2 * k) = v[2] * Vec2(-arm.y(), arm.x());
    if (is_point) state.v.segment<2>(2 * k) += v.head<2>();
  }
  check_natural_start(map, state.q, frames, names, source);
  return state;
}

}  // namespace

CompiledModel compile_natural_planar(const Model& model, const std::string& source) {
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile(model, "reference-point", source));
  PlanarBuilder builder = expand_planar(model, model.joints);
  std::vector<Complaint> complaints;
  add_channels(model, builder, complaints);
  if (!complaints.empty()) throw InputError(source, complaints);

  NaturalParts<2> parts;
  parts.bodies.names = builder.parts.body_names;
  parts.bodies.length = builder.parts.length;
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const auto& frame = builder.start(static_cast<int>(i));
    parts.bodies.attitudes.push_back((Eigen::Matrix2d() << frame.c, -frame.s, frame.s, frame.c).finished());
    for (const auto& point : body.points)
      parts.bodies.named.push_back(
          {point.name, {MarkerKind::point, static_cast<int>(i), (point.at - body.center_of_mass).head<2>()}});
    parts.second_moments.emplace_back(body.inertia);
  }
  parts.bodies.attitudes.push_back(Eigen::Matrix2d::Identity());
  parts.masses = builder.parts.masses;
  for (const Element& joint : model.joints) parts.joints.insert(joint.name);
  const std::vector<int> theta_of = MarkerRows(builder.parts, parts).theta_of();

  const NaturalMap<2> map(std::move(parts));
  check_natural_size(map.layout(), source);
  compiled.from_reference = [map, theta_of, names = builder.parts.body_names, source](const State& state) {
    return read_off(map, theta_of, names, state, source);
  };
  compiled.system = std::make_unique<NaturalPlanar>(
      std::move(builder.parts), map, theta_of,
      std::make_unique<ReactionRecovery>(compile(model, "reference-point", source).system));
  return compiled;
}

}  // namespace driftless
