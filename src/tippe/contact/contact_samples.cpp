// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/law_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/error.h"

namespace tippe {
namespace {

constexpr size_t kNumbersOfContact =
    22;  // 4 of its id, 1 of its law, 10 of its place, 1 gap, 3 of the impulse, 3 of the moment

}  // namespace

void ContactSamples::add(const LawStep& step, const std::vector<ForceLaw>& laws) {
  if (step.place.empty()) return;
  merged_.clear();
  size_t next = 0;
  for (size_t k = 0; k < step.id.size(); ++k) {
    const ContactPlace& place = step.place[k];
    const double* const impulse = step.impulse.data() + step.first_row[k];
    if (!place.is_known() || impulse[0] == 0.0 || step.id[k].rolls()) continue;
    while (next < contacts_.size() && contacts_[next].id < step.id[k]) merged_.push_back(contacts_[next++]);
    const bool known = next < contacts_.size() && contacts_[next].id == step.id[k];
    ContactSample& contact = merged_.emplace_back(known ? contacts_[next++] : ContactSample());
    contact.id = step.id[k];
    contact.law = step.law[k];
    contact.place = place;
    contact.gap = step.gap[k];
    const int rows = laws[static_cast<size_t>(contact.law)].rows;
    contact.impulse += place.in_space(impulse[0], rows > 1 ? impulse[1] : 0.0, rows > 2 ? impulse[2] : 0.0);
  }
  merged_.insert(merged_.end(), contacts_.begin() + static_cast<std::ptrdiff_t>(next), contacts_.end());
  contacts_.swap(merged_);
  for (size_t k = step.id.size(); k > 0 && step.id[k - 1].rolls(); --k)
    add_rolling(step, k - 1, laws[static_cast<size_t>(step.law[k - 1])].rows);
}

/// The moment of the rolling resistance of a contact: about its tangents, between planar bodies about z.
void ContactSamples::add_rolling(const LawStep& step, size_t k, int rows) {
  const double* const moment = step.impulse.data() + step.first_row[k];
  const auto contact = std::lower_bound(contacts_.begin(), contacts_.end(), step.id[k].contact(),
                                        [](const ContactSample& one, const LawId& id) { return one.id < id; });
  if (contact == contacts_.end() || contact->id != step.id[k].contact()) return;  // it carried nothing
  contact->moment += rows == 1 ? Eigen::Vector3d(0.0, 0.0, moment[0]) : step.place[k].in_space(0.0, moment[0], moment[1]);
}

void ContactSamples::flatten(std::vector<double>& numbers) const {
  for (const ContactSample& contact : contacts_) {
    const LawId& id = contact.id;
    for (const std::uint32_t part : {id.shape_a, id.shape_b, id.feature_a, id.feature_b}) numbers.push_back(part);
    numbers.push_back(contact.law);
    for (const Eigen::Vector3d* v :
         {&contact.place.at, &contact.place.normal, &contact.place.tangent, &contact.impulse, &contact.moment})
      numbers.insert(numbers.end(), v->data(), v->data() + 3);
    numbers.push_back(contact.place.half_size);
    numbers.push_back(contact.gap);
  }
}

void ContactSamples::restore(const std::vector<double>& numbers) {
  if (numbers.size() % kNumbersOfContact != 0) throw FileError("the checkpoint is damaged: its contacts are not whole");
  contacts_.clear();
  const double* next = numbers.data();
  const auto whole = [&](double most) {
    const double value = *next++;
    if (!(value >= 0.0 && value <= most && value == std::floor(value)))
      throw FileError("the checkpoint is damaged: it names a contact that there is not");
    return value;
  };
  for (size_t k = 0; k < numbers.size() / kNumbersOfContact; ++k) {
    ContactSample& contact = contacts_.emplace_back();
    for (std::uint32_t* part : {&contact.id.shape_a, &contact.id.shape_b, &contact.id.feature_a, &contact.id.feature_b})
      *part = static_cast<std::uint32_t>(whole(std::numeric_limits<std::uint32_t>::max()));
    contact.law = static_cast<int>(whole(std::numeric_limits<std::uint16_t>::max()));
    for (Eigen::Vector3d* v :
         {&contact.place.at, &contact.place.normal, &contact.place.tangent, &contact.impulse, &contact.moment}) {
      *v = Eigen::Map<const Eigen::Vector3d>(next);
      next += 3;
    }
    contact.place.half_size = *next++;
    contact.gap = *next++;
  }
}

}  // namespace tippe
