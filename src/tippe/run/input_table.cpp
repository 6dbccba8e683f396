// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/input_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/core/csv.h"
#include "tippe/core/infinity.h"
#include "tippe/core/suggest.h"

namespace tippe {

bool InputTable::hold(double t, Eigen::VectorXd& q) const {
  const auto row = std::upper_bound(time.begin(), time.end(), t) - time.begin() - 1;
  bool changes = false;
  for (size_t k = 0; row >= 0 && k < coordinate.size(); ++k) {
    double& input = q[coordinate[k]];
    const double held = value[static_cast<size_t>(row) * coordinate.size() + k];
    changes = changes || input != held;
    input = held;
  }
  return changes;
}

double InputTable::next_after(double t) const {
  const auto next = std::upper_bound(time.begin(), time.end(), t);
  return next == time.end() ? kInfinity : *next;
}

InputTable read_input_table(const std::string& text, const std::string& file, const System& system) {
  const CsvTable csv = read_csv(text, file);
  InputTable table;
  const std::vector<std::string> inputs = input_names(system);
  const auto count = static_cast<std::ptrdiff_t>(csv.names.size());
  if (count == 0) throw InputError({file, 0, 0}, "no table: the first line names its columns, t and inputs");
  if (inputs.empty()) throw InputError(csv.places[0], "the scene has no [inputs]");
  std::ptrdiff_t time = -1;
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const std::string& name = csv.names[static_cast<size_t>(k)];
    const SourcePosition& place = csv.places[static_cast<size_t>(k)];
    if (std::find(csv.names.begin(), csv.names.begin() + k, name) != csv.names.begin() + k)
      throw InputError(place, fmt::format("there are two columns '{}'", name));
    if (name == "t") {
      time = k;
      continue;
    }
    const auto found = std::find(inputs.begin(), inputs.end(), name);
    if (found == inputs.end())
      throw InputError(place, fmt::format("'{}' is no input of the scene{} (there are: {}; and t)", name,
                                          did_you_mean(name, inputs), comma_list(inputs)));
    table.coordinate.push_back(system.input_coordinates()[static_cast<size_t>(found - inputs.begin())]);
  }
  if (time < 0)
    throw InputError(csv.places[0], "there is no column t, the times in s from which on the values of a row hold");
  if (table.coordinate.empty())
    throw InputError(csv.places[0], fmt::format("there is no column of an input (there are: {})", comma_list(inputs)));
  if (csv.lines.empty()) throw InputError({file, 0, 0}, "the table has no rows");
  for (size_t row = 0; row < csv.lines.size(); ++row) {
    const double* const values = csv.values.data() + static_cast<std::ptrdiff_t>(row) * count;
    if (row > 0 && !(values[time] > table.time.back()))
      throw InputError({file, csv.lines[row], 1},
                       fmt::format("times must rise, and t = {:.9g} follows t = {:.9g}", values[time], table.time.back()));
    table.time.push_back(values[time]);
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      if (k != time) table.value.push_back(values[k]);
    }
  }
  return table;
}

}  // namespace tippe
