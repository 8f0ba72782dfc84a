// How nodes are chosen. Markers tied by joints form groups: one point, or one direction, of several bodies. Bodies are
// taken breadth first from the ground. A body that turns with an earlier one (weld, slide) takes its vectors; any other
// its point and vectors, greedily, from groups
//   1. at rest,  2. that have a node,  3. that a later body has too,  4. (planar) its other joints and named points,
// and what is left from unit vectors of its own. A vector must stand well out of the span of those before it, and must
// not contradict what other bodies or the ground say about its products: joints that do are left to their rows.
#include "driftless/coordinates/natural/natural_basis.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <set>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace driftless {
namespace {

constexpr double kRoundOff = 1e-12;  // two places are one, relative to the size of things
constexpr double kLeastSine = 0.2;   // of a vector against the span of the others
constexpr double kLeastCosine =
    0.5;  // of axes drawn apart that a joint makes parallel: their sense must be clear
constexpr double kLeastDistance = 1e-3;  // of two points in a basis, relative to the characteristic length
constexpr int kLastSharedTier = 2;

double rounded(double c, double negligible) {
  if (std::abs(c) <= negligible) return 0;
  if (std::abs(std::abs(c) - 1) <= 1e-14) return std::copysign(1.0, c);
  return c;
}
std::complex<double> rounded(const std::complex<double>& c, double negligible) {
  return {rounded(c.real(), negligible), rounded(c.imag(), negligible)};
}

}  // namespace

template <int D>
void Combination<D>::add(const Combination& other, Factor<D> times) {
  constant += product(times, other.constant);
  for (const Term& term : other.terms) {
    const auto place = std::lower_bound(terms.begin(), terms.end(), term.node,
                                        [](const Term& t, int node) { return t.node < node; });
    if (place != terms.end() && place->node == term.node)
      place->factor += times * term.factor;
    else
      terms.insert(place, {term.node, times * term.factor});
  }
}

template <int D>
class BasisChoice {
 public:
  BasisChoice(const NaturalBodies<D>& bodies, const Ties<D>& ties, NaturalBasis<D>& out)
      : bodies_(bodies), ties_(ties), out_(out), groups_on_(bodies.names.size() + 1) {}

  void run() {
    for (const auto& pair : ties_.pairs) join(pair);
    done_.assign(bodies_.names.size() + 1, false);
    done_[size_t(bodies_.ground())] = true;
    for (const int body : breadth_first()) {
      choose(body);
      done_[size_t(body)] = true;
    }
    find_idle();
  }

 private:
  using V = VecOf<double, D>;
  using Axes = Eigen::Matrix<double, D, D>;
  static constexpr int kCount = BodyBasis<D>::count;

  struct Member {
    int body;
    V at;
    std::string label;
  };
  struct Group {  // of markers that are one
    MarkerKind kind;
    std::vector<Member> members;
    int node = -1;
  };
  struct Candidate {
    typename BodyBasis<D>::Vector vector;  // w is empty where a node is still to be made
    Marker<D> marker;                      // of that node
    int group = -1;
    double score = 0;
  };

  // ---- groups

  bool near(const V& a, const V& b, MarkerKind kind) const {
    return (a - b).norm() <= kRoundOff * out_.scale(kind);
  }
  std::string named(const Marker<D>& m, const std::string& otherwise) const {
    for (const auto& entry : bodies_.named)
      if (entry.marker.body == m.body && entry.marker.kind == m.kind &&
          (near(entry.marker.at, m.at, m.kind) ||
           (m.kind == MarkerKind::direction && near(entry.marker.at, -m.at, m.kind))))
        return entry.name;
    return otherwise;
  }
  const Member* member_on(const Group& group, int body) const {
    const auto found = std::find_if(group.members.begin(), group.members.end(),
                                    [&](const Member& m) { return m.body == body; });
    return found == group.members.end() ? nullptr : &*found;
  }
  int find_group(const Marker<D>& m) const {
    for (const int g : groups_on_[size_t(m.body)]) {
      const Group& group = groups_[size_t(g)];
      if (group.kind != m.kind) continue;
      const V& at = member_on(group, m.body)->at;
      if (near(at, m.at, m.kind) || (m.kind == MarkerKind::direction && near(at, -m.at, m.kind))) return g;
    }
    return -1;
  }
  int group_of(const Marker<D>& m, const std::string& joint) {
    const int known = find_group(m);
    if (known >= 0) return known;
    const std::string label = named(m, m.kind == MarkerKind::point ? joint : joint + "_axis");
    groups_.push_back({m.kind, {{m.body, m.at, label}}});
    groups_on_[size_t(m.body)].push_back(static_cast<int>(groups_.size()) - 1);
    return static_cast<int>(groups_.size()) - 1;
  }
  // Makes one group of two, unless a body would stand in it with two different places.
  void join(const typename Ties<D>::Pair& pair) {
    const int ga = group_of(pair.a, pair.joint), gb = group_of(pair.b, pair.joint);
    if (ga == gb) return;
    Group &into = groups_[size_t(ga)], &from = groups_[size_t(gb)];
    double sign = 1;
    if (pair.a.kind == MarkerKind::direction) {  // parallel axes point the same way in the initial position
      const auto world = [&](int body, const V& at) { return V(bodies_.attitudes[size_t(body)] * at); };
      const V a = world(pair.a.body, member_on(into, pair.a.body)->at);
      const V b = world(pair.b.body, member_on(from, pair.b.body)->at);
      if (std::abs(a.dot(b)) < kLeastCosine) return;
      if (a.dot(b) < 0) sign = -1;
    }
    for (const Member& m : from.members)
      if (const Member* other = member_on(into, m.body); other && !near(other->at, sign * m.at, into.kind))
        return;
    for (Member m : from.members) {
      auto& on_body = groups_on_[size_t(m.body)];
      on_body.erase(std::find(on_body.begin(), on_body.end(), gb));
      if (member_on(into, m.body)) continue;
      m.at *= sign;
      into.members.push_back(m);
      on_body.push_back(ga);
    }
    from.members.clear();
  }
  std::optional<Combination<D>> expression(const Group& group) const {
    if (const Member* m = member_on(group, bodies_.ground())) return Combination<D>{m->at, {}};
    if (group.node < 0) return std::nullopt;
    return Combination<D>{V::Zero(), {{group.node, 1.0}}};
  }
  int tier(const Group& group, int body) const {
    if (member_on(group, bodies_.ground())) return 0;
    if (group.node >= 0) return 1;
    const bool later = std::any_of(group.members.begin(), group.members.end(),
                                   [&](const Member& m) { return m.body != body && !done_[size_t(m.body)]; });
    return later ? 2 : 3;
  }

  std::vector<int> breadth_first() const {
    const auto n = bodies_.names.size();
    std::vector<std::set<int>> next(n + 1);
    const auto connect = [&](int a, int b) {
      next[size_t(a)].insert(b);
      next[size_t(b)].insert(a);
    };
    for (const auto& pair : ties_.pairs) connect(pair.a.body, pair.b.body);
    for (const auto& tie : ties_.attitudes) connect(tie.a, tie.b);
    std::vector<bool> seen(n + 1, false);
    std::vector<int> order;
    const auto spread = [&](int first) {
      std::deque<int> open{first};
      seen[size_t(first)] = true;
      while (!open.empty()) {
        const int body = open.front();
        open.pop_front();
        if (body != bodies_.ground()) order.push_back(body);
        for (const int other : next[size_t(body)])
          if (!seen[size_t(other)]) {
            seen[size_t(other)] = true;
            open.push_back(other);
          }
      }
    };
    spread(bodies_.ground());
    for (int body = 0; body < bodies_.ground(); ++body)
      if (!seen[size_t(body)]) spread(body);
    return order;
  }

  // ---- one body

  Combination<D> make_node(const Marker<D>& marker, const std::string& label) {
    std::string name = bodies_.names[size_t(marker.body)] + "." + label;
    while (!node_names_.insert(name).second) name += "_";
    out_.nodes_.push_back({name, marker});
    return {V::Zero(), {{static_cast<int>(out_.nodes_.size()) - 1, 1.0}}};
  }
  Combination<D> take(Group& group, int body) {
    if (const auto known = expression(group)) return *known;
    const Member& m = *member_on(group, body);
    const auto made = make_node({group.kind, body, m.at}, m.label);
    group.node = made.terms.front().node;
    return made;
  }

  void choose(int body) {
    BodyBasis<D>& basis = out_.bases_[size_t(body)];
    int best = -1;
    for (const int g : groups_on_[size_t(body)])
      if (groups_[size_t(g)].kind == MarkerKind::point &&
          (best < 0 || tier(groups_[size_t(g)], body) < tier(groups_[size_t(best)], body)))
        best = g;
    if (best >= 0) {
      basis.at = member_on(groups_[size_t(best)], body)->at;
      basis.point = take(groups_[size_t(best)], body);
    } else {
      const Marker<D> center{MarkerKind::point, body, V::Zero()};
      basis.point = make_node(center, named(center, "cm"));
    }
    if (!turn_with_other(body))
      for (int first_tier = 0; static_cast<int>(basis.vectors.size()) < kCount;)
        if (!take_vector(body, first_tier)) ++first_tier;
    add_rigid_rows(body);
  }

  // The vectors of a body whose attitude follows from that of an earlier one.
  bool turn_with_other(int body) {
    std::deque<std::pair<int, Axes>> open{{body, Axes::Identity()}};  // R_body = R_other Q
    std::set<int> seen{body};
    while (!open.empty()) {
      const auto [other, Q] = open.front();
      open.pop_front();
      if (done_[size_t(other)]) {
        const bool ground = other == bodies_.ground();
        for (int k = 0; k < kCount; ++k) {
          typename BodyBasis<D>::Vector vector;
          if (ground)
            vector = {V::Unit(k), bodies_.length, {V::Unit(k), {}}, ""};
          else
            vector = out_.bases_[size_t(other)].vectors[size_t(k)];
          vector.unit = Q.transpose() * vector.unit;
          out_.bases_[size_t(body)].vectors.push_back(vector);
        }
        return true;
      }
      for (const auto& tie : ties_.attitudes) {
        if (tie.b == other && seen.insert(tie.a).second) open.emplace_back(tie.a, tie.Q * Q);
        if (tie.a == other && seen.insert(tie.b).second) open.emplace_back(tie.b, tie.Q.transpose() * Q);
      }
    }
    return false;
  }

  Candidate towards(int body, const V& at, const std::string& label) const {
    const V d = at - out_.bases_[size_t(body)].at;
    const double length = d.norm();
    Candidate c;
    c.marker = {MarkerKind::point, body, at};
    c.vector = {length > 0 ? V(d / length) : V(V::Zero()), length, {}, label};
    c.score = length < kLeastDistance * bodies_.length ? 0 : std::min(1.0, length / bodies_.length);
    return c;
  }
  Candidate along(int body, const V& unit, const std::string& label) const {
    return {{unit, bodies_.length, {}, label}, {MarkerKind::direction, body, unit}, -1, 1};
  }

  std::vector<Candidate> candidates(int body, int wanted) const {
    std::vector<Candidate> found;
    for (const int g : groups_on_[size_t(body)]) {
      const Group& group = groups_[size_t(g)];
      if (tier(group, body) != wanted || (wanted > kLastSharedTier && D == 3)) continue;
      const Member& m = *member_on(group, body);
      found.push_back(group.kind == MarkerKind::point ? towards(body, m.at, m.label)
                                                      : along(body, m.at, m.label));
      found.back().group = g;
    }
    if (D == 2 && wanted == kLastSharedTier + 1)
      for (const auto& entry : bodies_.named)
        if (entry.marker.body == body && entry.marker.kind == MarkerKind::point)
          found.push_back(towards(body, entry.marker.at, entry.name));
    if (wanted > kLastSharedTier + 1)
      for (int k = 0; k < D; ++k) found.push_back(along(body, V::Unit(k), std::string("e") + "xyz"[k]));
    return found;
  }

  bool take_vector(int body, int wanted) {
    BodyBasis<D>& basis = out_.bases_[size_t(body)];
    std::optional<Candidate> best;
    for (Candidate& c : candidates(body, wanted)) {
      V rest = c.vector.unit;
      for (const V& u : span_) rest -= u.dot(rest) * u;
      const double sine = rest.norm();
      c.score *= sine;
      if (sine < kLeastSine || c.score <= 0 || (best && c.score <= best->score)) continue;
      if (wanted < kLastSharedTier) c.vector.w = shape(basis, c, *expression(groups_[size_t(c.group)]));
      if (wanted < kLastSharedTier && !consistent(basis, c.vector)) continue;
      best = c;
    }
    if (!best) return false;
    const auto node = best->group >= 0 ? take(groups_[size_t(best->group)], body)
                                       : make_node(best->marker, best->vector.label);
    best->vector.w = shape(basis, *best, node);
    basis.vectors.push_back(best->vector);
    V rest = best->vector.unit;
    for (const V& u : span_) rest -= u.dot(rest) * u;
    span_.push_back(rest.normalized());
    if (static_cast<int>(basis.vectors.size()) == kCount) span_.clear();
    return true;
  }
  // w from its node: a difference of points, or the unit vector itself.
  Combination<D> shape(const BodyBasis<D>& basis, const Candidate& c, const Combination<D>& node) const {
    if (c.marker.kind == MarkerKind::direction) return node;
    Combination<D> w;
    w.add(node, 1 / c.vector.length);
    w.add(basis.point, -1 / c.vector.length);
    out_.round(w, MarkerKind::direction);
    return w;
  }

  // ---- products of vectors, (4)

  struct Product {
    Combination<D> a, b;
    double value;
  };
  static std::vector<int> key(const Combination<D>& a, const Combination<D>& b) {
    std::vector<int> nodes;
    for (const auto* e : {&a, &b})
      for (const auto& term : e->terms) nodes.push_back(term.node);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
  // 1 or −1 if b = ±a, otherwise 0.
  int sign(const Combination<D>& a, const Combination<D>& b) const {
    Combination<D> minus;
    minus.add(b, -1.0);
    if (out_.same(a, b, MarkerKind::direction)) return 1;
    return out_.same(a, minus, MarkerKind::direction) ? -1 : 0;
  }
  // What is known of the product of two vectors already.
  std::optional<double> known_product(const Combination<D>& a, const Combination<D>& b) const {
    if (a.at_rest() && b.at_rest()) return a.constant.dot(b.constant);
    const auto found = products_.find(key(a, b));
    if (found == products_.end()) return std::nullopt;
    for (const Product& p : found->second)
      for (const int s : {sign(a, p.a) * sign(b, p.b), sign(a, p.b) * sign(b, p.a)})
        if (s != 0) return s * p.value;
    return std::nullopt;
  }
  bool consistent(const BodyBasis<D>& basis, const typename BodyBasis<D>::Vector& vector) const {
    const auto agrees = [&](const typename BodyBasis<D>::Vector& other) {
      const auto known = known_product(vector.w, other.w);
      return !known || std::abs(*known - vector.unit.dot(other.unit)) <= kRoundOff;
    };
    return agrees(vector) && std::all_of(basis.vectors.begin(), basis.vectors.end(), agrees);
  }
  void add_rigid_rows(int body) {
    const auto& vectors = out_.bases_[size_t(body)].vectors;
    for (int i = 0; i < kCount; ++i)
      for (int j = i; j < kCount; ++j) {
        const auto &a = vectors[size_t(i)], &b = vectors[size_t(j)];
        if (known_product(a.w, b.w)) continue;
        out_.rigid_rows_.push_back({body, i, j});
        products_[key(a.w, b.w)].push_back({a.w, b.w, a.unit.dot(b.unit)});
      }
  }

  // ---- rows that are left

  void find_idle() {
    // Members of a group that are one expression are one; each of the others needs one block to tie it.
    std::vector<std::vector<int>> part_of(groups_.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      std::vector<Combination<D>> e;
      for (const Member& m : group.members) e.push_back(out_.express({group.kind, m.body, m.at}));
      part_of[g].resize(e.size());
      std::iota(part_of[g].begin(), part_of[g].end(), 0);
      for (size_t i = 1; i < e.size(); ++i)
        for (size_t k = 0; k < i; ++k)
          if (out_.same(e[i], e[k], group.kind)) part_of[g][i] = part_of[g][k];
    }
    for (const auto& pair : ties_.pairs) {
      const int ga = find_group(pair.a), gb = find_group(pair.b);
      if (ga != gb) continue;
      const Group& group = groups_[size_t(ga)];
      auto& part = part_of[size_t(ga)];
      const int pa = part[size_t(member_on(group, pair.a.body) - group.members.data())];
      const int pb = part[size_t(member_on(group, pair.b.body) - group.members.data())];
      if (pa == pb) out_.idle_.push_back(pair.block);
      std::replace(part.begin(), part.end(), pa, pb);
    }
    for (const auto& tie : ties_.attitudes) {
      bool together = true;
      for (int k = 0; k < D; ++k) {
        const V on_b = V::Unit(k), on_a = tie.Q * on_b;
        together &= out_.same(out_.express({MarkerKind::direction, tie.a, on_a}),
                              out_.express({MarkerKind::direction, tie.b, on_b}), MarkerKind::direction);
      }
      if (together) out_.idle_.push_back(tie.block);
    }
  }

  const NaturalBodies<D>& bodies_;
  const Ties<D>& ties_;
  NaturalBasis<D>& out_;
  std::vector<Group> groups_;
  std::vector<std::vector<int>> groups_on_;  // per body, ground last
  std::vector<bool> done_;
  std::vector<V> span_;  // orthonormal, of the vectors of the body at hand
  std::set<std::string> node_names_;
  std::map<std::vector<int>, std::vector<Product>> products_;
};

template <int D>
NaturalBasis<D>::NaturalBasis(const NaturalBodies<D>& bodies, const Ties<D>& ties)
    : ground_(bodies.ground()), length_(bodies.length), bases_(bodies.names.size()) {
  BasisChoice<D>(bodies, ties, *this).run();
}

template <int D>
Combination<D> NaturalBasis<D>::express(const Marker<D>& marker) const {
  if (marker.body == ground_) return {marker.at, {}};
  const BodyBasis<D>& basis = body(marker.body);
  Combination<D> out;
  VecOf<double, D> a = marker.at;
  if (marker.kind == MarkerKind::point) {
    out = basis.point;
    a -= basis.at;
  }
  if constexpr (D == 2) {  // (1)
    const VecOf<double, 2>& u = basis.vectors[0].unit;
    const std::complex<double> z = std::complex<double>(a[0], a[1]) * std::complex<double>(u[0], -u[1]);
    out.add(basis.vectors[0].w, rounded(z, 1e-13 * scale(marker.kind)));
  } else {  // (2)
    Eigen::Matrix3d W;
    for (int k = 0; k < 3; ++k) W.col(k) = basis.vectors[size_t(k)].unit;
    const Vec3 alpha = W.inverse() * a;
    for (int k = 0; k < 3; ++k)
      out.add(basis.vectors[size_t(k)].w, rounded(alpha[k], 1e-13 * scale(marker.kind)));
  }
  round(out, marker.kind);
  return out;
}

template <int D>
void NaturalBasis<D>::round(Combination<D>& e, MarkerKind kind) const {
  for (auto& term : e.terms)
    term.factor = rounded(term.factor, 1e-13 * scale(kind) / scale(nodes_[size_t(term.node)].marker.kind));
  std::erase_if(e.terms, [](const auto& term) { return std::abs(term.factor) == 0; });
}

template <int D>
bool NaturalBasis<D>::same(const Combination<D>& a, const Combination<D>& b, MarkerKind kind) const {
  Combination<D> difference = a;
  difference.add(b, -1.0);
  const double size = scale(kind);
  if (difference.constant.norm() > kRoundOff * (size + a.constant.norm())) return false;
  return std::all_of(difference.terms.begin(), difference.terms.end(), [&](const auto& term) {
    return std::abs(term.factor) * scale(nodes_[size_t(term.node)].marker.kind) <= kRoundOff * size;
  });
}

template struct Combination<2>;
template struct Combination<3>;
template class NaturalBasis<2>;
template class NaturalBasis<3>;

}  // namespace driftless
