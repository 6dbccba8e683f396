// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <compare>
#include <cstdint>
#include <vector>

#include "tippe/core/kept_vector.h"
#include "tippe/model/force_law.h"

namespace tippe {

/// The identity of a law, which persists while the law is in the list and when it comes back: two shapes and a feature of each. Laws that
/// are there at every state have {0, number, 0, 0}, the number in System::laws(). It is no hash: two laws that were taken for one would
/// exchange their impulses.
struct LawId {
  std::uint32_t shape_a = 0, shape_b = 0, feature_a = 0, feature_b = 0;

  [[nodiscard]] static constexpr LawId fixed(int number) { return {0, static_cast<std::uint32_t>(number), 0, 0}; }
  [[nodiscard]] constexpr bool is_fixed() const { return shape_a == 0; }
  /// The rolling resistance of a contact that was found is a law of its own, after all contacts.
  [[nodiscard]] constexpr bool rolls() const { return (shape_a & kRolls) != 0; }
  [[nodiscard]] constexpr LawId rolling() const { return {shape_a | kRolls, shape_b, feature_a, feature_b}; }
  [[nodiscard]] constexpr LawId contact() const { return {shape_a & ~kRolls, shape_b, feature_a, feature_b}; }
  auto operator<=>(const LawId&) const = default;

 private:
  static constexpr std::uint32_t kRolls = 1U << 31;  // of shape_a: shapes are fewer
};

/// Where a contact that was found acts, and which way: its rows are along the normal, the tangent and normal x tangent.
struct ContactPlace {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  // m
  Eigen::Vector3d normal =
      Eigen::Vector3d::Zero();  // 1  from its second shape to the first; zero: the rows are no directions in space
  Eigen::Vector3d tangent = Eigen::Vector3d::Zero();  // 1
  double half_size = 0.0;  // m  of the smaller one of the two shapes, half of the shortest way through it

  [[nodiscard]] bool is_known() const { return !normal.isZero(0.0); }
  /// Of rows along the normal and two tangents.
  [[nodiscard]] Eigen::Vector3d in_space(double along_normal, double along_tangent, double along_third) const {
    return along_normal * normal + along_tangent * tangent + along_third * normal.cross(tangent);
  }
  bool operator==(const ContactPlace&) const = default;
};

/// The laws of one state, their ids ascending. Those of a system of expressions are the same at every state: position k is law k.
struct LawList {
  std::vector<LawId> id;
  std::vector<int> law;  // what each obeys: a number in System::laws(), which several may share
  KeptVector gap;        // m  of contacts; 0 for others
  std::vector<ContactPlace>
      place;           // of contacts that were found and their rolling, one for each law; empty where no law was found
  bool fixed = false;  // these are all laws of a system that has the same at every state: nobody needs to look at their ids

  [[nodiscard]] int size() const { return static_cast<int>(id.size()); }
  void clear() {
    id.clear();
    law.clear();
    place.clear();
    fixed = false;
  }
  void push(const LawId& new_id, int new_law) {
    id.push_back(new_id);
    law.push_back(new_law);
    fixed = false;
  }
};

/// The list of a system whose laws are there at every state, with gaps zero.
[[nodiscard]] inline LawList list_of_fixed_laws(const std::vector<ForceLaw>& laws) {
  LawList list;
  for (int k = 0; k < static_cast<int>(laws.size()); ++k) list.push(LawId::fixed(k), k);
  list.gap.setZero(list.size());
  list.fixed = true;
  return list;
}

}  // namespace tippe
