// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/detail/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "tippe/core/suggest.h"

namespace tippe {

void fail_at(const SourceText& source, const toml::node& node, const std::string& message, Remedy remedy) {
  const toml::source_position& begin = node.source().begin;
  throw InputError({source.file(), static_cast<int>(begin.line), static_cast<int>(begin.column)}, message, remedy);
}

void fail_at(const SourceText& source, const toml::key& key, const std::string& message) {
  const toml::source_position& begin = key.source().begin;
  throw InputError({source.file(), static_cast<int>(begin.line), static_cast<int>(begin.column)}, message);
}

void fail_inside(const SourceText& source, const toml::node& string, int offset, const std::string& message) {
  const toml::source_position& begin = string.source().begin;
  throw InputError(source.inside_string(static_cast<int>(begin.line), static_cast<int>(begin.column), offset), message);
}

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

bool true_or_false(const SourceText& source, const toml::node& node, const std::string& key) {
  if (!node.is_boolean()) fail_at(source, node, fmt::format("'{}' must be true or false, not {}", key, type_name(node)));
  return **node.as_boolean();
}

std::vector<TableEntry> in_file_order(const toml::table& table) {
  std::vector<TableEntry> entries;
  for (const auto& [key, value] : table) entries.push_back({&key, &value});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TableEntry& a, const TableEntry& b) { return a.key->source().begin < b.key->source().begin; });
  return entries;
}

std::string unknown_key(std::string_view key, const std::string& path, const std::vector<std::string>& keys) {
  constexpr size_t kMostListed = 40;  // a longer list hides the message
  const std::string known = keys.size() > kMostListed ? "" : fmt::format(" (known: {})", comma_list(keys));
  return fmt::format("unknown key '{}' in {}{}{}", key, path, did_you_mean(key, keys), known);
}

TableReader::TableReader(const SourceText& source, const toml::table& table, std::string path, std::vector<std::string> keys)
    : source_(source), table_(table), path_(std::move(path)), keys_(std::move(keys)) {
  const toml::key* first = nullptr;  // in the order of the file, not of the alphabet
  for (const auto& [key, value] : table_) {
    if (std::find(keys_.begin(), keys_.end(), key.str()) != keys_.end()) continue;
    if (first == nullptr || key.source().begin < first->source().begin) first = &key;
  }
  if (first == nullptr) return;
  const toml::source_position& begin = first->source().begin;
  throw InputError({source_.file(), static_cast<int>(begin.line), static_cast<int>(begin.column)},
                   unknown_key(first->str(), path_, keys_));
}

const toml::node* TableReader::find(const std::string& key) const {
  assert(std::find(keys_.begin(), keys_.end(), key) != keys_.end());
  return table_.get(key);
}

const toml::node& TableReader::require(const std::string& key, const std::string& what) const {
  const toml::node* node = find(key);
  if (node == nullptr) fail_at(source_, table_, fmt::format("{} needs '{}': {}", path_, key, what));
  return *node;
}

std::optional<std::string> TableReader::text(const std::string& key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) fail_at(source_, *node, fmt::format("'{}' must be a string, not {}", key, type_name(*node)));
  return **node->as_string();
}

const toml::table* TableReader::table(const std::string& key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table())
    fail_at(source_, *node, fmt::format("'{0}' in {1} must be a table, not {2}", key, path_, type_name(*node)));
  return node->as_table();
}

std::vector<const toml::table*> TableReader::tables(const std::string& key) const {
  std::vector<const toml::table*> result;
  const toml::node* node = find(key);
  if (node == nullptr) return result;
  const std::string rule = fmt::format("'{0}' must be an array of tables, each written [[{0}]]", key);
  if (!node->is_array()) fail_at(source_, *node, fmt::format("{}, not {}", rule, type_name(*node)));
  for (const toml::node& entry : *node->as_array()) {
    if (!entry.is_table()) fail_at(source_, entry, fmt::format("{}, not {}", rule, type_name(entry)));
    result.push_back(entry.as_table());
  }
  return result;
}

}  // namespace tippe
