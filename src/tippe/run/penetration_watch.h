// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "tippe/integrate/integrator.h"

namespace tippe {

/// How deep contacts were penetrated in a run, and whether the steps explain it: a contact that closes within a step sinks by at most the
/// way of that step and the next, and no scheme can do better that looks at gaps once a step. Ways are measured by gaps: a velocity that changes its sign
/// in every step goes nowhere, and explains nothing.
class PenetrationWatch {
 public:
  explicit PenetrationWatch(const System& system);

  /// At every state that is known, within steps too. Gaps: of each law of the system the smallest, infinity if none of its contacts is near.
  void look(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q);
  /// What the start has is not the scheme's fault.
  void start(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q);

  [[nodiscard]] double worst() const { return worst_law_ < 0 ? 0.0 : deepest_[worst_law_]; }
  [[nodiscard]] std::string worst_at() const;
  /// `steps`: how many steps a contact that is closed may go on sinking; `remedy`: what to change, for the end of the sentence.
  void warn(double steps, const std::string& remedy, std::vector<std::string>& warnings) const;

  /// Whether what visit() has read names a law of the system.
  [[nodiscard]] bool valid() const { return worst_law_ >= -1 && worst_law_ < static_cast<int>(deepest_.size()); }

  template <class Archive>
  void visit(Archive& archive) {
    archive("penetration.deepest", deepest_);
    archive("penetration.at_start", at_start_);
    archive("penetration.way", way_);
    archive("penetration.sinking", sinking_);
    archive("penetration.closing_way", closing_way_);
    archive("penetration.size", size_);
    archive("penetration.last", last_);
    archive("penetration.largest_q", largest_q_);
    archive("penetration.law", worst_law_);
  }

 private:
  const System& system_;
  Eigen::VectorXd deepest_, at_start_;  // m  of each law
  Eigen::VectorXd way_;                 // m  the largest of a step in which it closed and of the one after it,
  Eigen::VectorXd sinking_;             // m  and of another step in which it sank
  Eigen::VectorXd closing_way_;         // m  of the last step if it closed in that, else negative
  Eigen::VectorXd size_;                // m  the largest gap
  Eigen::VectorXd last_;                // m  the gap at the last look
  double largest_q_ = 0.0;
  int worst_law_ = -1;
};

}  // namespace tippe
