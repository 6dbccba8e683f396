// SPDX-License-Identifier: Apache-2.0
// Any text is an expression or an ExpressionError with a place inside the text; an expression can be differentiated,
// compiled and evaluated.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/expr/parser.h"
#include "tippe/expr/program.h"

namespace {

const std::vector<std::string> kInputs = {"x", "x'", "phi", "t"};

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tippe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const NameInExpression& used : names_in_expression(text)) {
    // An index in braces is replaced by its value in the name: x{9} becomes x9. What comes before stands in the text.
    const std::string_view rest = text.substr(static_cast<size_t>(used.offset));
    const size_t before_index = std::min(used.name.size(), rest.find('{'));
    require(rest.substr(0, before_index) == std::string_view(used.name).substr(0, before_index));
  }
  ExprGraph graph;
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    for (size_t i = 0; i < kInputs.size(); ++i) {
      if (kInputs[i] == name) return graph.input(static_cast<int>(i));
    }
    return name == "m" ? std::optional(graph.constant(0.25)) : std::nullopt;
  };
  try {
    std::vector<Expr> outputs = {parse_expression(text, graph, resolve, kInputs)};
    const int last = static_cast<int>(kInputs.size());
    for (const auto& [input, derivative] : graph.gradient(outputs[0], 0, last)) outputs.push_back(derivative);
    ExprProgram program(last);
    const int function = program.add(outputs);
    std::vector<double> memory = program.make_memory(), results(outputs.size());
    for (size_t i = 0; i < kInputs.size(); ++i) memory[i] = 0.5 * static_cast<double>(i);
    program.evaluate(function, memory, results.data());
  } catch (const ExpressionError& error) {
    require(error.offset() >= 0 && static_cast<size_t>(error.offset()) <= size);
  }
  return 0;
}
