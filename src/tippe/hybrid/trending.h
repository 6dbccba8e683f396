// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/modes/modes.h"

namespace tippe {

/// Derivatives of gaps and forces that are looked at first, and where these are all zero, Johnson (19).
constexpr int kTrendingOrder = 6, kMostTrendingOrder = 16;

/// What counts as zero when derivatives are looked at.
struct TrendScale {
  double size = 0.0;  // of the quantity, or of its derivative number `unit`
  int unit = 0;
  double time = 1.0;     // s  over which the motion changes
  double instant = 0.0;  // s  to which the instant is known
  double span = 0.0;     // s  for which more than round-off is asked; 0: `time`
};

/// The first of the Taylor coefficients from `first` to `last` that is not zero: |c_k| T^(k - unit) > 1e-9 size, with the span for T where k > unit, and more than
/// c_k changes within the instant.
[[nodiscard]] Trend find_trend(const double* coefficients, int first, int last, const TrendScale& scale);

/// m/s^2  the size of the accelerations that a row is made of, by which zero is told, at the state that the flow was expanded
/// about. Where the loads balance, a little of what the motion and the loads of the whole system stand for.
[[nodiscard]] double acceleration_scale(const System& system, const ModeFlow& flow, int law, int row);
/// N  likewise of normal forces.
[[nodiscard]] double force_scale(const System& system, const ModeFlow& flow, int law);

/// The modes of all laws, of which it is asked whether the motion in them keeps to them.
struct TrendQuestion {
  std::span<const ContactMode> modes;
  std::span<const Eigen::VectorXd> directions;  // as in ModeFlow::set_modes()
  const Eigen::VectorXd& shares;                // as in ModeFlow::set_shares()
  std::span<const int> laws;                    // those in scope
  const std::vector<bool>& sliding;             // of all laws: whether they slide already
  const std::vector<bool>&
      sharing;  // of all laws: whether their forces are one choice of many, which say nothing; may be empty
};

struct TrendAnswer {
  bool consistent = false;
  std::vector<int> undecided;   // laws of which all derivatives are zero, and which stay so in a short simulation
  double simulated = 0.0;       // s  that simulation; 0: derivatives decided
  std::vector<Trend> trending;  // of all laws; order -1: not in scope
};

/// Whether gaps that open, forces that push, friction within its limit and slips that begin go the right way along the motion in
/// given modes: by its derivatives up to kTrendingOrder, where those are zero up to kMostTrendingOrder, and where those are zero
/// too by simulating a little and looking, Johnson (20).
class TrendJudge {
 public:
  TrendJudge(const System& system, ModeFlow& flow) : system_(system), flow_(flow) {}

  /// Leaves the flow expanded about the state, if the answer is consistent.
  [[nodiscard]] TrendAnswer judge(const State& given, const TrendQuestion& question);

 private:
  /// A quantity that must become positive (strict), or may stay zero.
  struct Condition {
    int law;
    bool strict;
    Trend::Of of;
    int first;  // coefficients before are zero
    TrendScale scale;
    std::vector<double> coefficients;
    Trend trend = {};
  };

  [[nodiscard]] bool expand(const State& state, const TrendQuestion& question, int order);
  void collect(const TrendQuestion& question);
  void add(int law, bool strict, Trend::Of of, int first, double size, int unit, const double* coefficients);
  void collect_slip(int law, const TrendQuestion& question);
  void collect_reserves(int law);
  void collect_cone(int law);
  [[nodiscard]] bool any_fails() const;
  [[nodiscard]] bool all_decided() const;
  void decide();
  void sum_up(const TrendQuestion& question, TrendAnswer& answer) const;
  double look_ahead(const State& state, const TrendQuestion& question);
  bool look_at(double later, const TrendQuestion& question);

  const System& system_;
  ModeFlow& flow_;
  std::vector<Condition> conditions_;
};

}  // namespace tippe
