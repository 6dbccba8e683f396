// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/law_step.h"

#include <algorithm>

namespace tippe {

LawStep::LawStep(const std::vector<ForceLaw>& laws) {
  begin(list_of_fixed_laws(laws), laws);
}

void LawStep::begin(const LawList& list, const std::vector<ForceLaw>& laws) {
  const bool same = list.fixed && fixed ? id.size() == list.id.size() : id == list.id;
  fixed = list.fixed;
  place = list.place;
  if (place.empty())
    gap.clear();
  else
    gap.assign(list.gap.data(), list.gap.data() + list.size());
  if (!same) {
    id = list.id;
    law = list.law;
    int rows = 0;
    first_row.clear();
    for (const int number : law) {
      first_row.push_back(rows);
      rows += laws[static_cast<size_t>(number)].rows;
    }
    make_room(rows);
  }
  clear();
}

void LawStep::make_room(int rows) {
  const auto count = static_cast<Eigen::Index>(law.size());
  for (KeptVector* vector : {&impulse, &impact}) vector->resize(rows);
  for (KeptVector* vector : {&acted, &closing_speed, &lost, &speed_scale}) vector->resize(count);
  anew.resize(law.size());
}

void LawStep::clear() {
  const auto laws = static_cast<Eigen::Index>(anew.size());
  for (Eigen::Index row = 0; row < impulse.size(); ++row) impulse[row] = impact[row] = 0.0;  // few: memset costs more
  impacts = 0;
  for (Eigen::Index k = 0; k < laws; ++k) {
    acted[k] = closing_speed[k] = lost[k] = speed_scale[k] = 0.0;
    anew[static_cast<size_t>(k)] = 0;
  }
}

void LawStep::add_before(const LawStep& first) {
  if ((fixed && first.fixed) || id == first.id) {
    impulse += first.impulse;
    impact += first.impact;
    acted += first.acted;
    impacts += first.impacts;
    lost += first.lost;
    closing_speed = closing_speed.cwiseMax(first.closing_speed);
    speed_scale = speed_scale.cwiseMax(first.speed_scale);
    return;
  }
  LawStep sum;
  int rows = 0;
  size_t a = 0, b = 0;
  while (a < first.id.size() || b < id.size()) {
    const bool in_first = b == id.size() || (a < first.id.size() && first.id[a] <= id[b]);
    const bool in_second = a == first.id.size() || (b < id.size() && id[b] <= first.id[a]);
    const LawStep& one = in_first ? first : *this;
    const size_t at = in_first ? a : b;
    sum.id.push_back(one.id[at]);
    sum.law.push_back(one.law[at]);
    if (!one.place.empty()) {  // the later one, if it is in both
      const LawStep& later = in_second ? *this : first;
      sum.place.push_back(later.place[in_second ? b : a]);
      sum.gap.push_back(later.gap[in_second ? b : a]);
    }
    sum.first_row.push_back(rows);
    rows += one.rows(static_cast<int>(at));
    a += in_first ? 1 : 0;
    b += in_second ? 1 : 0;
  }
  sum.make_room(rows);
  sum.clear();
  sum.add_laws_of(first);
  sum.add_laws_of(*this);
  *this = sum;
}

/// All laws of `part` are laws of this.
void LawStep::add_laws_of(const LawStep& part) {
  impacts += part.impacts;
  Eigen::Index to = 0;
  for (Eigen::Index from = 0; from < part.lost.size(); ++from, ++to) {
    while (id[static_cast<size_t>(to)] != part.id[static_cast<size_t>(from)]) ++to;
    const int count = part.rows(static_cast<int>(from));
    const int from_row = part.first_row[static_cast<size_t>(from)], to_row = first_row[static_cast<size_t>(to)];
    impulse.segment(to_row, count) += part.impulse.segment(from_row, count);
    impact.segment(to_row, count) += part.impact.segment(from_row, count);
    acted[to] += part.acted[from];
    lost[to] += part.lost[from];
    closing_speed[to] = std::max(closing_speed[to], part.closing_speed[from]);
    speed_scale[to] = std::max(speed_scale[to], part.speed_scale[from]);
  }
}

}  // namespace tippe
