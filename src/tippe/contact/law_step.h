// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/core/kept_vector.h"
#include "tippe/model/law_list.h"

namespace tippe {

/// What the laws did in a step, in the order of the list of laws that the step found. Rows of all laws stand one after another, active or
/// not.
struct LawStep {
  std::vector<LawId> id;       // ascending
  std::vector<int> law;        // what each obeys, in System::laws()
  std::vector<int> first_row;  // of each law
  KeptVector impulse;          // N s  Lambda of the step, all rows; zero where a law was not active
  KeptVector impact;           // N s  of it, what impacts before the motion took: by laws that do not go into the motion
  KeptVector acted;            // 1    whether the law acted; of a step in parts, in how many
  int impacts = 0;             // before the motion, one after the other at one instant
  KeptVector closing_speed;    // m/s  -gamma_N at the beginning of the step, per law; zero where not active
  KeptVector lost;             // J    the same per law
  KeptVector speed_scale;      // (m/s)/sqrt(J)  sqrt(2 G_NN): the largest closing speed that 1 J can give, per law
  std::vector<char> anew;      // whether a law carried an impulse now, and none in the steps that LawMemory knows
  bool fixed = false;          // the list is one of fixed laws

  LawStep() = default;
  /// Of fixed laws.
  explicit LawStep(const std::vector<ForceLaw>& laws);
  [[nodiscard]] int size() const { return static_cast<int>(id.size()); }
  /// For the laws of a list: all numbers zero. `laws`: of the system.
  void begin(const LawList& list, const std::vector<ForceLaw>& laws);
  void clear();
  /// Rows of a law.
  [[nodiscard]] int rows(int k) const {
    const auto next = static_cast<size_t>(k) + 1;
    return (next < first_row.size() ? first_row[next] : static_cast<int>(impulse.size())) - first_row[next - 1];
  }
  /// Adds a step before this one, law by law: the two are parts of one step.
  void add_before(const LawStep& first);

 private:
  void make_room(int rows);
  void add_laws_of(const LawStep& part);
};

}  // namespace tippe
