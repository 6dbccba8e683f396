// SPDX-License-Identifier: Apache-2.0
// Random systems and problems, judged as long as one likes: docs/howto/building.md.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "differential/judge.h"

namespace {

/// Set by SIGINT and SIGTERM, as `timeout` sends it: the search ends with its table. A second one ends it at once.
std::atomic<bool> interrupted = false;

extern "C" void interrupt(int number) {
  interrupted = true;
  std::signal(number, SIG_DFL);
}

using tippe::test::Comparison;
using tippe::test::Outcome;

int usage() {
  fmt::print(stderr,
             "differential [--seed FIRST] [--count SCENES | --seconds TIME] [--integrators MOST] [--show] [--kind WORDS] "
             "[--all]\n");
  return 2;
}

struct Request {
  unsigned seed = 1;
  long count = -1;
  double seconds = -1.0;
  int integrators = 3;
  bool show = false, all = false;
  std::string kind;
};

void print(const tippe::test::RandomScene& scene, const Comparison& comparison) {
  std::string traits;
  for (const std::string& trait : scene.traits) traits += ", " + trait;
  fmt::print("seed {} ({}{}), {}: {}{}\n", scene.seed, scene.kind, traits, comparison.what, name_of(comparison.outcome),
             comparison.note.empty() ? "" : ": " + comparison.note);
  std::fflush(stdout);
}

int search(const Request& request) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  tippe::test::Tally tally;
  long scenes = 0;
  std::string findings;
  for (unsigned seed = request.seed; request.seconds >= 0.0 ? elapsed() < request.seconds : scenes < request.count; ++seed) {
    const tippe::test::RandomScene scene = tippe::test::make_random_scene(seed);
    if (scene.kind.find(request.kind) == std::string::npos) continue;
    const std::vector<Comparison> comparisons = judge_scene(scene, request.integrators, true, &interrupted);
    if (interrupted) break;
    ++scenes;
    bool found = false;
    for (const Comparison& comparison : comparisons) {
      tally.add(comparison.what, comparison);
      if (comparison.outcome == Outcome::kFinding) findings += fmt::format("seed {}, {}\n", seed, comparison.what);
      if (comparison.outcome == Outcome::kFinding || (request.all && comparison.outcome != Outcome::kAgrees))
        print(scene, comparison);
      found = found || comparison.outcome == Outcome::kFinding;
    }
    if (found) fmt::print("{}\n", scene.scene("moreau", 1e-4));
    const Comparison solved = tippe::test::judge_problem(seed);
    tally.add(solved.what, solved);
    if (solved.outcome != Outcome::kFinding) continue;
    fmt::print("problem {}: {}\n", seed, solved.note);
    findings += fmt::format("problem {}\n", seed);
  }
  fmt::print("{}{} scenes in {:.1f} s, {} comparisons\n{}{}", interrupted ? "interrupted: " : "", scenes, elapsed(),
             tally.all(), tally.table(), findings.empty() ? "" : "findings:\n" + findings);
  return tally.count(Outcome::kFinding) == 0 ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--show") {
      request.show = true;
      continue;
    }
    if (option == "--all") {
      request.all = true;
      continue;
    }
    if (i + 1 == argc) return usage();
    const char* value = argv[++i];
    if (option == "--seed") {
      request.seed = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    } else if (option == "--count") {
      request.count = std::strtol(value, nullptr, 10);
    } else if (option == "--seconds") {
      request.seconds = std::strtod(value, nullptr);
    } else if (option == "--integrators") {
      request.integrators = std::atoi(value);
    } else if (option == "--kind") {
      request.kind = value;
    } else {
      return usage();
    }
  }
  try {
    if (request.show) {
      fmt::print("{}", tippe::test::make_random_scene(request.seed).scene("event-driven", 1e-4));
      return 0;
    }
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, interrupt);
    if (request.count < 0 && request.seconds < 0.0) request.count = 1;
    return search(request);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
