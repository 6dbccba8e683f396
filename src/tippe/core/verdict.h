// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace tippe {

enum class Answer { kYes, kNo, kUndecided };

[[nodiscard]] constexpr const char* name_of(Answer answer) {
  return answer == Answer::kYes ? "yes" : answer == Answer::kNo ? "no" : "undecided";
}

/// An answer with its distance from the boundary between yes and no, where there is a measure of it: positive on the side of yes.
struct Verdict {
  Answer answer = Answer::kUndecided;
  std::optional<double> margin;

  [[nodiscard]] bool yes() const { return answer == Answer::kYes; }
  [[nodiscard]] bool no() const { return answer == Answer::kNo; }
};

/// Margins smaller than this, in scaled data, decide nothing.
constexpr double kVerdictTolerance = 1e-9;

/// The verdict on a strict inequality, margin > 0.
[[nodiscard]] constexpr Verdict strict_verdict(double margin, double tolerance = kVerdictTolerance) {
  if (margin > tolerance) return {Answer::kYes, margin};
  if (margin < -tolerance) return {Answer::kNo, margin};
  return {Answer::kUndecided, margin};
}

}  // namespace tippe
