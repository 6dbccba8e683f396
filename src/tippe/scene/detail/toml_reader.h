// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <vector>

#include "tippe/scene/source_text.h"

namespace tippe {

/// Error at a value of the file.
[[noreturn]] void fail_at(const SourceText& source, const toml::node& node, const std::string& message,
                          Remedy remedy = Remedy::kNone);
[[noreturn]] void fail_at(const SourceText& source, const toml::key& key, const std::string& message);
/// Error at byte `offset` of a string value.
[[noreturn]] void fail_inside(const SourceText& source, const toml::node& string, int offset, const std::string& message);

/// "a string", "an integer", ...
[[nodiscard]] std::string type_name(const toml::node& node);

/// The boolean of a key.
[[nodiscard]] bool true_or_false(const SourceText& source, const toml::node& node, const std::string& key);

/// The entries of a table as they stand in the file; TOML++ keeps them by the alphabet.
struct TableEntry {
  const toml::key* key;
  const toml::node* value;
};
[[nodiscard]] std::vector<TableEntry> in_file_order(const toml::table& table);

/// "unknown key 'gpa' in [[contact]]; did you mean 'gap'? (known: ...)".
[[nodiscard]] std::string unknown_key(std::string_view key, const std::string& path, const std::vector<std::string>& keys);

/// One table of a scene: knows its keys from the beginning, so that a misspelt key is called misspelt and not
/// missing.
class TableReader {
 public:
  /// `path`: how messages call the table, e.g. "[run]" or "[[contact]]". Throws at the first key that is not
  /// in `keys`.
  TableReader(const SourceText& source, const toml::table& table, std::string path, std::vector<std::string> keys);

  /// The value of a key, or nullptr.
  [[nodiscard]] const toml::node* find(const std::string& key) const;
  [[nodiscard]] const toml::node& require(const std::string& key, const std::string& what) const;
  /// A string; nullopt if the key is absent.
  [[nodiscard]] std::optional<std::string> text(const std::string& key) const;
  /// A sub-table; nullptr if absent.
  [[nodiscard]] const toml::table* table(const std::string& key) const;
  /// An array of tables, [[key]]; empty if absent.
  [[nodiscard]] std::vector<const toml::table*> tables(const std::string& key) const;

  [[nodiscard]] const toml::table& node() const { return table_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const SourceText& source_;
  const toml::table& table_;
  std::string path_;
  std::vector<std::string> keys_;
};

}  // namespace tippe
