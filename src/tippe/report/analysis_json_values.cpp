// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_json_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tippe/report/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

Json known_number(double value) {
  return std::isnan(value) ? Json() : number(value);
}

Json known_numbers(const VectorXd& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(known_number(value));
  return array;
}

Json numbers_or_null(const VectorXd& values) {
  return values.size() == 0 ? Json() : known_numbers(values);
}

Json rows_or_null(const MatrixXd& matrix, const Names& names) {
  return matrix.rows() != static_cast<Eigen::Index>(names.size()) ? Json() : columns(matrix.transpose());
}

Json columns(const MatrixXd& matrix) {
  Json array = Json::array();
  for (Eigen::Index k = 0; k < matrix.cols(); ++k) array.push_back(known_numbers(matrix.col(k)));
  return array;
}

Json named(const Names& names, const VectorXd& values) {
  if (values.size() == 0 && !names.empty()) return nullptr;
  if (values.size() != static_cast<Eigen::Index>(names.size())) return known_numbers(values);
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i) object[names[i]] = known_number(values[static_cast<Eigen::Index>(i)]);
  return object;
}

Json sparse_columns(const Names& names, const MatrixXd& matrix) {
  Json array = Json::array();
  for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
    Json object = Json::object();
    const double size = matrix.col(k).cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (std::abs(matrix(i, k)) > kLeftOut * size) object[names[static_cast<size_t>(i)]] = known_number(matrix(i, k));
    }
    array.push_back(object);
  }
  return array;
}

Json intervals(const Names& names, const VectorXd& lower, const VectorXd& upper) {
  if (lower.size() != static_cast<Eigen::Index>(names.size())) return nullptr;
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    object[names[i]] = {known_number(lower[k]), known_number(upper[k])};
  }
  return object;
}

Json verdict(const Verdict& found) {
  return {{"verdict", name_of(found.answer)}, {"margin", found.margin ? known_number(*found.margin) : Json()}};
}

}  // namespace tippe
