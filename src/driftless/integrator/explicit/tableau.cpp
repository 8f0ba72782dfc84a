#include "driftless/integrator/explicit/tableau.hpp"

#include <vector>

namespace driftless {
namespace {

// A rooted tree: its branches, as indices of smaller trees in the list, descending.
struct RootedTree {
  int vertices = 1;
  std::vector<int> branches;
};

// Appends all trees with `vertices` vertices: every multiset of smaller ones with vertices − 1 in all.
void append_trees(std::vector<RootedTree>& trees, RootedTree& unfinished, int vertices, int largest) {
  const int missing = vertices - unfinished.vertices;
  if (missing == 0) {
    trees.push_back(unfinished);
    return;
  }
  for (int i = largest; i >= 0; --i) {
    const int size = trees[size_t(i)].vertices;
    if (size > missing) continue;
    unfinished.branches.push_back(i);
    unfinished.vertices += size;
    append_trees(trees, unfinished, vertices, i);
    unfinished.branches.pop_back();
    unfinished.vertices -= size;
  }
}

std::vector<RootedTree> trees_up_to(int vertices) {
  std::vector<RootedTree> trees = {RootedTree{}};
  for (int n = 2; n <= vertices; ++n) {
    RootedTree root;
    append_trees(trees, root, n, static_cast<int>(trees.size()) - 1);
  }
  return trees;
}

}  // namespace

Mat stage_matrix(const Tableau& tableau) {
  const int s = tableau.stages;
  Mat A = Mat::Zero(s + 1, s + 1);
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < i; ++j) A(i, j) = tableau.a[size_t(i)][size_t(j)];
  for (int j = 0; j < s; ++j) A(s, j) = tableau.b[size_t(j)];
  return A;
}

Vec step_weights(const Tableau& tableau) {
  Vec b = Vec::Zero(tableau.stages + 1);
  for (int j = 0; j < tableau.stages; ++j) b[j] = tableau.b[size_t(j)];
  return b;
}

double order_residual(const Mat& A, const Vec& b, int p, double theta) {
  const std::vector<RootedTree> trees = trees_up_to(p);
  std::vector<Vec> phi(trees.size());
  std::vector<double> density(trees.size());
  double largest = 0;
  for (size_t i = 0; i < trees.size(); ++i) {  // (3)
    phi[i] = Vec::Ones(b.size());
    density[i] = trees[i].vertices;
    for (const int branch : trees[i].branches) {
      phi[i].array() *= (A * phi[size_t(branch)]).array();
      density[i] *= density[size_t(branch)];
    }
    if (trees[i].vertices == p)
      largest = std::max(largest, std::abs(b.dot(phi[i]) - std::pow(theta, p) / density[i]));  // (2)
  }
  return largest;
}

int order_of(const Mat& A, const Vec& b, double tolerance) {
  int p = 0;
  while (p < kMostOrder && order_residual(A, b, p + 1) <= tolerance) ++p;
  return p;
}

}  // namespace driftless
