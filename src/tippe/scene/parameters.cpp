// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/parameters.h"

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

Parameters::Parameters(const SourceText& source, const toml::table* table, const std::vector<std::string>& settings)
    : source_(source) {
  std::map<std::string, const toml::node*> nodes;
  if (table != nullptr) {
    for (const auto& [key, node] : *table) {
      const std::string name(key.str());
      require_usable_name(source, node, name, "parameter");
      nodes[name] = &node;
      names_.push_back(name);
    }
  }
  std::map<std::string, std::string> replaced;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) throw InputError({}, fmt::format("--set {}: write name=value", setting));
    const std::string name = setting.substr(0, equals);
    if (!nodes.contains(name)) {
      throw InputError(
          {}, fmt::format("--set {}: the scene has no parameter '{}'{}{}", setting, name, did_you_mean(name, names_),
                          names_.empty() ? "" : " (it has: " + comma_list(names_) + ")"));
    }
    replaced[name] = setting.substr(equals + 1);
  }
  evaluate_all(nodes, replaced);
}

void Parameters::evaluate_all(const std::map<std::string, const toml::node*>& nodes,
                              const std::map<std::string, std::string>& settings) {
  // Which parameters each one needs, as the texts say.
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<NameInExpression>> needs;
  for (const auto& [name, node] : nodes) {
    const auto setting = settings.find(name);
    if (setting != settings.end()) {
      texts[name] = setting->second;
    } else if (node->is_string()) {
      texts[name] = **node->as_string();
    } else {
      values_[name] = number(*node, fmt::format("the parameter '{}'", name));
      continue;
    }
    for (NameInExpression& used : names_in_expression(texts[name])) {
      if (nodes.contains(used.name)) needs[name].push_back(std::move(used));
    }
  }
  const auto complain = [&](const std::string& name, const std::string& message, std::optional<int> offset) {
    if (settings.contains(name)) throw InputError({}, fmt::format("--set {}={}: {}", name, texts.at(name), message));
    if (offset) fail_inside(source_, *nodes.at(name), *offset, message);
    fail_at(source_, *nodes.at(name), message);
  };
  const auto evaluate_one = [&](const std::string& name) {
    try {
      const double value = evaluate(texts.at(name));
      if (!std::isfinite(value)) complain(name, fmt::format("the parameter '{}' is {}", name, value), std::nullopt);
      values_[name] = value;
    } catch (const ExpressionError& error) {
      complain(name, error.what(), error.offset());
    }
  };
  // Depth first, what is needed before what needs it. `path` are the parameters that wait for each other.
  std::set<std::string, std::less<>> waiting;
  for (const auto& [first, text] : texts) {
    std::vector<std::string> path;
    if (!values_.contains(first)) path.push_back(first);
    while (!path.empty()) {
      const std::string name = path.back();
      waiting.insert(name);
      const auto& needed = needs[name];
      const auto next =
          std::find_if(needed.begin(), needed.end(), [&](const auto& used) { return !values_.contains(used.name); });
      if (next == needed.end()) {
        evaluate_one(name);
        waiting.erase(name);
        path.pop_back();
      } else if (!waiting.contains(next->name)) {
        path.push_back(next->name);
      } else {
        std::string cycle;
        for (auto place = std::find(path.begin(), path.end(), next->name); place != path.end(); ++place)
          cycle += *place + " -> ";
        complain(name, fmt::format("parameters need each other in a cycle: {}{}", cycle, next->name), next->offset);
      }
    }
  }
}

std::optional<double> Parameters::value(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

double Parameters::evaluate(std::string_view expression) const {
  ExprGraph graph;
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    const std::optional<double> known = value(name);
    return known ? std::optional(graph.constant(*known)) : std::nullopt;
  };
  return parse_expression(expression, graph, resolve, names_).constant_value();
}

double Parameters::number(const toml::node& node, const std::string& what) const {
  double result = 0.0;
  if (const auto integer = node.value_exact<int64_t>()) {
    result = static_cast<double>(*integer);
  } else if (const auto real = node.value_exact<double>()) {
    result = *real;
  } else if (node.is_string()) {
    try {
      result = evaluate(**node.as_string());
    } catch (const ExpressionError& error) {
      fail_inside(source_, node, error.offset(), fmt::format("{} may depend on parameters only: {}", what, error.what()));
    }
  } else {
    fail_at(source_, node, fmt::format("{} must be a number or an expression of parameters, not {}", what, type_name(node)));
  }
  if (!std::isfinite(result)) fail_at(source_, node, fmt::format("{} must be finite, got {}", what, result));
  return result;
}

}  // namespace tippe
