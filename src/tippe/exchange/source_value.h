// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tippe {

/// A value of a text file with its place, whether it was written in JSON or in TOML. Lines and columns count from 1, columns in characters.
struct SourceValue {
  enum class Type { kNull, kBoolean, kNumber, kString, kArray, kTable, kOther };
  Type type = Type::kNull;
  int line = 1, column = 1;
  double number = 0.0;
  std::string text;
  std::vector<SourceValue> items;  // of an array, or of a table in the order of the file

  std::string key;  // in the table that it belongs to
  int key_line = 1, key_column = 1;

  [[nodiscard]] bool is(Type wanted) const { return type == wanted; }
  /// "a list", "a number", ...
  [[nodiscard]] const char* type_name() const;
};

/// JSON in which // and /* */ comments may stand. Throws InputError for what is no JSON, for keys that stand twice in a table, numbers beyond
/// double precision and more than 100 levels of lists. `file` is the name in messages.
[[nodiscard]] SourceValue parse_json_source(const std::string& text, const std::string& file);

/// TOML; throws InputError.
[[nodiscard]] SourceValue parse_toml_source(const std::string& text, const std::string& file);

}  // namespace tippe
