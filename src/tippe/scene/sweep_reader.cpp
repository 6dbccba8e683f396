// SPDX-License-Identifier: Apache-2.0
// The table [sweep]: texts as in a request, which whoever makes the sweep understands.
#include <fmt/format.h>

#include "tippe/scene/detail/scene_reader.h"

namespace tippe {
namespace {

std::vector<std::string> texts(const SourceText& source, const TableReader& reader, const std::string& key) {
  std::vector<std::string> list;
  const toml::node* node = reader.find(key);
  if (node == nullptr) return list;
  if (!node->is_array())
    fail_at(source, *node, fmt::format("'{}' must be an array of strings, not {}", key, type_name(*node)));
  for (const toml::node& entry : *node->as_array()) {
    if (!entry.is_string()) fail_at(source, entry, fmt::format("'{}' has strings only, not {}", key, type_name(entry)));
    list.push_back(**entry.as_string());
  }
  return list;
}

std::optional<std::int64_t> whole_number(const SourceText& source, const TableReader& reader, const std::string& key,
                                         std::int64_t least) {
  const toml::node* node = reader.find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = node->value_exact<std::int64_t>();
  if (!number || *number < least)
    fail_at(source, *node, fmt::format("'{}' must be a whole number, at least {}", key, least));
  return number;
}

}  // namespace

void SceneReader::read_sweep(Scene& scene) {
  const toml::table* table = root_.table("sweep");
  if (table == nullptr) return;
  const TableReader reader(
      source_, *table, "[sweep]",
      {"vary", "sample", "seed", "sobol", "table", "quantities", "section", "transient", "keep", "follow", "basin"});
  SceneSweep& sweep = scene.sweep.emplace();
  for (const auto& [key, value] : *table) {
    const toml::source_position& begin = value.source().begin;
    sweep.places[std::string(key.str())] = {source_.file(), static_cast<int>(begin.line), static_cast<int>(begin.column)};
  }
  sweep.vary = texts(source_, reader, "vary");
  sweep.quantities = texts(source_, reader, "quantities");
  sweep.sample = whole_number(source_, reader, "sample", 1);
  sweep.seed = whole_number(source_, reader, "seed", 0);
  sweep.transient = whole_number(source_, reader, "transient", 0);
  sweep.keep = whole_number(source_, reader, "keep", 1);
  if (const toml::node* sobol = reader.find("sobol")) sweep.sobol = true_or_false(source_, *sobol, "sobol");
  if (const toml::node* basin = reader.find("basin")) sweep.basin = true_or_false(source_, *basin, "basin");
  sweep.table = reader.text("table").value_or("");
  sweep.section = reader.text("section").value_or("");
  sweep.follow = reader.text("follow").value_or("");
}

}  // namespace tippe
