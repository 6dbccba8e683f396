// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/force_parts.h"

namespace tippe {

std::vector<size_t> signed_contacts(const AccelerationProblem& problem) {
  std::vector<size_t> contacts;
  for (size_t i = 0; i < problem.bilateral.size(); ++i) {
    if (problem.bilateral[i].tangent_count() > 0 && problem.bilateral[i].mu.value_or(1.0) > 0.0) contacts.push_back(i);
  }
  return contacts;
}

std::vector<ForcePart> force_parts(const AccelerationProblem& problem, const std::vector<bool>& closed,
                                   const std::vector<int>& signs, const std::function<double(const ContactRows&)>& mu) {
  using Part = ForcePart::Kind;
  const ForceLayout layout(problem);
  const std::vector<size_t> with_sign = signed_contacts(problem);
  std::vector<ForcePart> all;
  const auto add = [&](const ContactRows& contact, int component, double sign, int index, Part without_friction) {
    ForcePart part{.kind = without_friction, .component = component, .sign = sign, .friction = {}, .contact = index};
    if (contact.slides() && *contact.mu > 0.0) {
      part.kind = Part::kRay;
      part.friction = -*contact.mu * contact.slip_direction();
    } else if (contact.tangent_count() > 0 && !contact.slides()) {
      part.mu = mu(contact);
      if (part.mu > 0.0) {
        part.kind = Part::kCone;
        part.tangents = contact.tangent_count();
      }
    }
    all.push_back(part);
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    if (closed[i]) add(problem.unilateral[i], layout.unilateral[i], 1.0, static_cast<int>(i), Part::kRay);
  }
  size_t next = 0;
  for (size_t i = 0; i < problem.bilateral.size(); ++i) {
    const bool known = next < with_sign.size() && with_sign[next] == i;
    add(problem.bilateral[i], layout.bilateral[i], known ? signs[next++] : 1.0, -1, Part::kFree);
  }
  return all;
}

}  // namespace tippe
