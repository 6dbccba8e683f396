// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "differential/random_scene.h"

namespace tippe::test {

/// What a comparison came to.
enum class Outcome {
  kAgrees,     // within the order of the scheme
  kSlowly,     // within it at steps a hundred times shorter: the motion is faster than the steps
  kWarned,     // differs, and the program says that something is not unique, inexact or too deep
  kChaotic,    // differs, and a start or loads changed as little as the scheme errs make as much of a difference
  kNotUnique,  // differs, and a change of nearly nothing makes as much of a difference
  kRefused,    // stopped or refused with a message
  kFinding,    // none of these: somebody is wrong and does not say so
};
[[nodiscard]] const char* name_of(Outcome outcome);

struct Comparison {
  std::string what;  // "moreau", "event-driven in plain units"
  Outcome outcome = Outcome::kAgrees;
  std::string note;  // numbers, or the message
};

/// All comparisons that a scene gives: the integrators that fit it, as many as `most` drawn by its seed, at two step sizes against event-driven or, where that does not fit, the finest run;
/// the reference in the units and at the clock of the scene against that in plain ones; energy books; and what analyze says of its end against the motion from there.
/// `verify`: every step also by the judge of tippe verify.
/// `stop`: when it becomes true, runs end, and what is returned says nothing.
[[nodiscard]] std::vector<Comparison> judge_scene(const RandomScene& scene, int most, bool verify = true,
                                                  const std::atomic<bool>* stop = nullptr);

/// Random contact problems with few laws: solve against enumeration, each solution by the residual of the other.
[[nodiscard]] Comparison judge_problem(unsigned seed);

/// How many comparisons had which outcome.
class Tally {
 public:
  void add(const std::string& what, const Comparison& comparison);
  [[nodiscard]] std::string table() const;
  [[nodiscard]] int count(Outcome outcome) const;
  [[nodiscard]] int all() const;

 private:
  std::map<std::string, std::map<Outcome, int>> counts_;
  std::map<std::string, int> reasons_;  // of what is not decided, without numbers
};

}  // namespace tippe::test
