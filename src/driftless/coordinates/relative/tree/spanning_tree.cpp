#include "driftless/coordinates/relative/tree/spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

std::string hint_near(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = closest_name(name, known);
  return near.empty() ? "" : fmt::format("did you mean '{}'?", near);
}

class Spanner {
 public:
  Spanner(const std::vector<std::string>& bodies, const std::vector<TreeCandidate>& joints)
      : bodies_(bodies), joints_(joints), at_(bodies.size() + 1), carries_(joints.size()) {
    for (size_t j = 0; j < joints.size(); ++j) {
      carries_[j] = !joints[j].only_cut && joints[j].a != joints[j].b;
      at_[size_t(joints[j].a)].push_back(static_cast<int>(j));
      at_[size_t(joints[j].b)].push_back(static_cast<int>(j));
    }
  }

  SpanningTree span(const TreeWishes& wishes) {
    cut(wishes.cut);
    std::vector<int> roots = floating_roots(wishes.root);
    SpanningTree tree;
    std::vector<bool> reached(bodies_.size() + 1);
    grow(ground(), tree, reached);
    for (const int root : roots)
      if (!reached[size_t(root)]) {
        tree.links.push_back({root, ground(), -1, false});
        grow(root, tree, reached);
      }
    list_cuts(tree);
    if (!complaints_.empty()) return {};
    return tree;
  }

  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  int ground() const { return static_cast<int>(bodies_.size()); }
  int other_end(const TreeCandidate& joint, int body) const { return joint.a == body ? joint.b : joint.a; }

  // Bodies that hang together with `start` by the joints in `some`, `without` left out.
  std::vector<bool> connected(int start, const std::vector<bool>& some, int without = -1) const {
    std::vector<bool> seen(at_.size());
    std::vector<int> todo = {start};
    seen[size_t(start)] = true;
    while (!todo.empty()) {
      const int body = todo.back();
      todo.pop_back();
      for (const int j : at_[size_t(body)]) {
        const int next = other_end(joints_[size_t(j)], body);
        if (j == without || !some[size_t(j)] || seen[size_t(next)]) continue;
        seen[size_t(next)] = true;
        todo.push_back(next);
      }
    }
    return seen;
  }

  bool closes_loop(size_t j, const std::vector<bool>& some) const {
    return connected(joints_[j].a, some, static_cast<int>(j))[size_t(joints_[j].b)];
  }

  void cut(const std::vector<std::string>& wanted) {
    const std::vector<bool> all = carries_;
    for (const std::string& name : wanted) {
      const auto found =
          std::find_if(joints_.begin(), joints_.end(), [&](const auto& joint) { return joint.name == name; });
      const auto j = static_cast<size_t>(found - joints_.begin());
      if (found == joints_.end() || (carries_[j] && (found->never_cut || !closes_loop(j, carries_))))
        refuse_cut(name, all);
      else
        carries_[j] = false;
    }
  }

  void refuse_cut(const std::string& name, const std::vector<bool>& all) {
    std::vector<std::string> loops;
    for (size_t j = 0; j < joints_.size(); ++j)
      if (all[j] && !joints_[j].never_cut && closes_loop(j, all)) loops.push_back(joints_[j].name);
    const bool fits_alone = std::find(loops.begin(), loops.end(), name) != loops.end();
    complaints_.push_back(
        {"`option cut`",
         loops.empty() ? "no joint: those that carry the bodies form no loop"
                       : fmt::format("joints of loops, one of each: {}", quoted_list(loops)),
         fmt::format("'{}'", printable(name)),
         fits_alone ? "with the other cuts it would let a body go" : hint_near(name, loops)});
  }

  // Bases of all that does not hang on the ground: those asked for, then bodies in their order.
  std::vector<int> floating_roots(const std::vector<std::string>& wanted) {
    const std::vector<bool> grounded = connected(ground(), carries_);
    std::vector<std::string> floating;
    for (size_t i = 0; i < bodies_.size(); ++i)
      if (!grounded[i]) floating.push_back(bodies_[i]);
    std::vector<int> roots;
    std::vector<bool> has_root(at_.size());
    for (const std::string& name : wanted) {
      const auto found = std::find(bodies_.begin(), bodies_.end(), name);
      const auto i = static_cast<size_t>(found - bodies_.begin());
      const bool floats = found != bodies_.end() && !grounded[i];
      if (floats && !has_root[i]) {
        const std::vector<bool> part = connected(static_cast<int>(i), carries_);
        std::transform(part.begin(), part.end(), has_root.begin(), has_root.begin(), std::logical_or<>());
        roots.push_back(static_cast<int>(i));
        continue;
      }
      complaints_.push_back(
          {"`option root`",
           floating.empty() ? "no body: everything here hangs on the ground"
                            : fmt::format("one body of each part that floats: {}", quoted_list(floating)),
           fmt::format("'{}'", printable(name)),
           floats ? "another body of its part is a root already" : hint_near(name, floating)});
    }
    for (int i = 0; i < ground(); ++i)
      if (!grounded[size_t(i)]) roots.push_back(i);
    return roots;
  }

  // Prim's algorithm from a root; joints of the same rows in the order of their depth, then as listed.
  void grow(int root, SpanningTree& tree, std::vector<bool>& reached) const {
    using Edge = std::tuple<bool, int, int, int, int>;  // free to cut, −rows, depth, joint, inboard body
    std::priority_queue<Edge, std::vector<Edge>, std::greater<>> border;
    const auto reach = [&](int body, int depth) {
      reached[size_t(body)] = true;
      for (const int j : at_[size_t(body)]) {
        const TreeCandidate& joint = joints_[size_t(j)];
        if (carries_[size_t(j)]) border.emplace(!joint.never_cut, -joint.rows, depth, j, body);
      }
    };
    reach(root, 0);
    while (!border.empty()) {
      const auto [free, rows, depth, j, inboard] = border.top();
      border.pop();
      const TreeCandidate& joint = joints_[size_t(j)];
      const int body = other_end(joint, inboard);
      if (reached[size_t(body)]) continue;
      tree.links.push_back({body, inboard, j, joint.a == body});
      reach(body, depth + 1);
    }
  }

  void list_cuts(SpanningTree& tree) {
    std::vector<bool> kept(joints_.size());
    for (const auto& link : tree.links)
      if (link.joint >= 0) kept[size_t(link.joint)] = true;
    for (size_t j = 0; j < joints_.size(); ++j) {
      if (kept[j]) continue;
      tree.cuts.push_back(static_cast<int>(j));
      if (joints_[j].never_cut)
        complaints_.push_back({"joints", "in every loop a joint that can be cut",
                               fmt::format("a loop through '{}' without one", joints_[j].name),
                               "use coordinates in which joints are rows, such as reference-point"});
    }
  }

  const std::vector<std::string>& bodies_;
  const std::vector<TreeCandidate>& joints_;
  std::vector<std::vector<int>> at_;  // joints at each body, ground last
  std::vector<bool> carries_;         // joints that may stand in the tree
  std::vector<Complaint> complaints_;
};

}  // namespace

std::vector<OptionSpec> tree_options() {
  return {{.name = "root",
           .kind = OptionKind::names,
           .help = "base of a mechanism that does not hang on the ground; its first body otherwise"},
          {.name = "cut",
           .kind = OptionKind::names,
           .help = "joints that close loops, to be rows; chosen otherwise: fewest rows, shortest tree"},
          {.name = "mass",
           .kind = OptionKind::choice,
           .default_value = "auto",
           .choices = {"auto", "formed"},
           .help = "formed: long spatial trees form their mass matrix too, for formulations that read it"}};
}

TreeWishes tree_wishes(const Options& options) { return {options.names("root"), options.names("cut")}; }

SpanningTree span_tree(const std::vector<std::string>& bodies,
                       const std::vector<TreeCandidate>& joints,
                       const TreeWishes& wishes,
                       const std::string& source) {
  Spanner spanner(bodies, joints);
  SpanningTree tree = spanner.span(wishes);
  if (!spanner.complaints().empty()) throw InputError(source, spanner.complaints());
  return tree;
}

}  // namespace driftless
