// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/ndarray.h>

#include <Eigen/Core>
#include <vector>

#include "bind.h"

namespace tippe::python {

/// Read-only numpy arrays of float64.
using Column = nb::ndarray<nb::numpy, const double, nb::ndim<1>, nb::c_contig>;
using Table = nb::ndarray<nb::numpy, const double, nb::ndim<2>, nb::c_contig>;

/// The numbers themselves, not a copy: `owner`, the Python object that holds them, lives as long as the array. They must not
/// change or move.
[[nodiscard]] inline Column view(const std::vector<double>& values, nb::handle owner) {
  static constexpr double kNothing = 0.0;  // an array of length 0 needs an address too
  return Column(values.empty() ? &kNothing : values.data(), {values.size()}, owner);
}
/// The same for a table, row by row.
[[nodiscard]] inline Table view(const std::vector<double>& values, size_t rows, size_t columns, nb::handle owner) {
  static constexpr double kNothing = 0.0;
  return Table(values.empty() ? &kNothing : values.data(), {rows, columns}, owner);
}

/// A copy that nobody can write to, for numbers that go on changing here.
[[nodiscard]] inline Column frozen_copy(const Eigen::VectorXd& values) {
  auto* copy = new Eigen::VectorXd(values);
  const nb::capsule owner(copy, [](void* data) noexcept { delete static_cast<Eigen::VectorXd*>(data); });
  static constexpr double kNothing = 0.0;
  return Column(copy->size() == 0 ? &kNothing : copy->data(), {static_cast<size_t>(copy->size())}, owner);
}

/// A table that owns its numbers, row by row.
[[nodiscard]] inline Table owning(std::vector<double> values, size_t columns) {
  auto* held = new std::vector<double>(std::move(values));
  const nb::capsule owner(held, [](void* data) noexcept { delete static_cast<std::vector<double>*>(data); });
  return view(*held, columns == 0 ? 0 : held->size() / columns, columns, owner);
}

}  // namespace tippe::python
