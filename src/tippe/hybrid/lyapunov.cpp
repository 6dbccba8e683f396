// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/hybrid/linear_motion.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMotionTolerance = 1e-12;  // of the motion: differences of its polynomials keep their digits
constexpr double kDestroyed = 1e-7;         // of a direction at one event: what is left is the error of differences
constexpr size_t kParts = 8;                // of the time, whose exponents are compared

/// Directions that are made orthonormal again and again, with the logarithms of what each of them grew by.
class Frame {
 public:
  Frame(LinearMotion& motion, const LyapunovOptions& options) : motion_(motion), options_(options) {}

  /// At the beginning of a piece of motion. The first one tells the directions that there are.
  void renew(double t, const State& start, const std::vector<ContactMode>& modes) {
    if (!begun_) {
      begun_ = true;
      const std::vector<ContactMode> open(modes.size(), ContactMode::kOpen);
      all_ = motion_.allowed_directions(start, open).cols();
      MatrixXd directions = motion_.allowed_directions(start, modes);
      if (options_.most > 0 && directions.cols() > options_.most) directions = directions.leftCols(options_.most).eval();
      asked_ = options_.most > 0 ? std::min<Index>(options_.most, all_) : all_;
      motion_.set_tangent(directions);
      sums_ = VectorXd::Zero(directions.cols());
    }
    orthonormalize();
    if (t >= options_.transient && !measuring_) {
      measuring_ = true;
      begin_ = t;
      weights_ = motion_.sizes();
      orthonormalize();
      sums_.setZero();
      marks_.clear();
    }
    while (measuring_ && t >= begin_ + (options_.until - begin_) * static_cast<double>(marks_.size()) / kParts)
      marks_.push_back({t, sums_});
  }

  /// Gram and Schmidt, twice for the digits. A direction of which nothing is left goes.
  void orthonormalize() {
    const VectorXd& sizes = measuring_ ? weights_ : motion_.sizes();
    MatrixXd V = sizes.cwiseInverse().asDiagonal() * motion_.tangent();
    std::vector<Index> kept;
    for (Index j = 0; j < V.cols(); ++j) {
      const double length = V.col(j).norm();
      for (int pass = 0; pass < 2; ++pass) {
        for (const Index i : kept) V.col(j) -= V.col(i).dot(V.col(j)) * V.col(i);
      }
      const double left = V.col(j).norm();
      if (!(left > kDestroyed * length)) continue;
      sums_[j] += std::log(left);
      V.col(j) /= left;
      kept.push_back(j);
    }
    if (static_cast<Index>(kept.size()) < V.cols()) {
      V = V(Eigen::all, kept).eval();
      sums_ = sums_(kept).eval();
      marks_.clear();
    }
    motion_.set_tangent(sizes.asDiagonal() * V);
  }

  void report(double t, LyapunovSpectrum& spectrum) {
    if (!measuring_ || !(t > begin_)) return;
    spectrum.begin = begin_;
    spectrum.end = t;
    orthonormalize();
    marks_.push_back({t, sums_});
    std::vector<std::pair<double, double>> found;
    for (Index j = 0; j < sums_.size(); ++j) {
      double error = kInfinity;
      if (marks_.size() > kParts) {
        const double mean = sums_[j] / (t - begin_);
        double square = 0.0;
        for (size_t k = 1; k < marks_.size(); ++k) {
          const double time = marks_[k].t - marks_[k - 1].t;
          const double part = time > 0.0 ? (marks_[k].sums[j] - marks_[k - 1].sums[j]) / time : mean;
          square += (part - mean) * (part - mean);
        }
        const double count = static_cast<double>(marks_.size() - 1);
        error = std::sqrt(square / (count * (count - 1.0)));
      }
      found.emplace_back(sums_[j] / (t - begin_), error);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [exponent, error] : found) {
      spectrum.exponents.push_back(exponent);
      spectrum.errors.push_back(error);
    }
    while (static_cast<Index>(spectrum.exponents.size()) < asked_) {
      spectrum.exponents.push_back(-kInfinity);
      spectrum.errors.push_back(0.0);
    }
  }

  [[nodiscard]] bool measuring() const { return measuring_; }

 private:
  struct Mark {
    double t;
    VectorXd sums;
  };
  LinearMotion& motion_;
  const LyapunovOptions& options_;
  bool begun_ = false, measuring_ = false;
  double begin_ = 0.0;
  Index all_ = 0, asked_ = 0;
  VectorXd weights_, sums_;
  std::vector<Mark> marks_;
};

}  // namespace

LyapunovSpectrum find_lyapunov_exponents(const System& system, const State& start, const LyapunovOptions& options) {
  if (!(options.transient >= start.t) || !(options.until > options.transient)) {
    throw InputError({}, fmt::format("the transient must end between the start at t = {} and until = {}, not at t = {}",
                                     start.t, options.until, options.transient));
  }
  EventDriven integrator(system, {.tolerance = kMotionTolerance});
  LinearMotion motion(system, integrator, kMotionTolerance, {});
  Frame frame(motion, options);
  State state = start;
  motion.set_departure([&](double t) { frame.renew(t, state, integrator.modes()); });
  LyapunovSpectrum spectrum;
  const auto leave = [&](LyapunovSpectrum::Status status, std::string message) {
    spectrum.status = status;
    spectrum.message = std::move(message);
    return spectrum;
  };
  while (state.t < options.until) {
    if (options.interrupt != nullptr && *options.interrupt) {
      frame.report(state.t, spectrum);
      return leave(LyapunovSpectrum::Status::kInterrupted, fmt::format("interrupted at t = {:.6g}", state.t));
    }
    const double end = state.t < options.transient ? options.transient : options.until;
    const StepReport report = integrator.step(state, end - state.t);
    if (!report.ok()) return leave(LyapunovSpectrum::Status::kFailed, describe_failure(system, report, state));
    if (!motion.trouble().empty()) return leave(LyapunovSpectrum::Status::kNoDerivative, motion.trouble());
    if (frame.measuring()) spectrum.events += static_cast<int>(integrator.last_events().size());
    if (options.tell) options.tell(state.t);
  }
  frame.report(state.t, spectrum);
  return spectrum;
}

}  // namespace tippe
