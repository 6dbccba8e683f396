// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/expr/parser.h"
#include "tippe/scene/detail/repetition.h"
#include "tippe/scene/detail/toml_reader.h"
#include "tippe/scene/varied_numbers.h"

namespace tippe {

/// Throws unless the name can stand in expressions: a letter or _ first, then letters, digits, _; not t, pi
/// or a function.
void require_usable_name(const SourceText& source, const toml::node& where, std::string_view name, std::string_view what);

/// The [parameters] of a scene, evaluated: numbers, or expressions of one another in any order.
class Parameters {
 public:
  /// `settings`: "name=value" from the command line, replacing what the file says. `table` may be nullptr.
  Parameters(const SourceText& source, const toml::table* table, const std::vector<std::string>& settings,
             VariedNumbers* varied = nullptr);

  [[nodiscard]] std::optional<double> value(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::map<std::string, double, std::less<>>& values() const { return values_; }
  /// value() for those who read texts with repetitions.
  [[nodiscard]] NumberResolver resolver() const {
    return [this](std::string_view name) { return value(name); };
  }

  /// A number anywhere in a scene: a TOML number, or a string with an expression of parameters. Must be
  /// finite.
  [[nodiscard]] double number(const toml::node& node, const std::string& what, const Indices& indices = {}) const;
  /// A setting for what is no parameter, if there is one, once.
  [[nodiscard]] std::optional<double> take_setting(const std::string& name);
  [[nodiscard]] bool has_other_settings() const { return !settings_.empty(); }
  /// Throws if settings remain that nobody took. `others`: the names that also take settings.
  void refuse_other_settings(std::span<const std::string> others) const;
  /// The value of an expression of parameters; throws ExpressionError.
  [[nodiscard]] double evaluate(std::string_view expression, const Indices& indices = {}) const;

 private:
  /// A parameter as the file or the command line gives it.
  struct Definition {
    const toml::node* node;
    Indices indices;
    std::optional<std::string> setting;  // from the command line
    std::string text;                    // the expression; empty for a plain number
  };

  void define(const NamedEntry& entry, const std::map<std::string, std::string>& settings);
  /// Evaluates a parameter, and before it what it needs.
  void evaluate_with_needs(const std::string& name);
  void evaluate_one(const std::string& name);
  [[nodiscard]] std::vector<NameInExpression> missing_needs(const std::string& name) const;
  [[noreturn]] void complain(const std::string& name, const std::string& message, std::optional<int> offset) const;

  const SourceText& source_;
  std::vector<std::string> names_;
  std::map<std::string, Definition, std::less<>> definitions_;
  std::map<std::string, double, std::less<>> values_;
  /// An expression's value where `what` depends on nothing else of the names that vary.
  [[nodiscard]] std::optional<double> taken(std::string_view expression) const;

  std::map<std::string, std::string> settings_;  // that nobody took yet
  VariedNumbers* varied_;
  std::set<std::string, std::less<>> dependent_;    // parameters whose values vary
  mutable const std::string* evaluated_ = nullptr;  // the parameter that is being evaluated
  mutable bool depends_ = false;                    // whether that needs one whose value varies
};

}  // namespace tippe
