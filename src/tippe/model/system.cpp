// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/system.h"

#include <fmt/format.h>

#include <cmath>

namespace tippe {

std::string force_target(const System& system, int velocity) {
  const std::string& name = system.velocity_names()[static_cast<size_t>(velocity)];
  return name.back() == '\'' ? name.substr(0, name.size() - 1) : name;
}

std::string describe_direction(const System& system, const Eigen::VectorXd& direction) {
  constexpr double kMatters = 1e-9;
  constexpr int kMost = 12;
  std::string text;
  int named = 0;
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) < kMatters) continue;
    if (++named > kMost) return text + ", ...";
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", system.velocity_names()[static_cast<size_t>(i)],
                        direction[i]);
  }
  return text;
}

}  // namespace tippe
