// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/core/kept_vector.h"
#include "tippe/core/named_arrays.h"
#include "tippe/model/law_list.h"

namespace tippe {

/// What the laws did in a step, in the order of the list of laws that the step found. Rows of all laws stand one after another, active or
/// not.
struct LawStep {
  std::vector<LawId> id;            // ascending
  std::vector<int> law;             // what each obeys, in System::laws()
  std::vector<ContactPlace> place;  // of each, as the list had it; empty where that has none
  std::vector<double> gap;          // m    of each with a place; empty without
  std::vector<int> first_row;       // of each law
  KeptVector impulse;               // N s  Lambda of the step, all rows; zero where a law was not active
  KeptVector impact;         // N s  of it, what impacts before the motion took: by laws that do not go into the motion
  KeptVector acted;          // 1    whether the law acted; of a step in parts, in how many
  int impacts = 0;           // before the motion, one after the other at one instant
  KeptVector closing_speed;  // m/s  -gamma_N at the beginning of the step, per law; zero where not active
  KeptVector lost;           // J    the same per law
  KeptVector speed_scale;    // (m/s)/sqrt(J)  sqrt(2 G_NN): the largest closing speed that 1 J can give, per law
  std::vector<char> anew;    // whether a law carried an impulse now, and none in the steps that LawMemory knows
  bool fixed = false;        // the list is one of fixed laws

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

/// What a contact that was found did since the sample before.
struct ContactSample {
  LawId id;
  int law = 0;                                        // what it obeys, in System::laws()
  ContactPlace place;                                 // where the last step that it carried in found it, and
  double gap = 0.0;                                   // m    its gap there
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // N s  on its first shape, in space
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   // N m s  of its rolling resistance, likewise
};

/// The contacts that carried since the sample before, by ascending ids.
class ContactSamples {
 public:
  /// Those of a step, in which laws without a place are no contacts that were found.
  void add(const LawStep& step, const std::vector<ForceLaw>& laws);
  void clear() { contacts_.clear(); }
  [[nodiscard]] const std::vector<ContactSample>& contacts() const { return contacts_; }

  /// Names all members, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    GrowingArray numbers;
    flatten(numbers.values);
    archive("contacts.since", numbers);
    restore(numbers.values);
  }

 private:
  void flatten(std::vector<double>& numbers) const;
  /// Throws FileError for what flatten() did not write.
  void restore(const std::vector<double>& numbers);

  void add_rolling(const LawStep& step, size_t k, int rows);

  std::vector<ContactSample> contacts_, merged_;
};

}  // namespace tippe
