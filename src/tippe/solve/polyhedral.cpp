// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/polyhedral.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

/// r = offset + E x, with the variables x of the MLCP, free ones first.
struct Variables {
  int free = 0, all = 0;
  Eigen::VectorXd offset;
  Eigen::MatrixXd E;
};

/// Calls visit(block, first variable); each kind of block has a fixed number of variables.
template <class Visit>
void for_each_block(const NormalForm& form, Visit&& visit) {
  int next_free = 0, next = 0;
  for (const NormalForm::Block& block : form.blocks) {
    const bool free = block.kind == NormalForm::Kind::kLine && std::isinf(block.lower) && std::isinf(block.upper);
    if (free) ++next;
  }
  for (const NormalForm::Block& block : form.blocks) {
    if (block.kind == NormalForm::Kind::kCone) {
      visit(block, next, 4);
      next += 4;
    } else if (std::isinf(block.lower) && std::isinf(block.upper)) {
      visit(block, next_free++, 0);
    } else {
      const int count = std::isinf(block.lower) || std::isinf(block.upper) ? 1 : 2;
      visit(block, next, count);
      next += count;
    }
  }
}

Variables make_variables(const NormalForm& form) {
  Variables variables;
  for_each_block(form, [&](const NormalForm::Block&, int first, int count) {
    if (count == 0) ++variables.free;
    variables.all = std::max(variables.all, first + std::max(count, 1));
  });
  variables.offset.setZero(form.rows());
  variables.E.setZero(form.rows(), variables.all);
  for_each_block(form, [&](const NormalForm::Block& block, int first, int count) {
    const int row = block.row;
    if (count == 4) {
      variables.E(row, first) = variables.E(row + 1, first + 1) = 1.0;
      variables.E(row + 1, first + 2) = -1.0;
    } else if (std::isinf(block.lower) && count == 1) {
      variables.offset[row] = block.upper;
      variables.E(row, first) = -1.0;
    } else {
      variables.offset[row] = count == 0 ? 0.0 : block.lower;
      variables.E(row, first) = 1.0;
    }
  });
  return variables;
}

}  // namespace

bool is_polyhedral(const NormalForm& form) {
  return std::all_of(form.blocks.begin(), form.blocks.end(), [](const NormalForm::Block& block) {
    return block.kind == NormalForm::Kind::kLine || (block.kind == NormalForm::Kind::kCone && block.size == 2);
  });
}

MlcpProblem as_mlcp(const NormalForm& form) {
  const Variables variables = make_variables(form);
  const int all = variables.all, free = variables.free;
  // u = W r + q for the offset and for each variable.
  Eigen::MatrixXd WE(form.rows(), all);
  KeptVector r, u, kinetic;
  r = variables.offset;
  form.evaluate_velocity(r, u, kinetic);
  const Eigen::VectorXd u_0 = u;
  for (int k = 0; k < all; ++k) {
    r = variables.E.col(k);
    form.evaluate_velocity(r, u, kinetic);
    WE.col(k) = u - form.q;
  }
  // Equations by rows, in the order of the variables.
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(all, all);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(all);
  const auto put_velocity = [&](int equation, int row, double sign) {
    M.row(equation) = sign * WE.row(row);
    c[equation] = sign * u_0[row];
  };
  for_each_block(form, [&](const NormalForm::Block& block, int first, int count) {
    const bool mirrored = count == 1 && std::isinf(block.lower);
    put_velocity(first, block.row, mirrored ? -1.0 : 1.0);
    if (count == 2) {
      M(first, first + 1) += 1.0;
      M(first + 1, first) = -1.0;
      c[first + 1] = block.upper - block.lower;
    } else if (count == 4) {
      put_velocity(first + 1, block.row + 1, 1.0);
      put_velocity(first + 2, block.row + 1, -1.0);
      M(first + 1, first + 3) += 1.0;
      M(first + 2, first + 3) += 1.0;
      M(first + 3, first) = block.mu;
      M(first + 3, first + 1) = M(first + 3, first + 2) = -1.0;
    }
  });
  const int rest = all - free;
  return {M.topLeftCorner(free, free),
          M.bottomRightCorner(rest, rest),
          M.topRightCorner(free, rest),
          M.bottomLeftCorner(rest, free),
          c.head(free),
          c.tail(rest)};
}

void from_mlcp(const NormalForm& form, const Eigen::VectorXd& solution, KeptVector& r) {
  const Variables variables = make_variables(form);
  r = variables.offset + variables.E * solution;
}

}  // namespace tippe
