// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <vector>

#include "tippe/scene/source_text.h"

namespace tippe {

/// Error at a value of the file.
[[noreturn]] void fail_at(const SourceText& source, const toml::node& node, const std::string& message);
/// Error at byte `offset` of a string value.
[[noreturn]] void fail_inside(const SourceText& source, const toml::node& string, int offset,
                              const std::string& message);

/// "a string", "an integer", ...
[[nodiscard]] std::string type_name(const toml::node& node);

/// One table of a scene: hands out its keys, remembers which were asked for, and complains about the others.
class TableReader {
 public:
  /// `path`: how messages call the table, e.g. "[run]" or "[[contact]]".
  TableReader(const SourceText& source, const toml::table& table, std::string path)
      : source_(source), table_(table), path_(std::move(path)) {}

  /// The value of a key, or nullptr. Marks the key as known.
  const toml::node* find(const std::string& key);
  const toml::node& require(const std::string& key, const std::string& what);
  /// A string; nullopt if the key is absent.
  std::optional<std::string> text(const std::string& key);
  /// A sub-table; nullptr if absent.
  const toml::table* table(const std::string& key);
  /// An array of tables, [[key]]; empty if absent.
  std::vector<const toml::table*> tables(const std::string& key);

  /// Throws at the first key that nobody asked for.
  void finish() const;

  [[nodiscard]] const toml::table& node() const { return table_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const SourceText& source() const { return source_; }

 private:
  const SourceText& source_;
  const toml::table& table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace tippe
