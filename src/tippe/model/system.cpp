// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/system.h"

#include <fmt/format.h>

#include <cmath>

#include "tippe/model/motion_series.h"
#include "tippe/model/tolerances.h"

namespace tippe {

std::unique_ptr<MotionSeries> System::make_series(int) const {
  return nullptr;
}

std::string System::law_name(const LawId& id) const {
  if (id.is_fixed()) return laws_[id.shape_b].name;
  return fmt::format("contact of {}.{} and {}.{}", id.shape_a, id.feature_a, id.shape_b, id.feature_b);
}

std::vector<std::string> input_names(const System& system) {
  std::vector<std::string> names;
  for (const int input : system.input_coordinates()) names.push_back(system.coordinate_names()[static_cast<size_t>(input)]);
  return names;
}

Eigen::VectorXd gaps_of(Evaluator& evaluator) {
  LawList laws;
  evaluator.find_laws(0.0, laws);
  return laws.gap;
}

std::string force_target(const System& system, int velocity) {
  const std::string& name = system.velocity_names()[static_cast<size_t>(velocity)];
  return name.back() == '\'' ? name.substr(0, name.size() - 1) : name;
}

std::string describe_direction(const System& system, const Eigen::VectorXd& direction) {
  constexpr int kMost = 12;
  std::string text;
  int named = 0;
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) < kNotNamed) continue;
    if (++named > kMost) return text + ", ...";
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", system.velocity_names()[static_cast<size_t>(i)],
                        direction[i]);
  }
  return text;
}

}  // namespace tippe
