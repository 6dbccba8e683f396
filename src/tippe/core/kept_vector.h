// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <new>
#include <vector>

namespace tippe {

/// A vector that keeps its memory when it shrinks; Eigen's own gives it back at every change of size, so that a step with another
/// number of contacts would allocate. In expressions it is an Eigen vector like any other.
class KeptVector : public Eigen::Map<Eigen::VectorXd> {
  using View = Eigen::Map<Eigen::VectorXd>;

 public:
  KeptVector() : View(nullptr, 0) {}
  KeptVector(const KeptVector& other) : View(nullptr, 0) { *this = other; }
  template <class Derived>
  KeptVector(const Eigen::MatrixBase<Derived>& values) : View(nullptr, 0) {  // NOLINT: converts on purpose
    *this = values;
  }
  KeptVector& operator=(const KeptVector& other) {
    resize(other.size());
    View::operator=(static_cast<const View&>(other));
    return *this;
  }
  template <class Derived>
  KeptVector& operator=(const Eigen::MatrixBase<Derived>& values) {
    resize(values.size());
    View::operator=(values);
    return *this;
  }

  /// Contents are unspecified after a change of size.
  void resize(Eigen::Index size) {
    if (size > static_cast<Eigen::Index>(storage_.size())) storage_.resize(static_cast<size_t>(size));
    new (static_cast<View*>(this)) View(storage_.data(), size);  // the documented way to move a Map
  }
  using View::setZero;
  KeptVector& setZero(Eigen::Index size) {
    resize(size);
    View::setZero();
    return *this;
  }

 private:
  std::vector<double> storage_;
};

}  // namespace tippe
