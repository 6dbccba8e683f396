// SPDX-License-Identifier: Apache-2.0
// [impact]: how contacts that hit at once act on each other.
#include <fmt/format.h>

#include "tippe/core/suggest.h"
#include "tippe/scene/detail/scene_reader.h"

namespace tippe {

/// The laws must be known.
void SceneReader::read_impact() {
  const toml::table* table = root_.table("impact");
  if (table == nullptr) return;
  const TableReader reader(source_, *table, "[impact]", {"contacts", "restitution_matrix"});
  const toml::node& contacts = reader.require("contacts", "the names of the contacts that the matrix is for");
  const toml::node& rows = reader.require("restitution_matrix", "one row of numbers for each contact");
  const toml::array *names = contacts.as_array(), *list = rows.as_array();
  if (names == nullptr || names->empty())
    fail_at(source_, contacts, "'contacts' must be a list of names of contacts: [\"a\", \"b\"]");
  written_["impact.restitution_matrix"] = {&rows, {}};
  RestitutionMatrix matrix;
  for (size_t k = 0; k < names->size(); ++k) {
    const toml::node& node = *names->get(k);
    written_[fmt::format("impact.contacts[{}]", k)] = {&node, {}};
    const std::string name = filled_text(node, "a name in 'contacts'");
    const auto found = std::find_if(description_.laws.begin(), description_.laws.end(),
                                    [&](const LawDescription& law) { return law.law.name == name; });
    if (found == description_.laws.end()) {
      std::vector<std::string> known;
      for (const LawDescription& law : description_.laws) known.push_back(law.law.name);
      fail_at(source_, node, fmt::format("there is no contact '{}'{}", name, did_you_mean(name, known)));
    }
    matrix.laws.push_back(static_cast<int>(found - description_.laws.begin()));
  }
  const size_t count = names->size();
  if (list == nullptr || list->size() != count) {
    fail_at(source_, rows,
            fmt::format("'restitution_matrix' must have {0} rows of {0} numbers, one for each contact{1}", count,
                        list ? fmt::format("; here are {}", list->size()) : ""));
  }
  matrix.E.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  for (size_t i = 0; i < count; ++i) {
    const toml::node& row = *list->get(i);
    const std::vector<double> values = numbers(row, "a row of 'restitution_matrix'", count);
    for (size_t j = 0; j < count; ++j) {
      matrix.E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = values[j];
      written_[fmt::format("impact.restitution_matrix[{}][{}]", i, j)] = {row.as_array()->get(j), {}};
    }
  }
  description_.restitution_matrix = std::move(matrix);
}

}  // namespace tippe
