// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/enumerate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/least_squares.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<LawMode> modes_of(const LawSet& law, int size) {
  if (std::holds_alternative<HalfLine>(law)) return {LawMode::kOpen, LawMode::kClosed};
  if (std::holds_alternative<Interval>(law)) return {LawMode::kClosed, LawMode::kSlidePlus, LawMode::kSlideMinus};
  if (size == 2) return {LawMode::kOpen, LawMode::kClosed, LawMode::kSlidePlus, LawMode::kSlideMinus};
  return {LawMode::kOpen, LawMode::kClosed, LawMode::kSlide};
}

/// The equations of one combination of modes.
class ModeEquations {
 public:
  ModeEquations(const InclusionProblem& problem, const MatrixXd& G, const std::vector<LawMode>& modes)
      : problem_(problem), G_(G), modes_(modes) {
    for (size_t i = 0; i < modes.size(); ++i) {
      if (modes[i] == LawMode::kSlide) sliding_.push_back(static_cast<int>(i));
    }
  }

  [[nodiscard]] int angles() const { return static_cast<int>(sliding_.size()); }

  /// The impulses for given directions of sliding in a plane: -Lambda_T = Lambda_N (mu1 cos, mu2 sin).
  [[nodiscard]] VectorXd solve(const VectorXd& angle) const {
    const auto n = G_.rows();
    MatrixXd A = MatrixXd::Zero(n, n);
    VectorXd b = VectorXd::Zero(n);
    int next_angle = 0;
    for (size_t i = 0; i < modes_.size(); ++i) {
      const int row = problem_.G.blocks.row[i], size = problem_.G.blocks.block_size(static_cast<int>(i));
      const auto require_no_velocity = [&](int k) {
        A.row(k) = G_.row(k);
        b[k] = -problem_.c[k];
      };
      const auto require_impulse = [&](int k, double value) {
        A(k, k) = 1.0;
        b[k] = value;
      };
      const auto* interval = std::get_if<Interval>(&problem_.laws[i]);
      const auto* contact = std::get_if<CoulombContact>(&problem_.laws[i]);
      switch (modes_[i]) {
        case LawMode::kOpen:
          for (int k = 0; k < size; ++k) require_impulse(row + k, 0.0);
          break;
        case LawMode::kClosed:
          for (int k = 0; k < size; ++k) require_no_velocity(row + k);
          break;
        case LawMode::kSlidePlus:
        case LawMode::kSlideMinus: {
          const bool plus = modes_[i] == LawMode::kSlidePlus;
          if (interval != nullptr) {
            require_impulse(row, plus ? -interval->upper : -interval->lower);
            break;
          }
          require_no_velocity(row);
          A(row + 1, row + 1) = 1.0;
          A(row + 1, row) = plus ? contact->mu1 : -contact->mu1;
          break;
        }
        case LawMode::kSlide: {
          const double phi = angle[next_angle++];
          require_no_velocity(row);
          A(row + 1, row + 1) = A(row + 2, row + 2) = 1.0;
          A(row + 1, row) = contact->mu1 * std::cos(phi);
          A(row + 2, row) = contact->mu2 * std::sin(phi);
          break;
        }
      }
    }
    return LeastSquares(A).solve(b);
  }

  /// Zero when each sliding velocity points along the outward normal of its friction ellipse. Not relative to that velocity: where
  /// it is small, its direction hardly depends on the angle but at the solution.
  [[nodiscard]] VectorXd misalignment(const VectorXd& angle) const {
    const VectorXd xi = G_ * solve(angle) + problem_.c;
    VectorXd result(angles());
    for (int a = 0; a < angles(); ++a) {
      const auto& contact = std::get<CoulombContact>(problem_.laws[static_cast<size_t>(sliding_[a])]);
      const int row = problem_.G.blocks.row[sliding_[a]];
      // In the variables mu xi the normal of the ellipse is (cos, sin).
      const double x = contact.mu1 * xi[row + 1], y = contact.mu2 * xi[row + 2];
      result[a] = y * std::cos(angle[a]) - x * std::sin(angle[a]);
    }
    return result;
  }

  /// Newton's method on the angles from one start; the derivative by differences.
  [[nodiscard]] VectorXd refine(VectorXd angle) const {
    VectorXd value = misalignment(angle);
    for (int iteration = 0; iteration < 50 && value.norm() > 1e-16 * problem_.c.norm(); ++iteration) {
      MatrixXd derivative(angles(), angles());
      for (int a = 0; a < angles(); ++a) {
        constexpr double kStep = 1e-7;
        VectorXd up = angle, down = angle;
        up[a] += kStep;
        down[a] -= kStep;
        derivative.col(a) = (misalignment(up) - misalignment(down)) / (2.0 * kStep);
      }
      VectorXd step = LeastSquares(derivative).solve(-value);
      const double largest = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) break;
      if (largest > 0.5) step *= 0.5 / largest;
      bool better = false;
      for (double damping = 1.0; damping > 1e-3 && !better; damping *= 0.5) {
        const VectorXd trial = angle + damping * step, trial_value = misalignment(trial);
        if (trial_value.norm() >= value.norm()) continue;
        angle = trial;
        value = trial_value;
        better = true;
      }
      if (!better) break;
    }
    return angle;
  }

 private:
  const InclusionProblem& problem_;
  const MatrixXd& G_;
  const std::vector<LawMode>& modes_;
  std::vector<int> sliding_;  // laws that slide in a plane
};

/// Counts through all combinations of `sizes[i]` choices; false after the last.
bool advance(std::vector<int>& digits, const std::vector<int>& sizes) {
  for (size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < sizes[i]) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

bool enumeration_applies(const InclusionProblem& problem, const EnumerationOptions& options) {
  if (problem.G.blocks.blocks() > options.most_laws) return false;
  return std::none_of(problem.laws.begin(), problem.laws.end(), [](const LawSet& law) {
    const auto* contact = std::get_if<CoulombContact>(&law);
    return std::holds_alternative<DrillingContact>(law) || (contact != nullptr && contact->extra_normal > 0.0);
  });
}

std::vector<EnumeratedSolution> enumerate_solutions(const InclusionProblem& problem, const EnumerationOptions& options) {
  std::vector<EnumeratedSolution> solutions;
  const int laws = problem.G.blocks.blocks();
  if (!enumeration_applies(problem, options)) return solutions;
  std::vector<std::vector<LawMode>> choices;
  std::vector<int> sizes;
  for (int i = 0; i < laws; ++i) {
    choices.push_back(modes_of(problem.laws[i], problem.G.blocks.block_size(i)));
    sizes.push_back(static_cast<int>(choices.back().size()));
  }
  const MatrixXd G = dense(problem.G);
  ResidualWork work;
  std::vector<int> digits(static_cast<size_t>(laws), 0);
  do {
    std::vector<LawMode> modes;
    for (int i = 0; i < laws; ++i) modes.push_back(choices[i][digits[i]]);
    const ModeEquations equations(problem, G, modes);
    // Several starts for each angle of sliding in a plane; they may lead to different solutions.
    constexpr int kStarts = 6;
    std::vector<int> start(static_cast<size_t>(equations.angles()), 0);
    const std::vector<int> starts(start.size(), kStarts);
    std::vector<VectorXd> found;
    do {
      VectorXd angle(equations.angles());
      for (int a = 0; a < equations.angles(); ++a) angle[a] = 2.0 * std::numbers::pi * (start[a] + 0.3) / kStarts;
      VectorXd Lambda = equations.solve(equations.refine(angle));
      const double residual = evaluate_residual(problem, Lambda, work).relative;
      if (!(residual <= options.tolerance)) continue;
      const bool known = std::any_of(found.begin(), found.end(), [&](const VectorXd& other) {
        return (other - Lambda).norm() <= 1e-6 * (1e-300 + Lambda.norm());
      });
      if (known) continue;
      found.push_back(Lambda);
      solutions.push_back({modes, std::move(Lambda), residual});
    } while (advance(start, starts));
  } while (advance(digits, sizes));
  return solutions;
}

SolveStatus solve_by_enumeration(const InclusionProblem& problem, const EnumerationOptions& options, Solution& solution) {
  const std::vector<EnumeratedSolution> all = enumerate_solutions(problem, options);
  const auto best =
      std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.residual < b.residual; });
  if (best == all.end()) return SolveStatus::kMaxIterations;
  solution.Lambda = best->Lambda;
  solution.residual = best->residual;
  solution.iterations = static_cast<int>(all.size());
  solution.status = SolveStatus::kConverged;
  return solution.status;
}

}  // namespace tippe
