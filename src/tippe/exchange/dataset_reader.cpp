// SPDX-License-Identifier: Apache-2.0
#include "tippe/exchange/dataset_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tippe/core/error.h"

namespace tippe {
namespace {

constexpr long long kLargestInt = std::numeric_limits<int>::max();

}  // namespace

void DatasetReader::refuse(const std::string& dataset, const std::string& what) const {
  throw InputError({file_.name(), 0, 0}, fmt::format("{}: {}", dataset, what));
}

int DatasetReader::length(const std::string& name) const {
  if (!has(name)) refuse(name, "is missing");
  const Hdf5Extent extent = file_.extent(name);
  if (extent.size.size() > 1) refuse(name, fmt::format("has {} dimensions; it must be a list", extent.size.size()));
  if (extent.count > kLargestInt) refuse(name, "has too many entries");
  return static_cast<int>(extent.count);
}

void DatasetReader::require_length(const std::string& name, long long expected, const std::string& meaning) const {
  if (const int found = length(name); found != expected)
    refuse(name, fmt::format("has {} entries; it must have {}, {}", found, expected, meaning));
}

int DatasetReader::integer(const std::string& name) const {
  require_length(name, 1, "a single number");
  return integers(name)[0];
}

std::vector<int> DatasetReader::integers(const std::string& name) const {
  (void)length(name);
  if (!file_.extent(name).integers) refuse(name, "must consist of integers");
  const std::vector<std::int64_t> wide = file_.read_integers(name);
  std::vector<int> values(wide.size());
  for (size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] > kLargestInt || wide[k] < -kLargestInt) refuse(name, fmt::format("entry {} is {}: too large", k, wide[k]));
    values[k] = static_cast<int>(wide[k]);
  }
  return values;
}

Eigen::VectorXd DatasetReader::vector(const std::string& name) const {
  const Eigen::VectorXd values = vector_with_infinities(name);
  check_entries(
      name, values, [](double value) { return std::isfinite(value); }, "it must be finite");
  return values;
}

Eigen::VectorXd DatasetReader::vector_with_infinities(const std::string& name) const {
  (void)length(name);
  const std::vector<double> values = file_.read_table(name);
  const Eigen::Map<const Eigen::VectorXd> view(values.data(), static_cast<Eigen::Index>(values.size()));
  check_entries(
      name, view, [](double value) { return !std::isnan(value); }, "it must be a number");
  return view;
}

Eigen::MatrixXd DatasetReader::matrix(const std::string& name) const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (!has(name)) refuse(name, "is missing");
  const Hdf5Extent extent = file_.extent(name);
  if (extent.count == 0) return {};
  if (extent.size.size() != 2) refuse(name, fmt::format("has {} dimensions; it must be a matrix", extent.size.size()));
  const std::vector<double> values = file_.read_table(name);
  const auto rows = static_cast<Eigen::Index>(extent.size[0]), columns = static_cast<Eigen::Index>(extent.size[1]);
  for (size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      refuse(name,
             fmt::format("entry ({}, {}) is {}; it must be finite", k / extent.size[1], k % extent.size[1], values[k]));
    }
  }
  return Eigen::Map<const RowMajor>(values.data(), rows, columns);
}

void DatasetReader::check_entries(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& values,
                                  const std::function<bool(double)>& fine, const std::string& rule) const {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!fine(values[k])) refuse(name, fmt::format("entry {} is {}; {}", k, values[k], rule));
  }
}

void DatasetReader::check_entries(const std::string& name, const std::vector<int>& values,
                                  const std::function<bool(int)>& fine, const std::string& rule) const {
  for (size_t k = 0; k < values.size(); ++k) {
    if (!fine(values[k])) refuse(name, fmt::format("entry {} is {}; {}", k, values[k], rule));
  }
}

}  // namespace tippe
