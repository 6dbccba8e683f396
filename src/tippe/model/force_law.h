// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "tippe/problem/impact_law.h"
#include "tippe/sets/contensou.h"

namespace tippe {

class Expr;
class ExprGraph;
class FrictionCurve;

/// Friction that falls with the slip: what slides with the speed v has a share of the coefficient, or of the limit, that it has at rest. The same
/// share at every speed, as of a static and a kinetic coefficient; or an expression whose input 0 is v >= 0.
[[nodiscard]] std::shared_ptr<const FrictionCurve> make_friction_curve(double share);
[[nodiscard]] std::shared_ptr<const FrictionCurve> make_friction_curve(std::shared_ptr<const ExprGraph> graph,
                                                                       const Expr& share);

/// A set-valued force law: which inclusion its impulses obey, and its impact law. Directions come from the
/// System.
struct ForceLaw {
  enum class Kind {
    kContact,      // unilateral contact: row 0 normal, rows 1 and 2 friction, row 3 drilling; acts while its gap is closed
    kOneWay,       // sprag clutch: velocity >= 0, always active
    kDryFriction,  // a force up to given limits against one velocity, two, or two and a spin, always active
  };
  static constexpr int kMostRows = 4;

  Kind kind = Kind::kContact;
  std::string name;
  std::string key;   // in a scene: "contact[0]"
  int rows = 1;      // 1, or 1 + number of friction directions; of dry friction the number of its velocities
  double mu1 = 0.0;  // 1   friction coefficients along the two directions
  double mu2 = 0.0;
  /// N  of dry friction, in the units that its velocities ask for. Of one velocity: the largest force against a positive one and against a
  /// negative one. Of two: semi-axes of the ellipse along them; with a spin they are equal.
  std::array<double, 2> limits{};
  /// Coulomb-Contensou friction: force and drilling moment share one set.
  struct Drilling {
    double Rbar = 0.0;  // m  mean drilling radius
    DrillingSet set = DrillingSet::kExact;
  };
  std::optional<Drilling> drilling;  // rows == 4, of dry friction 3
  /// Rolling resistance: dry friction against relative angular velocities whose limit in N m is `arm` (m) times the normal force of a contact.
  struct Rolling {
    int contact = 0;  // in System::laws(); of one that was found the law of LawId::contact()
    double arm = 0.0;
  };
  std::optional<Rolling> rolling;  // limits are then zero
  /// Friction that falls with the slip: mu1, mu2 and limits are then those at rest. Not with drilling. nullptr: it is the same.
  std::shared_ptr<const FrictionCurve> falling;
  /// Of mu1, mu2 and the limits: what it has while it slides so fast.
  [[nodiscard]] double share(double slip_speed) const;
  /// Of a slip that begins: of static and kinetic friction that of every slip.
  [[nodiscard]] double sliding_share() const { return falling ? share(0.0) : 1.0; }

  /// The largest force of a dry friction against a velocity of this sign.
  [[nodiscard]] double limit_against(double velocity) const { return limits[velocity < 0.0 ? 1 : 0]; }
  /// What bounds a force of this sign: a negative one acts against a positive velocity.
  [[nodiscard]] double limit_of_force(double force) const { return limits[force > 0.0 ? 1 : 0]; }
  /// The force in the middle between the two limits of a line friction, about which it is symmetric.
  [[nodiscard]] double middle_force() const { return 0.5 * (limits[1] - limits[0]); }
  /// Dry friction against one velocity alone.
  [[nodiscard]] bool is_line_friction() const { return kind == Kind::kDryFriction && rows == 1; }
  /// The first row of friction, and how many there are along directions: drilling is none.
  [[nodiscard]] int first_slip() const { return kind == Kind::kContact ? 1 : 0; }
  [[nodiscard]] int slips() const { return kind == Kind::kOneWay ? 0 : std::min(rows - first_slip(), 2); }

  /// A contact with friction along one direction at least.
  [[nodiscard]] bool has_friction() const {
    return kind == Kind::kContact && ((rows > 1 && mu1 > 0.0) || (rows > 2 && mu2 > 0.0));
  }

  /// The key of a row's expression below `key`: "gap", "slip", "slip[1]", "spin", "velocity" or "velocity[1]".
  [[nodiscard]] std::string row_key(int row) const {
    if (row == 2 && kind == Kind::kDryFriction) return "spin";
    if (kind != Kind::kContact) return rows == 1 ? "velocity" : "velocity[" + std::to_string(row) + "]";
    if (row == 0) return "gap";
    if (row == 3) return "spin";
    return rows == 2 ? "slip" : "slip[" + std::to_string(row - 1) + "]";
  }

  std::array<double, kMostRows> epsilon{};  // 1   restitution of each row, Newton's impact law
};

/// How a scene calls the kind.
[[nodiscard]] constexpr const char* name_of(ForceLaw::Kind kind) {
  switch (kind) {
    case ForceLaw::Kind::kContact:
      return "contact";
    case ForceLaw::Kind::kOneWay:
      return "one_way";
    case ForceLaw::Kind::kDryFriction:
      return "dry_friction";
  }
  return "";
}

}  // namespace tippe
