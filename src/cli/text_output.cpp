// SPDX-License-Identifier: Apache-2.0
#include "cli/text_output.h"

#include <fmt/format.h>

namespace tippe::cli {

void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines) {
  const std::string title = head.origin.title.empty() ? head.origin.scene_file : head.origin.title;
  const IntegratorInfo* integrator = find_integrator(head.integrator);
  const bool adaptive = integrator != nullptr && integrator->adaptive;
  fmt::print("{}: {}, {} = {}\n", title, head.integrator, adaptive ? "first step" : "dt", head.dt);
  for (const SummaryLine& line : lines) {
    if (line.label != "warning") fmt::print("  {:<24}{}\n", line.label, line.value);  // those go to standard error
  }
}

}  // namespace tippe::cli
