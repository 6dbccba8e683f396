// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/expr/parser.h"
#include "tippe/scene/toml_reader.h"

namespace tippe {

/// Throws unless the name can stand in expressions: a letter or _ first, then letters, digits, _; not t, pi
/// or a function.
void require_usable_name(const SourceText& source, const toml::node& where, std::string_view name, std::string_view what);

/// The [parameters] of a scene, evaluated: numbers, or expressions of one another in any order.
class Parameters {
 public:
  /// `settings`: "name=value" from the command line, replacing what the file says. `table` may be nullptr.
  Parameters(const SourceText& source, const toml::table* table, const std::vector<std::string>& settings);

  [[nodiscard]] std::optional<double> value(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::map<std::string, double, std::less<>>& values() const { return values_; }

  /// A number anywhere in a scene: a TOML number, or a string with an expression of parameters. Must be
  /// finite.
  [[nodiscard]] double number(const toml::node& node, const std::string& what) const;
  /// The value of an expression of parameters; throws ExpressionError.
  [[nodiscard]] double evaluate(std::string_view expression) const;

 private:
  void evaluate_all(const std::map<std::string, const toml::node*>& nodes,
                    const std::map<std::string, std::string>& settings);

  const SourceText& source_;
  std::vector<std::string> names_;
  std::map<std::string, double, std::less<>> values_;
};

}  // namespace tippe
