// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/enumerate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/combinations.h"
#include "tippe/core/least_squares.h"
#include "tippe/solve/sliding_angles.h"

namespace tippe {
namespace {

constexpr double kAligned = 1e-16;      // of the constant part: no number is nearer
constexpr double kSameSolution = 1e-6;  // of the impulses: starts that led to one solution

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<ContactMode> modes_of(const LawSet& law, int size) {
  using enum ContactMode;
  if (std::holds_alternative<HalfLine>(law)) return {kOpen, kClosed};
  if (std::holds_alternative<Interval>(law)) return {kStick, kSlideForward, kSlideBackward};
  if (size == 2) return {kOpen, kStick, kSlideForward, kSlideBackward};
  return {kOpen, kStick, kSlide};
}

/// The equations of one combination of modes.
class ModeEquations {
 public:
  ModeEquations(const InclusionProblem& problem, const MatrixXd& G, const std::vector<ContactMode>& modes)
      : problem_(problem), G_(G), modes_(modes) {
    for (size_t i = 0; i < modes.size(); ++i) {
      if (modes[i] == ContactMode::kSlide) sliding_.push_back(static_cast<int>(i));
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
        case ContactMode::kOpen:
          for (int k = 0; k < size; ++k) require_impulse(row + k, 0.0);
          break;
        case ContactMode::kClosed:
        case ContactMode::kStick:
          for (int k = 0; k < size; ++k) require_no_velocity(row + k);
          break;
        case ContactMode::kSlideForward:
        case ContactMode::kSlideBackward: {
          const bool plus = modes_[i] == ContactMode::kSlideForward;
          if (interval != nullptr) {
            require_impulse(row, plus ? -interval->upper : -interval->lower);
            break;
          }
          require_no_velocity(row);
          A(row + 1, row + 1) = 1.0;
          A(row + 1, row) = plus ? contact->mu1 : -contact->mu1;
          break;
        }
        case ContactMode::kSlide: {
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

  /// Zero when each sliding velocity points along the outward normal of its friction ellipse.
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

  [[nodiscard]] VectorXd refine(const VectorXd& start) const {
    const auto evaluate = [this](const VectorXd& angles) { return misalignment(angles); };
    return find_sliding_angles(evaluate, start, kAligned * problem_.c.norm()).angles;
  }

 private:
  const InclusionProblem& problem_;
  const MatrixXd& G_;
  const std::vector<ContactMode>& modes_;
  std::vector<int> sliding_;  // laws that slide in a plane
};

}  // namespace

bool enumeration_applies(const InclusionProblem& problem, const EnumerationOptions& options) {
  if (problem.G.blocks.blocks() > options.most_laws) return false;
  return std::none_of(problem.laws.begin(), problem.laws.end(), [](const LawSet& law) {
    const auto* contact = std::get_if<CoulombContact>(&law);
    return std::holds_alternative<DrillingContact>(law) || std::holds_alternative<PlaneFriction>(law) ||
           std::holds_alternative<DrillingFriction>(law) || (contact != nullptr && contact->extra_normal > 0.0);
  });
}

std::vector<EnumeratedSolution> enumerate_solutions(const InclusionProblem& problem, const EnumerationOptions& options) {
  std::vector<EnumeratedSolution> solutions;
  const int laws = problem.G.blocks.blocks();
  if (!enumeration_applies(problem, options)) return solutions;
  std::vector<std::vector<ContactMode>> choices;
  for (int i = 0; i < laws; ++i) choices.push_back(modes_of(problem.laws[i], problem.G.blocks.block_size(i)));
  const MatrixXd G = dense(problem.G);
  // Several starts for each angle of sliding in a plane; they may lead to different solutions.
  constexpr int kStarts = 6;
  std::vector<double> starts;
  for (int k = 0; k < kStarts; ++k) starts.push_back(2.0 * std::numbers::pi * (k + 0.3) / kStarts);
  ResidualWork work;
  for_each_combination(choices, [&](const std::vector<ContactMode>& modes) {
    const ModeEquations equations(problem, G, modes);
    std::vector<VectorXd> found;
    const std::vector<std::vector<double>> angles(static_cast<size_t>(equations.angles()), starts);
    for_each_combination(angles, [&](const std::vector<double>& start) {
      const VectorXd angle = Eigen::Map<const VectorXd>(start.data(), equations.angles());
      VectorXd Lambda = equations.solve(equations.refine(angle));
      const double residual = evaluate_residual(problem, Lambda, work).relative;
      if (!(residual <= options.tolerance)) return;
      const bool known = std::any_of(found.begin(), found.end(), [&](const VectorXd& other) {
        return (other - Lambda).norm() <= kSameSolution * Lambda.norm();
      });
      if (known) return;
      found.push_back(Lambda);
      solutions.push_back({modes, std::move(Lambda), residual});
    });
  });
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
