// SPDX-License-Identifier: Apache-2.0
// Members of the SceneReader that read tables with repetitions, for its parts.
#pragma once

#include <fmt/format.h>

#include <map>

#include "tippe/core/suggest.h"
#include "tippe/scene/detail/scene_reader.h"

namespace tippe {

template <class Read>
void SceneReader::read_entries(const std::string& key, std::vector<std::string> keys, Read&& read) {
  keys.insert(keys.begin(), "for");
  int entries = 0;
  for (const toml::table* table : root_.tables(key)) {
    const TableReader reader(source_, *table, fmt::format("[[{}]]", key), keys);
    const toml::node* repeat = reader.find("for");
    const Repetition repetition = repeat ? Repetition::of_entry(source_, *repeat) : Repetition(source_);
    repetition.for_each(parameters_.resolver(), [&](const Indices& indices) {
      indices_ = indices;
      read(reader, fmt::format("{}[{}]", key, entries++));
    });
    indices_.clear();
  }
}

template <class Read>
void SceneReader::read_values(const toml::table& table, const std::string& path, const std::vector<std::string>& names,
                              Read&& read) {
  std::map<std::string_view, size_t> number_of;
  for (size_t k = 0; k < names.size(); ++k) number_of[names[k]] = k;
  for (const NamedEntry& entry : named_entries(source_, table, parameters_.resolver())) {
    with_indices(entry.indices, [&] {
      const auto found = number_of.find(entry.name);
      if (found == number_of.end()) {
        if (root_.find("velocities") != nullptr && entry.name.ends_with("'"))
          fail_at(
              source_, *entry.key,
              fmt::format("'{}' is no velocity here; these are {}, by [velocities]", entry.name, comma_list(velocities_)));
        if (path == "[lagrangian.forces]" && inputs_.contains(entry.name))
          fail_at(source_, *entry.key,
                  fmt::format("'{}' is a coordinate of a body, and bodies are pushed by [[force]]", entry.name));
        fail_at(source_, *entry.key, unknown_key(entry.name, path, names));
      }
      indices_ = entry.indices;
      read(found->second, *entry.value);
    });
    indices_.clear();
  }
}

}  // namespace tippe
