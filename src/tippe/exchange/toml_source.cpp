// SPDX-License-Identifier: Apache-2.0
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "tippe/core/deep_keys.h"
#include "tippe/core/error.h"
#include "tippe/exchange/source_value.h"

namespace tippe {
namespace {

using Type = SourceValue::Type;

SourceValue convert(const toml::node& node) {
  SourceValue value;
  value.line = static_cast<int>(node.source().begin.line);
  value.column = static_cast<int>(node.source().begin.column);
  if (const toml::table* table = node.as_table()) {
    value.type = Type::kTable;
    for (const auto& [key, entry] : *table) {
      value.items.push_back(convert(entry));
      value.items.back().key = std::string(key.str());
      value.items.back().key_line = static_cast<int>(key.source().begin.line);
      value.items.back().key_column = static_cast<int>(key.source().begin.column);
    }
    std::sort(value.items.begin(), value.items.end(), [](const SourceValue& a, const SourceValue& b) {
      return std::tie(a.key_line, a.key_column) < std::tie(b.key_line, b.key_column);
    });
  } else if (const toml::array* array = node.as_array()) {
    value.type = Type::kArray;
    for (const toml::node& item : *array) value.items.push_back(convert(item));
  } else if (node.is_number()) {
    value.type = Type::kNumber;
    value.number = *node.value<double>();
  } else if (node.is_string()) {
    value.type = Type::kString;
    value.text = *node.value<std::string>();
  } else {
    value.type = node.is_boolean() ? Type::kBoolean : Type::kOther;
  }
  return value;
}

}  // namespace

SourceValue parse_toml_source(const std::string& text, const std::string& file) {
  refuse_deep_keys(text, file);
  try {
    return convert(toml::parse(std::string_view(text), file));
  } catch (const toml::parse_error& error) {
    const toml::source_position& begin = error.source().begin;
    throw InputError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)}, std::string(error.description()));
  }
}

}  // namespace tippe
