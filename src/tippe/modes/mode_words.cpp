// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/mode_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

using Eigen::Index;
using Status = ModeJudgement::Status;
using What = ModeCondition::What;

std::string reason_of(const ModeJudgement& judgement, size_t i, const ContactModes& modes, const std::string& name,
                      const ModeUnits& units) {
  const ModeCondition& condition = judgement.equations.conditions[i];
  const Index first = modes.first_component(static_cast<size_t>(condition.contact));
  const Index friction = modes.friction_component(static_cast<size_t>(condition.contact));
  const double slack = judgement.slack[static_cast<Index>(i)];
  const bool zero = std::abs(slack) <= 2.0 * mode_tolerance(judgement.terms[static_cast<Index>(i)]);
  switch (condition.what) {
    case What::kPushes:
      return fmt::format("the {} of '{}' would be {:.6g} {}", units.force, name, slack * modes.force_unit(first),
                         units.force_unit);
    case What::kOpens:
      if (judgement.by_force[i])
        return fmt::format("if '{}' were closed, its {} would be {:.6g} {}", name, units.force,
                           zero ? 0.0 : -slack * modes.force_unit(first), units.force_unit);
      if (zero) return fmt::format("'{}' would stay closed", name);
      return fmt::format("'{}' would close with {:.6g} {}", name, -slack * modes.acceleration_unit(first),
                         units.motion_unit);
    case What::kReserve:
    case What::kReserveBack: {
      // slack = limit - |friction|, and terms = limit + |friction|
      const double terms = judgement.terms[static_cast<Index>(i)];
      const double limit = 0.5 * (terms + slack), needed = 0.5 * (terms - slack);
      if (!(limit > mode_tolerance(terms)))
        return fmt::format("'{}' would need friction without a normal {}", name, units.force);
      return fmt::format("'{}' would need friction {:.6g} times its limit", name, needed / limit);
    }
    case What::kSlides:
      if (judgement.by_force[i]) return fmt::format("'{}' would have friction enough to stick", name);
      if (zero) return fmt::format("'{}' would not slide", name);
      return fmt::format("sliding of '{}' would be backward, with {:.6g} {}", name,
                         -slack * modes.acceleration_unit(friction), units.motion_unit);
  }
  return {};
}

}  // namespace

std::vector<std::string> reasons_against(const ModeJudgement& judgement, const ContactModes& modes,
                                         const std::vector<std::string>& names, const ModeUnits& units) {
  if (judgement.status == Status::kContradiction) return {fmt::format("no {} hold it", units.forces)};
  if (judgement.status == Status::kUndecided) return {"it could not be decided numerically"};
  std::vector<std::string> reasons;
  std::vector<int> pulling;  // their friction needs no further word
  for (const size_t i : judgement.failed) {
    const ModeCondition& condition = judgement.equations.conditions[i];
    const bool reserve = condition.what == What::kReserve || condition.what == What::kReserveBack;
    if (reserve && std::find(pulling.begin(), pulling.end(), condition.contact) != pulling.end()) continue;
    if (condition.what == What::kPushes) pulling.push_back(condition.contact);
    reasons.push_back(reason_of(judgement, i, modes, names[static_cast<size_t>(condition.contact)], units));
  }
  return reasons;
}

}  // namespace tippe
