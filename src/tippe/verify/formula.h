// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <utility>
#include <vector>

#include "tippe/expr/graph.h"

namespace tippe::verify {

/// 64 bits of mantissa where the machine has them: the judge's round-off is far below that of what it judges.
using Real = long double;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
/// Of systems of many bodies nearly all entries are zero.
using SparseMatrix = Eigen::SparseMatrix<Real>;
using SparseVector = Eigen::SparseVector<Real>;

/// One expression as it was read, with derivatives of its own: a walk over its nodes forwards, then backwards with the derivative of every
/// operation (adjoints), in numbers that carry a derivative along a direction. It shares nothing with the derivatives of ExprGraph, nor with
/// the programs that are compiled from them.
class Formula {
 public:
  /// Zero.
  Formula() = default;
  explicit Formula(Expr y);

  [[nodiscard]] bool is_zero() const { return steps_.empty(); }
  /// Whether it contains one of the inputs first .. last - 1.
  [[nodiscard]] bool contains(int first, int last) const;
  [[nodiscard]] Real value(const Vector& inputs) const;
  /// What its round-off is relative to: the largest of all intermediate values, each times dy/d(it). Zero where y is.
  [[nodiscard]] Real size(const Vector& inputs) const;
  /// dy/dx of all inputs x: g, sized by the caller.
  void gradient(const Vector& inputs, Vector& g) const;
  /// The same of the inputs that are in it alone.
  [[nodiscard]] std::vector<std::pair<int, Real>> slopes(const Vector& inputs) const;
  /// The same, and its derivative along a direction of the inputs.
  void gradient(const Vector& inputs, const Vector& direction, Vector& g, Vector& change) const;
  /// d2y/dx dx', entry by entry; entries of one place add up.
  [[nodiscard]] std::vector<Eigen::Triplet<Real>> second_slopes(const Vector& inputs) const;
  /// Formulas that add up to this one, each as small as it is written: of the energy of many bodies one for each.
  [[nodiscard]] static std::vector<Formula> terms_of(Expr y);

 private:
  struct Step {
    Op op;
    int a, b, c;  // operands: places in steps_; of an input, a is its number
    Real value;   // of a constant
  };
  template <class Number>
  void walk(const Vector& inputs, const Vector* direction, std::vector<Number>& values) const;
  template <class Number>
  void walk_back(const std::vector<Number>& values, std::vector<Number>& adjoints) const;
  std::vector<Step> steps_;
};

}  // namespace tippe::verify
