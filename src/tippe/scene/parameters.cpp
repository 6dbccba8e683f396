// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/detail/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tippe/core/suggest.h"

namespace tippe {

void require_usable_name(const SourceText& source, const toml::node& where, std::string_view name, std::string_view what) {
  if (!is_valid_name(name)) {
    fail_at(source, where,
            fmt::format("the {} name '{}' must be a letter or _ followed by letters, digits or _", what, name));
  }
  const auto functions = function_names();
  if (name == "t" || name == "pi" || std::find(functions.begin(), functions.end(), name) != functions.end()) {
    fail_at(
        source, where,
        fmt::format("the {} name '{}' is taken: t is the time, pi and {} are built in", what, name, comma_list(functions)));
  }
}

Parameters::Parameters(const SourceText& source, const toml::table* table, const std::vector<std::string>& settings,
                       VariedNumbers* varied)
    : source_(source), varied_(varied) {
  std::map<std::string, std::string>& replaced = settings_;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) throw ArgumentError(Argument::kSetting, "write name=value", setting);
    replaced[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  if (table != nullptr) {
    // Those of one key each first: the ranges of the others may need them.
    for (const auto& [key, node] : in_file_order(*table)) {
      if (key->str().find(" for ") == std::string_view::npos) define({std::string(key->str()), key, node, {}}, replaced);
    }
    const NumberResolver known = [this](std::string_view name) {
      if (const auto defined = definitions_.find(name); defined != definitions_.end()) evaluate_with_needs(defined->first);
      return value(name);
    };
    for (const NamedEntry& entry : named_entries(source, *table, known)) {
      if (!entry.indices.empty()) with_indices(entry.indices, [&] { define(entry, replaced); });
    }
  }
  for (const auto& [name, definition] : definitions_) {
    settings_.erase(name);
    evaluate_with_needs(name);
    if (varied_ != nullptr && varied_->find(name) >= 0) dependent_.insert(name);
  }
}

std::optional<double> Parameters::take_setting(const std::string& name) {
  const auto setting = settings_.find(name);
  if (setting == settings_.end()) return std::nullopt;
  const std::string text = setting->second;
  settings_.erase(setting);
  try {
    const double value = evaluate(text);
    if (!std::isfinite(value)) throw ArgumentError(Argument::kSetting, fmt::format("it is {}", value), name + "=" + text);
    if (const int k = varied_ != nullptr ? varied_->find(name) : -1; k >= 0) return varied_->take(k, value);
    return value;
  } catch (const ExpressionError& error) {
    throw ArgumentError(Argument::kSetting, error.what(), name + "=" + text);
  }
}

void Parameters::refuse_other_settings(std::span<const std::string> others) const {
  if (settings_.empty()) return;
  const auto& [name, text] = *settings_.begin();
  std::vector<std::string> known = names_;
  known.insert(known.end(), others.begin(), others.end());
  throw ArgumentError(Argument::kSetting,
                      fmt::format("the scene has no parameter '{}' and nothing that starts with this name{} (it has: {})",
                                  name, did_you_mean(name, known), comma_list(known)),
                      name + "=" + text);
}

void Parameters::define(const NamedEntry& entry, const std::map<std::string, std::string>& settings) {
  require_usable_name(source_, *entry.value, entry.name, "parameter");
  Definition definition{entry.value, entry.indices, std::nullopt, {}};
  if (const auto setting = settings.find(entry.name); setting != settings.end()) {
    definition.setting = definition.text = setting->second;
  } else if (entry.value->is_string()) {
    definition.text = **entry.value->as_string();
  } else {
    values_[entry.name] = number(*entry.value, fmt::format("the parameter '{}'", entry.name));
  }
  names_.push_back(entry.name);
  definitions_[entry.name] = std::move(definition);
}

void Parameters::complain(const std::string& name, const std::string& message, std::optional<int> offset) const {
  const Definition& definition = definitions_.at(name);
  if (definition.setting) throw ArgumentError(Argument::kSetting, message, name + "=" + *definition.setting);
  const std::string told = message + describe_indices(definition.indices);
  if (offset) fail_inside(source_, *definition.node, *offset, told);
  fail_at(source_, *definition.node, told);
}

void Parameters::evaluate_one(const std::string& name) {
  const Definition& definition = definitions_.at(name);
  evaluated_ = &name;
  depends_ = varied_ != nullptr && varied_->find(name) >= 0;
  try {
    const double value = evaluate(definition.text, definition.indices);
    evaluated_ = nullptr;
    if (depends_) dependent_.insert(name);
    if (!std::isfinite(value)) complain(name, fmt::format("the parameter '{}' is {}", name, value), std::nullopt);
    values_[name] = value;
  } catch (const ExpressionError& error) {
    complain(name, error.what(), error.offset());
  }
}

/// What a parameter needs and is not evaluated yet. Where the range of a sum is among them, what the sum needs is known later.
std::vector<NameInExpression> Parameters::missing_needs(const std::string& name) const {
  const Definition& definition = definitions_.at(name);
  std::vector<NameInExpression> needs = names_in_expression(definition.text, definition.indices, resolver());
  std::erase_if(
      needs, [&](const NameInExpression& used) { return values_.contains(used.name) || !definitions_.contains(used.name); });
  return needs;
}

void Parameters::evaluate_with_needs(const std::string& first) {
  // Depth first, what is needed before what needs it. `path` are the parameters that wait for each other.
  struct Waiting {
    std::string name;
    std::vector<NameInExpression> needs;
    size_t next = 0;
  };
  std::vector<Waiting> path;
  std::set<std::string, std::less<>> waiting;
  const auto wait_for = [&](const std::string& name) {
    waiting.insert(name);
    path.push_back({name, missing_needs(name), 0});
  };
  if (!values_.contains(first)) wait_for(first);
  while (!path.empty()) {
    Waiting& last = path.back();
    while (last.next < last.needs.size() && values_.contains(last.needs[last.next].name)) ++last.next;
    if (last.next == last.needs.size()) {
      last.needs = last.needs.empty() ? last.needs : missing_needs(last.name);
      last.next = 0;
      if (!last.needs.empty()) continue;
      evaluate_one(last.name);
      waiting.erase(last.name);
      path.pop_back();
      continue;
    }
    const NameInExpression next = last.needs[last.next];
    if (!waiting.contains(next.name)) {
      wait_for(next.name);
      continue;
    }
    std::string cycle;
    const auto begins = [&](const Waiting& entry) { return entry.name == next.name; };
    for (auto place = std::find_if(path.begin(), path.end(), begins); place != path.end(); ++place)
      cycle += place->name + " -> ";
    complain(last.name, fmt::format("parameters need each other in a cycle: {}{}", cycle, next.name), next.offset);
  }
}

std::optional<double> Parameters::value(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  if (varied_ != nullptr && (dependent_.contains(name) || varied_->find(name) >= 0)) {
    depends_ = true;
    if (evaluated_ == nullptr) varied_->need_reading();
  }
  return found->second;
}

std::optional<double> Parameters::taken(std::string_view expression) const {
  if (varied_ == nullptr || evaluated_ != nullptr) return std::nullopt;
  const size_t first = expression.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view name = expression.substr(first, expression.find_last_not_of(' ') + 1 - first);
  const int k = varied_->find(name);
  const auto value = values_.find(name);
  return k < 0 || value == values_.end() ? std::nullopt : std::optional(varied_->take(k, value->second));
}

double Parameters::evaluate(std::string_view expression, const Indices& indices) const {
  if (const std::optional<double> value = taken(expression)) return *value;
  ExprGraph graph;
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    const std::optional<double> known = value(name);
    return known ? std::optional(graph.constant(*known)) : std::nullopt;
  };
  return parse_expression(expression, graph, resolve, names_, indices).constant_value();
}

double Parameters::number(const toml::node& node, const std::string& what, const Indices& indices) const {
  double result = 0.0;
  if (const auto integer = node.value_exact<int64_t>()) {
    result = static_cast<double>(*integer);
  } else if (const auto real = node.value_exact<double>()) {
    result = *real;
  } else if (node.is_string()) {
    try {
      result = evaluate(**node.as_string(), indices);
    } catch (const ExpressionError& error) {
      fail_inside(source_, node, error.offset(),
                  fmt::format("{} may depend on parameters only: {}{}", what, error.what(),
                              names_.empty() ? "; there are no [parameters]" : " (there are: " + comma_list(names_) + ")"));
    }
  } else {
    fail_at(source_, node, fmt::format("{} must be a number or an expression of parameters, not {}", what, type_name(node)));
  }
  if (!std::isfinite(result)) fail_at(source_, node, fmt::format("{} must be finite, got {}", what, result));
  return result;
}

}  // namespace tippe
