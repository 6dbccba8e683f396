// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/contact/state_sizes.h"
#include "tippe/integrate/instant_of_system.h"

namespace tippe {

/// Some of the velocities of a system, in their order.
class VelocityScope {
 public:
  /// All of them.
  explicit VelocityScope(int count) : velocities_(static_cast<size_t>(count)), place_(velocities_.size()) {
    std::iota(velocities_.begin(), velocities_.end(), 0);
    place_ = velocities_;
  }
  VelocityScope(int count, const std::vector<char>& chosen) : place_(static_cast<size_t>(count), -1) {
    for (int j = 0; j < count; ++j) {
      if (chosen[static_cast<size_t>(j)] == 0) continue;
      place_[static_cast<size_t>(j)] = size();
      velocities_.push_back(j);
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(velocities_.size()); }
  /// Of a velocity of the system, or -1.
  [[nodiscard]] int place(int velocity) const { return place_[static_cast<size_t>(velocity)]; }
  [[nodiscard]] Eigen::VectorXd part(const Eigen::VectorXd& whole) const {
    Eigen::VectorXd part(size());
    for (int k = 0; k < size(); ++k) part[k] = whole[velocities_[static_cast<size_t>(k)]];
    return part;
  }
  [[nodiscard]] std::vector<std::string> part(const std::vector<std::string>& whole) const {
    std::vector<std::string> part;
    for (const int velocity : velocities_) part.push_back(whole[static_cast<size_t>(velocity)]);
    return part;
  }

 private:
  std::vector<int> velocities_, place_;
};

/// What of a system with found contacts a question is about.
struct FoundScope {
  VelocityScope velocities;
  std::set<LawId> contacts;  // and laws that are there at every state
  Eigen::VectorXd load;      // N  on all velocities, of contacts that are left out
  std::vector<std::string> notes;
};

/// m  Contacts that rest in their band have gaps up to this.
[[nodiscard]] double reach_of_held_contacts(const System& system);

/// What closes a gap.
struct GapRule {
  const ContactTolerances& tolerances;
  const StateSizes& sizes;
};

/// As InstantOptions::around says. The evaluator is at the state.
[[nodiscard]] FoundScope scope_of_found_contacts(const System& system, const State& state, const InstantOptions& options,
                                                 const GapRule& rule, Evaluator& evaluator);

}  // namespace tippe
