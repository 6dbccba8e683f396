// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/load_support.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ForcePart::Kind;

/// Which parts may act in which way.
struct Use {
  std::vector<bool> pushes;    // a normal force >= 0
  std::vector<bool> friction;  // friction without limits
};

/// The normal forces >= 0 that can be positive, all at once.
struct Positive {
  bool feasible = false;
  std::vector<bool> positive;
  VectorXd forces;
};

// max sum t  with  D f = (1 + r) w, normal force_i = t_i + u_i, t_i + v_i = 1, all >= 0: t_i is 0 or 1 in every solution, and
// f / (1 + r) has all normal forces positive that can be.
Positive find_positive(const MatrixXd& directions, const std::vector<ForcePart>& parts, const Use& use, const VectorXd& w) {
  int free = 0, pushing = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Kind::kFree) free += 1;
    if (use.friction[i]) free += parts[i].tangents;
    if (use.pushes[i]) pushing += 1;
  }
  const auto n = directions.rows(), components = directions.cols();
  MatrixXd T = MatrixXd::Zero(components, free + pushing);
  int next_free = 0, next = free;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ForcePart& part = parts[i];
    if (part.kind == Kind::kFree) T(part.component, next_free++) = 1.0;
    for (int k = 0; use.friction[i] && k < part.tangents; ++k) T(part.component + 1 + k, next_free++) = 1.0;
    if (!use.pushes[i]) continue;
    T(part.component, next) = part.sign;
    T.block(part.component + 1, next, part.friction.size(), 1) = part.friction;
    ++next;
  }
  // Variables: free, t, u, v, r.
  const MatrixXd D = directions * T;
  MatrixXd A = MatrixXd::Zero(n + pushing, free + 3 * pushing + 1);
  VectorXd b = VectorXd::Ones(n + pushing), c = VectorXd::Zero(A.cols());
  A.topLeftCorner(n, free + pushing) = D;
  A.block(0, free + pushing, n, pushing) = D.rightCols(pushing);
  A.block(0, A.cols() - 1, n, 1) = -w;
  A.block(n, free, pushing, pushing).setIdentity();
  A.block(n, free + 2 * pushing, pushing, pushing).setIdentity();
  b.head(n) = w;
  c.segment(free, pushing).setConstant(-1.0);
  const ConeSolution solution = ConeProgram(A, b, {3 * pushing + 1, {}}, free).minimize(c);
  Positive result;
  result.feasible = solution.optimal();
  if (!result.feasible) return result;
  VectorXd x = solution.x.head(free + pushing);
  x.tail(pushing) += solution.x.segment(free + pushing, pushing);
  result.forces = T * x / (1.0 + solution.x[A.cols() - 1]);
  result.positive.resize(parts.size());
  next = free;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (use.pushes[i]) result.positive[i] = solution.x[next++] > 0.5;
  }
  return result;
}

}  // namespace

LoadSupport find_support(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w) {
  LoadSupport support;
  Use use{std::vector<bool>(parts.size()), std::vector<bool>(parts.size())};
  for (size_t i = 0; i < parts.size(); ++i) {
    use.pushes[i] = parts[i].kind != Kind::kFree;
    use.friction[i] = parts[i].tangents > 0;
  }
  const auto take_used = [&] {
    for (size_t i = 0; i < parts.size(); ++i) support.used.push_back(parts[i].kind == Kind::kFree || use.pushes[i]);
  };
  for (bool first = true;; first = false) {
    Positive positive = find_positive(directions, parts, use, w);
    if (!positive.feasible) {
      support.tipping = first;
      if (!first) take_used();
      return support;
    }
    bool changed = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == Kind::kFree || positive.positive[i]) continue;
      changed = changed || use.friction[i];
      use.pushes[i] = false;
      use.friction[i] = false;
    }
    if (changed) continue;
    support.possible = true;
    support.forces = std::move(positive.forces);
    take_used();
    return support;
  }
}

std::vector<bool> find_jammed(const MatrixXd& directions, const std::vector<ForcePart>& parts) {
  std::vector<bool> jammed(parts.size());
  Use use{std::vector<bool>(parts.size()), std::vector<bool>(parts.size())};
  for (size_t i = 0; i < parts.size(); ++i) {
    use.pushes[i] = parts[i].kind != Kind::kFree;
    use.friction[i] = parts[i].kind == Kind::kFree;
  }
  for (bool changed = true; changed;) {
    changed = false;
    const Positive positive = find_positive(directions, parts, use, VectorXd::Zero(directions.rows()));
    for (size_t i = 0; positive.feasible && i < parts.size(); ++i) {
      if (parts[i].kind != Kind::kCone || !positive.positive[i] || jammed[i]) continue;
      jammed[i] = true;
      use.friction[i] = true;
      changed = true;
    }
  }
  return jammed;
}

}  // namespace tippe
