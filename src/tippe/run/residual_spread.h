// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tippe {

/// How the residuals of the steps of a run are spread: counted in classes of a tenth of a decade, so that memory does not grow with the run.
class ResidualSpread {
 public:
  void add(double residual) {
    ++counts_[class_of(residual)];
    ++steps_;
  }
  /// What the share `part` of the steps, 0 < part <= 1, stays below, to a quarter; 0 without steps, or if these left none.
  [[nodiscard]] double quantile(double part) const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(part * static_cast<double>(steps_)));
    std::int64_t seen = 0;
    for (size_t k = 0; k < counts_.size(); ++k) {
      seen += counts_[k];
      if (seen >= wanted && wanted > 0)
        return k == 0 ? 0.0 : std::pow(10.0, kFirstDecade + static_cast<double>(k) / kClasses);
    }
    return 0.0;
  }

  template <class Archive>
  void visit(Archive& archive) {
    archive("residual_steps", steps_);
    archive("residual_counts", counts_);
  }

 private:
  static constexpr int kFirstDecade = -18, kDecades = 20, kClasses = 10;
  static size_t class_of(double residual) {
    if (!(residual > 0.0)) return 0;
    const double place = std::ceil((std::log10(residual) - kFirstDecade) * kClasses);
    return static_cast<size_t>(std::clamp(place, 0.0, static_cast<double>(kDecades * kClasses)));
  }
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(kDecades * kClasses + 1);
};

}  // namespace tippe
