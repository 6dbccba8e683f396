// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/record/recorded_run.h"

namespace tippe::python {

/// The same run with every `stride`-th sample, and the last; impulses and what else is summed between samples are summed over those left out.
[[nodiscard]] inline RecordedRun thinned(const RecordedRun& run, size_t stride) {
  RecordedRun few = run;
  const size_t count = run.time.size();
  std::vector<size_t> rows;
  for (size_t row = 0; row < count; row += stride) rows.push_back(row);
  if (count > 0 && rows.back() != count - 1) rows.push_back(count - 1);
  const auto pick = [&](const std::vector<double>& from, std::vector<double>& to, size_t width, bool sums) {
    if (from.size() != count * width) return;
    to.clear();
    for (size_t k = 0; k < rows.size(); ++k) {
      for (size_t column = 0; column < width; ++column) {
        double value = from[rows[k] * width + column];
        for (size_t row = k > 0 ? rows[k - 1] + 1 : rows[k]; sums && row < rows[k]; ++row)
          value += from[row * width + column];
        to.push_back(value);
      }
    }
  };
  pick(run.time, few.time, 1, false);
  if (!run.redundant.empty()) pick(run.redundant, few.redundant, 1, false);
  for (RecordedTable RecordedRun::*const table :
       {&RecordedRun::q, &RecordedRun::u, &RecordedRun::gap, &RecordedRun::energy, &RecordedRun::quantity,
        &RecordedRun::u_start, &RecordedRun::drawing_columns, &RecordedRun::constraint_force, &RecordedRun::control_force,
        &RecordedRun::constraint_position, &RecordedRun::constraint_velocity})
    pick((run.*table).values, (few.*table).values, (run.*table).names.size(), false);
  for (RecordedTable RecordedRun::*const table : {&RecordedRun::impulse, &RecordedRun::since, &RecordedRun::impact,
                                                  &RecordedRun::acted, &RecordedRun::moved_q, &RecordedRun::moved_u})
    pick((run.*table).values, (few.*table).values, (run.*table).names.size(), true);
  if (!run.contacts.were_found()) return few;
  const RecordedContacts& all = run.contacts;
  RecordedContacts& found = few.contacts;
  found = {.shapes = all.shapes,
           .start = {0},
           .id = {},
           .law = {},
           .at = {},
           .normal = {},
           .impulse = {},
           .gap = {},
           .moment = {}};
  for (const size_t row : rows) {
    for (size_t c = all.start[row]; c < all.start[row + 1]; ++c) {
      found.id.push_back(all.id[c]);
      found.law.push_back(all.law[c]);
      found.gap.push_back(all.gap[c]);
      for (std::vector<double> RecordedContacts::*const three :
           {&RecordedContacts::at, &RecordedContacts::normal, &RecordedContacts::impulse, &RecordedContacts::moment}) {
        if ((all.*three).empty()) continue;
        (found.*three)
            .insert((found.*three).end(), (all.*three).begin() + static_cast<std::ptrdiff_t>(3 * c),
                    (all.*three).begin() + static_cast<std::ptrdiff_t>(3 * c + 3));
      }
    }
    found.start.push_back(found.gap.size());
  }
  return few;
}

}  // namespace tippe::python
