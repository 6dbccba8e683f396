// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "tippe/shape/feature.h"
#include "tippe/shape/found_contact.h"

namespace tippe {

/// Takes down the contacts of one pair of shapes, called first and second, whichever of them is a. Places are relative to `origin`.
class ContactWriter {
 public:
  ContactWriter(std::vector<FoundContact>& contacts, const FoundContact& names, const Eigen::Vector3d& origin, double reach,
                bool swapped)
      : contacts_(contacts), names_(names), origin_(origin), reach_(reach), begin_(contacts.size()), swapped_(swapped) {}

  /// One side of a contact.
  struct Side {
    std::uint32_t feature = feature::kWhole;
    double radius = 0.0;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  };

  /// With the normal from second to first and a point on the surface of the first; that of the second is `gap` below it. `kind` is of first
  /// on second. Nothing is written beyond the reach.
  void add(double gap, const Eigen::Vector3d& normal, const Eigen::Vector3d& point, PairKind kind, const Side& first,
           const Side& second) {
    if (!(gap <= reach_)) return;
    contacts_.push_back(names_);
    FoundContact& contact = contacts_.back();
    const Eigen::Vector3d here = origin_ + point, there = origin_ + (point - gap * normal);
    contact.gap = gap;
    contact.normal = swapped_ ? Eigen::Vector3d(-normal) : normal;
    contact.point_a = swapped_ ? there : here;
    contact.point_b = swapped_ ? here : there;
    contact.kind = swapped_ ? turned(kind) : kind;
    contact.at = origin_ + (point - 0.5 * gap * normal);
    set(first, swapped_, contact);
    set(second, !swapped_, contact);
  }

  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] bool empty() const { return contacts_.size() == begin_; }
  [[nodiscard]] double lowest_gap() const {
    double lowest = std::numeric_limits<double>::infinity();
    for (size_t k = begin_; k < contacts_.size(); ++k) lowest = std::min(lowest, contacts_[k].gap);
    return lowest;
  }
  void forget() { contacts_.resize(begin_); }
  /// Brings what was written into the order of the features.
  void sort() {
    std::sort(contacts_.begin() + static_cast<std::ptrdiff_t>(begin_), contacts_.end(),
              [](const FoundContact& one, const FoundContact& other) {
                return one.feature_a != other.feature_a ? one.feature_a < other.feature_a : one.feature_b < other.feature_b;
              });
  }

 private:
  static void set(const Side& side, bool is_b, FoundContact& contact) {
    (is_b ? contact.feature_b : contact.feature_a) = side.feature;
    (is_b ? contact.radius_b : contact.radius_a) = side.radius;
    (is_b ? contact.direction_b : contact.direction_a) = side.direction;
  }
  static PairKind turned(PairKind kind) {
    switch (kind) {
      case PairKind::kPointPlane:
        return PairKind::kPlanePoint;
      case PairKind::kPlanePoint:
        return PairKind::kPointPlane;
      case PairKind::kPointLine:
        return PairKind::kLinePoint;
      case PairKind::kLinePoint:
        return PairKind::kPointLine;
      case PairKind::kRimPlane:
        return PairKind::kPlaneRim;
      case PairKind::kPlaneRim:
        return PairKind::kRimPlane;
      case PairKind::kPointPoint:
      case PairKind::kLineLine:
        break;
    }
    return kind;
  }

  std::vector<FoundContact>& contacts_;
  const FoundContact& names_;
  const Eigen::Vector3d& origin_;
  double reach_;
  size_t begin_;
  bool swapped_;
};

}  // namespace tippe
