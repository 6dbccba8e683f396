// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "support/full_pivot.h"
#include "tippe/problem/acceleration_problem.h"
#include "tippe/problem/contact_mode.h"

namespace tippe::test {

/// { w : A w <= b } in a large box, by all of its vertices: each choice of as many rows as there are variables.
class VertexEnumeration {
 public:
  static constexpr double kBox = 1e7;

  VertexEnumeration(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
    const Eigen::Index d = A.cols(), rows = A.rows();
    A_.resize(rows + 2 * d, d);
    A_ << A, Eigen::MatrixXd::Identity(d, d), -Eigen::MatrixXd::Identity(d, d);
    b_.resize(rows + 2 * d);
    b_ << b, Eigen::VectorXd::Constant(2 * d, kBox);
    choose(0, {});
  }

  [[nodiscard]] const std::vector<Eigen::VectorXd>& vertices() const { return vertices_; }

 private:
  void choose(Eigen::Index first, const std::vector<int>& chosen) {
    const Eigen::Index d = A_.cols();
    if (static_cast<Eigen::Index>(chosen.size()) == d) {
      Eigen::VectorXd w(d);
      if (d > 0) {
        const auto solved = solve_extended(A_(chosen, Eigen::all), b_(chosen), 1e-9L);
        if (!solved) return;
        w = *solved;
      }
      const double size = 1.0 + (d > 0 ? w.cwiseAbs().maxCoeff() : 0.0);
      if (b_.size() == 0 || (b_ - A_ * w).minCoeff() >= -1e-12 * size) vertices_.push_back(w);
      return;
    }
    for (Eigen::Index i = first; i < A_.rows(); ++i) {
      std::vector<int> next = chosen;
      next.push_back(static_cast<int>(i));
      choose(i + 1, next);
    }
  }

  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  std::vector<Eigen::VectorXd> vertices_;
};

/// A mode of unilateral contacts in the plane that are at rest, written in accelerations, normal forces and friction.
struct ExactMode {
  std::vector<ContactMode> contacts;
  Eigen::VectorXd motion_lower, motion_upper, lower, upper;  // +-inf where there is no bound
};

/// Every mode in which what opens and what begins to slide can do so strictly, with the bounds of its closure.
inline std::vector<ExactMode> exact_modes(const AccelerationProblem& problem) {
  const Eigen::Index n = problem.n();
  const ForceLayout layout(problem);
  const Eigen::MatrixXd D = force_directions(problem);
  const Eigen::VectorXd drift = force_drifts(problem);
  const Eigen::Index N = n + D.cols();
  std::vector<std::vector<ContactMode>> possible;
  for (const ContactRows& contact : problem.unilateral) {
    if (contact.tangent_count() == 0)
      possible.push_back({ContactMode::kClosed, ContactMode::kOpen});
    else
      possible.push_back({ContactMode::kStick, ContactMode::kSlideForward, ContactMode::kSlideBackward, ContactMode::kOpen});
  }
  std::vector<ExactMode> found;
  std::vector<size_t> at(possible.size());
  for (bool more = true; more;) {
    ExactMode mode;
    std::vector<Eigen::VectorXd> equal, weak, strict;
    std::vector<double> equal_to, weak_to, strict_to;  // row x = , >=, > value
    const auto unit = [&](Eigen::Index component) -> Eigen::VectorXd { return Eigen::VectorXd::Unit(N, n + component); };
    const auto acceleration = [&](Eigen::Index component) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(N);
      row.head(n) = D.col(component);
      return row;
    };
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::VectorXd row(N);
      row << problem.M.row(i).transpose(), -D.row(i).transpose();
      equal.push_back(row);
      equal_to.push_back(-problem.F[i]);
    }
    const auto add = [](auto& rows, auto& values, const Eigen::VectorXd& row, double value) {
      rows.push_back(row);
      values.push_back(value);
    };
    for (size_t c = 0; c < possible.size(); ++c) {
      const ContactMode what = possible[c][at[c]];
      mode.contacts.push_back(what);
      const Eigen::Index k = layout.unilateral[c];
      const bool rubs = problem.unilateral[c].tangent_count() > 0;
      const double mu = rubs ? *problem.unilateral[c].mu : 0.0;
      if (what == ContactMode::kOpen) {
        add(equal, equal_to, unit(k), 0.0);
        if (rubs) add(equal, equal_to, unit(k + 1), 0.0);
        add(strict, strict_to, acceleration(k), -drift[k]);
        continue;
      }
      add(equal, equal_to, acceleration(k), -drift[k]);
      add(weak, weak_to, unit(k), 0.0);
      if (!rubs) continue;
      if (what == ContactMode::kStick) {
        add(equal, equal_to, acceleration(k + 1), -drift[k + 1]);
        add(weak, weak_to, mu * unit(k) - unit(k + 1), 0.0);
        add(weak, weak_to, mu * unit(k) + unit(k + 1), 0.0);
      } else {
        const double sign = what == ContactMode::kSlideForward ? 1.0 : -1.0;
        add(equal, equal_to, unit(k + 1) + sign * mu * unit(k), 0.0);
        add(strict, strict_to, sign * acceleration(k + 1), -sign * drift[k + 1]);
      }
    }
    for (size_t j = 0; j < problem.bilateral.size(); ++j)
      add(equal, equal_to, acceleration(layout.bilateral[j]), -drift[layout.bilateral[j]]);

    const auto stacked = [N](const std::vector<Eigen::VectorXd>& rows) {
      Eigen::MatrixXd A(static_cast<Eigen::Index>(rows.size()), N);
      for (size_t i = 0; i < rows.size(); ++i) A.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
      return A;
    };
    const auto values = [](const std::vector<double>& list) -> Eigen::VectorXd {
      return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
    };
    const Eigen::MatrixXd E = stacked(equal);
    const Eigen::VectorXd e = values(equal_to), x0 = solve_by_pivots(E, e);
    if ((E * x0 - e).cwiseAbs().maxCoeff() <= 1e-10) {
      Eigen::MatrixXd Z = dimension_of_kernel(E, 1e-11) > 0 ? kernel(E, 1e-11) : Eigen::MatrixXd(N, 0);
      for (Eigen::Index j = 0; j < Z.cols(); ++j) Z.col(j) /= Z.col(j).cwiseAbs().maxCoeff();
      const Eigen::MatrixXd W = stacked(weak), S = stacked(strict);
      // t <= strict rows, t <= 1
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(W.rows() + S.rows() + 1, Z.cols() + 1);
      Eigen::VectorXd b(A.rows());
      A.topLeftCorner(W.rows(), Z.cols()) = -W * Z;
      A.block(W.rows(), 0, S.rows(), Z.cols()) = -S * Z;
      A.col(Z.cols()).tail(S.rows() + 1).setOnes();
      b << W * x0 - values(weak_to), S * x0 - values(strict_to), 1.0;
      double room = -1.0;
      const VertexEnumeration rooms(A, b);
      for (const Eigen::VectorXd& w : rooms.vertices()) room = std::max(room, w[Z.cols()]);
      if (room > 1e-7) {
        const Eigen::Index rows = W.rows() + S.rows();
        Eigen::VectorXd low = Eigen::VectorXd::Constant(N, std::numeric_limits<double>::infinity()), high = -low;
        const VertexEnumeration closure(A.topLeftCorner(rows, Z.cols()), b.head(rows));
        for (const Eigen::VectorXd& w : closure.vertices()) {
          const Eigen::VectorXd x = x0 + Z * w;
          low = low.cwiseMin(x);
          high = high.cwiseMax(x);
        }
        for (Eigen::Index i = 0; i < N; ++i) {
          if (low[i] < -1e-4 * VertexEnumeration::kBox) low[i] = -std::numeric_limits<double>::infinity();
          if (high[i] > 1e-4 * VertexEnumeration::kBox) high[i] = std::numeric_limits<double>::infinity();
        }
        mode.motion_lower = low.head(n);
        mode.motion_upper = high.head(n);
        mode.lower = low.tail(N - n);
        mode.upper = high.tail(N - n);
        found.push_back(std::move(mode));
      }
    }
    size_t c = 0;
    while (c < at.size() && ++at[c] == possible[c].size()) at[c++] = 0;
    more = c < at.size();
  }
  return found;
}

}  // namespace tippe::test
