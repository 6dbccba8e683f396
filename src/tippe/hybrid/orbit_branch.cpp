// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/orbit_branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/core/rank_decision.h"
#include "tippe/hybrid/full_turns.h"
#include "tippe/hybrid/linear_motion.h"
#include "tippe/hybrid/return_map.h"
#include "tippe/hybrid/return_multipliers.h"
#include "tippe/hybrid/state_vector.h"
#include "tippe/model/cyclic_coordinates.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

constexpr double kFirstStep = 5e-3,
                 kLeastBranchStep = 1e-7;  // along the branch, in sizes of the coordinates and of the range of the parameter
constexpr double kLongestStep = 0.04;
constexpr double kStepAnew = 1e-4;        // on another section, past the place where the last one is lost
constexpr int kMostIterations = 8;        // of Newton's method at each point
constexpr double kParameterStep = 1e-7;   // of differences by the parameter, relative to the range
constexpr double kProjectionStep = 1e-5;  // of differences of projections, relative to the sizes
constexpr double kOfMap = 1e-13;          // of the derivative of the return map: its round-off, where it stretches
constexpr double kMostOfMap = 1e-9;       // of that: beyond there are no orbits to be told from each other
constexpr double kNoise = 1e-7;           // of derivatives of the return map: singular values below are zero
constexpr double kSingularMatrix = 1e-9;  // of Newton's matrix
constexpr double kAmplitude = 0.02;       // with which a doubled orbit begins, relative to the sizes
constexpr double kGrazing = 1e-2;         // of the largest impulse of a period
constexpr int kMostDoublings = 3;
constexpr const char* kHalves = "the period halves";
// Of the sizes: orbits that repeat so closely after half their returns are gone through twice; at a turn of the parameter, where that is the root of its error.
constexpr double kHalved = 1e-4, kHalvedAtFold = 1e-3;

/// A place on a branch: coordinates of the return map relative to their sizes, then the parameter relative to its range.
struct Place {
  VectorXd x;
  SectionPoint point;
  MatrixXd D;  // of R by the coordinates
  VectorXd by_parameter;
  VectorXd change;          // R(z) - z
  double half = kInfinity;  // of R(z) - z after half the returns, the largest; of an odd number infinite
  VectorXd tangent;         // of the branch
  BranchPoint seen;
};

/// Systems at one value of the parameter and on both sides of it.
struct Systems {
  double parameter;
  SystemAtValue at, below, above;
  bool derived;  // false where a side is refused: a coefficient may end here, as a restitution at 1
  std::unique_ptr<ReturnMap> map, map_below, map_above;
};

bool rubs_on_a_line(const ForceLaw& law) {
  return law.kind == ForceLaw::Kind::kContact && law.rows == 2;
}

/// What friction does in the impacts of these events: velocities after them have a corner where that changes.
std::string impact_modes_of(const System& system, const std::vector<Event>& events) {
  constexpr double kAtLimit = 1e-9;
  std::string modes;
  for (const Event& event : events) {
    if (event.kind != EventKind::kImpact) continue;
    Index row = 0;
    for (const ForceLaw& law : system.laws()) {
      const double normal = event.impulse[row];
      if (rubs_on_a_line(law) && normal > 0.0) {
        const double limit = friction_along(law, 1) * normal, friction = event.impulse[row + 1];
        modes += std::abs(friction) < (1.0 - kAtLimit) * limit ? 'o' : friction > 0.0 ? '+' : '-';
      }
      row += law.rows;
    }
  }
  return modes;
}

bool same_way(const BranchPoint& a, const BranchPoint& b) {
  return a.impact_modes == b.impact_modes &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), [](const Event& x, const Event& y) {
           return x.kind == y.kind && x.laws == y.laws && x.after == y.after;
         });
}

/// What of one kind passes through zero along a branch: positive or negative at each place, 0 where it has no meaning.
struct TestFunction {
  BranchMark::Kind kind;
  double (*value)(const Place& place);
};

double product_of(const Place& place, double sign) {
  std::complex<double> product = 1.0;
  for (const std::complex<double>& multiplier : place.seen.multipliers) product *= 1.0 + sign * multiplier;
  return product.real();
}

const TestFunction kTests[] = {
    {BranchMark::Kind::kFold, [](const Place& place) { return place.tangent[place.tangent.size() - 1]; }},
    {BranchMark::Kind::kFlip, [](const Place& place) { return product_of(place, 1.0); }},
    {BranchMark::Kind::kTorus,
     [](const Place& place) {
       for (const std::complex<double>& multiplier : place.seen.multipliers) {
         if (multiplier.imag() > 0.0) return std::norm(multiplier) - 1.0;
       }
       return 0.0;
     }},
    {BranchMark::Kind::kBranching, [](const Place& place) { return product_of(place, -1.0); }},
};

class BranchTracer {
 public:
  BranchTracer(const SystemFamily& family, const BranchOptions& options, std::vector<bool> kept, std::vector<bool> turns,
               Section section, int returns, VectorXd sizes)
      : family_(family),
        options_(options),
        kept_(std::move(kept)),
        turns_(std::move(turns)),
        section_(std::move(section)),
        returns_(returns),
        sizes_(std::move(sizes)),
        range_(std::abs(options.to - options.from)) {}

  /// The map from one return to itself, so many returns later, on which the sizes of its coordinates are measured.
  static VectorXd measure(const SystemAtValue& at, const std::vector<bool>& kept, const SectionPoint& point,
                          const Section& section, int returns, double period) {
    ReturnMap map(*at.system, kept, at.forcing_period, nullptr, {}, section.is_stroboscopic());
    const Passage passage = map.follow(point, section, returns, point.state.t + 2.0 * period);
    VectorXd sizes = VectorXd::Zero(map.size());
    for (const SectionPoint& seen : passage.points) sizes = sizes.cwiseMax(seen.largest);
    constexpr double kRoundOff = 1e-8;  // of the largest: what does not move has no size
    const double least = kRoundOff * sizes.maxCoeff();
    return sizes.unaryExpr([least](double size) { return size > least ? size : 1.0; });
  }

  void begin_at(const SectionPoint& point, double period) {
    base_ = point;
    period_ = period;
  }

  [[nodiscard]] VectorXd coordinates(const State& state, double parameter) {
    const Systems& systems = systems_at(parameter);
    VectorXd x(sizes_.size() + 1);
    x << systems.map->coordinates(state).cwiseQuotient(sizes_), parameter / range_;
    return x;
  }
  /// The ends of the range themselves, not what round-off makes of them: beyond them the system may not exist.
  [[nodiscard]] double parameter_of(const VectorXd& x) const {
    const double parameter = x[x.size() - 1] * range_;
    constexpr double kSame = 1e-12;
    for (const double end : {options_.from, options_.to}) {
      if (std::abs(parameter - end) < kSame * range_) return end;
    }
    return parameter;
  }
  [[nodiscard]] const std::string& why() const { return why_; }

  /// Newton's method for an orbit in the plane across `across` through `start`.
  std::optional<Place> correct(const VectorXd& start, const VectorXd& across, int* iterations = nullptr) {
    Place place;
    place.x = start;
    double last = kInfinity;
    for (int k = 0; k < kMostIterations; ++k) {
      if (!evaluate(place)) return std::nullopt;
      if (iterations != nullptr) *iterations = k;
      const double residual = place.change.cwiseAbs().maxCoeff();
      if (residual <= std::max(options_.tolerance, std::min(kOfMap * place.D.norm(), kMostOfMap))) {
        place.seen.residual = residual;
        finish(place, across);
        return place;
      }
      if (k > 1 && residual > 0.5 * last) {
        why_ = fmt::format("Newton's method does not converge (residual {:.2g})", residual);
        return std::nullopt;
      }
      last = residual;
      VectorXd rhs(place.x.size());
      rhs << -place.change, -across.dot(place.x - start);
      const VectorXd step = solve_least_norm(decompose_singular(matrix_of(place, across)), rhs, kSingularMatrix);
      constexpr double kFar = 0.5;
      if (!(step.norm() < kFar)) {
        why_ = "Newton's method leads far away";
        return std::nullopt;
      }
      place.x += step;
    }
    why_ = fmt::format("Newton's method does not converge (residual {:.2g})", last);
    return std::nullopt;
  }

  OrbitBranch trace(Place place, double direction);
  [[nodiscard]] const Systems& systems_at(double parameter);
  [[nodiscard]] const std::vector<Place>& flips() const { return flips_; }
  [[nodiscard]] bool interrupted() const { return options_.interrupt != nullptr && *options_.interrupt; }
  [[nodiscard]] const VectorXd& sizes() const { return sizes_; }

 private:
  bool evaluate(Place& place);
  std::optional<Place> change_section(const Place& place);
  void note_grazing(const Place& place, OrbitBranch& branch);
  void finish(Place& place, const VectorXd& along);
  bool look_between(const Place& a, const Place& b, double step, OrbitBranch& branch);
  void find_change_of_events(const Place& a, const Place& b, double step, OrbitBranch& branch);
  [[nodiscard]] std::string difference_of(const BranchPoint& a, const BranchPoint& b, bool& grazing);

  [[nodiscard]] static MatrixXd matrix_of(const Place& place, const VectorXd& across) {
    const Index n = place.D.rows();
    MatrixXd A(n + 1, n + 1);
    A.topLeftCorner(n, n) = place.D - MatrixXd::Identity(n, n);
    A.topRightCorner(n, 1) = place.by_parameter;
    A.bottomRows(1) = across.transpose();
    return A;
  }

  const SystemFamily& family_;
  const BranchOptions& options_;
  std::vector<bool> kept_, turns_;
  Section section_;
  int returns_;
  VectorXd sizes_;
  double range_;
  SectionPoint base_;
  double period_ = 0.0;
  std::optional<Systems> systems_;
  VectorXd by_parameter_;  // of the last orbit with both sides
  std::vector<Place> flips_;
  BranchPoint tried_;  // events of the last motion that returned
  std::string why_;
};

const Systems& BranchTracer::systems_at(double parameter) {
  if (systems_ && systems_->parameter == parameter) return *systems_;
  const SystemAtValue middle = family_(parameter);
  int sides = 0;
  const auto beside = [&](double step) {
    try {
      const SystemAtValue side = family_(parameter + step * range_);
      ++sides;
      return side;
    } catch (const InputError&) {
      return middle;
    }
  };
  Systems systems{parameter, middle, beside(-kParameterStep), beside(kParameterStep), false, {}, {}, {}};
  systems.derived = sides == 2;
  const auto map_of = [&](const SystemAtValue& at) {
    return std::make_unique<ReturnMap>(*at.system, kept_, at.forcing_period, options_.interrupt, turns_,
                                       section_.is_stroboscopic());
  };
  systems.map = map_of(systems.at);
  systems.map_below = map_of(systems.below);
  systems.map_above = map_of(systems.above);
  systems_ = std::move(systems);
  return *systems_;
}

/// R at the place, and its derivatives.
bool BranchTracer::evaluate(Place& place) {
  if (interrupted()) {
    why_ = "interrupted";
    return false;
  }
  const Index n = sizes_.size();
  const double parameter = parameter_of(place.x);
  try {
    static_cast<void>(systems_at(parameter));
  } catch (const InputError& refusal) {
    why_ = fmt::format("at {} the scene is refused: {}", parameter, refusal.what());
    return false;
  }
  const Systems& systems = systems_at(parameter);
  ReturnMap& map = *systems.map;
  const bool driven = systems.at.forcing_period > 0.0 && !section_.is_stroboscopic();
  const auto projected = [&](ReturnMap& by, const VectorXd& x) {
    SectionPoint point = base_;
    by.set_coordinates(x.cwiseProduct(sizes_), point.state);
    if (!by.project(point)) why_ = "the section cannot be reached";
    return point;
  };
  why_.clear();
  const VectorXd x = place.x.head(n);
  place.point = projected(map, x);
  MatrixXd start(stacked(base_.state.q, base_.state.u).size(), n + 1);
  RowVectorXd shift = RowVectorXd::Zero(n + 1);
  for (Index j = 0; j <= n; ++j) {
    const bool by_state = j < n;
    if (!by_state && !systems.derived) {
      start.col(j).setZero();
      continue;
    }
    const VectorXd step = by_state ? VectorXd(VectorXd::Unit(n, j) * kProjectionStep) : VectorXd::Zero(n);
    const double size = by_state ? kProjectionStep : kParameterStep;
    const State low = projected(by_state ? map : *systems.map_below, x - step).state,
                high = projected(by_state ? map : *systems.map_above, x + step).state;
    start.col(j) = (stacked(high.q, high.u) - stacked(low.q, low.u)) / (2.0 * size);
    if (driven) shift[j] = (high.t - low.t) / (2.0 * size);
  }
  if (!why_.empty()) return false;
  std::vector<Variation> variations(static_cast<size_t>(n));
  variations.push_back(systems.derived ? Variation{systems.below.system.get(), systems.above.system.get(), kParameterStep}
                                       : Variation{});
  LinearMotion motion(*systems.at.system, map.integrator(), ReturnMap::kTolerance, std::move(variations));
  motion.set_tangent(start, shift);
  constexpr double kLonger = 3.0;
  const Passage passage = map.follow(place.point, section_, returns_, place.point.state.t + kLonger * period_);
  if (!passage.arrived() || passage.points.back().event.after != base_.event.after) {
    why_ = passage.status == Passage::Status::kFailed ? passage.message : "the motion does not return to the section";
    return false;
  }
  constexpr double kOtherPeriod = 0.3;  // from one orbit of the branch to the next
  if (std::abs(passage.points.back().state.t - place.point.state.t - period_) > kOtherPeriod * period_) {
    why_ = "the motion returns to the section at another time";
    return false;
  }
  tried_.events = passage.events;
  tried_.impact_modes = impact_modes_of(*systems.at.system, passage.events);
  if (!motion.trouble().empty()) {
    why_ = motion.trouble();
    return false;
  }
  const SectionPoint& back = passage.points.back();
  place.change = map.difference(place.point.state, back.state).cwiseQuotient(sizes_);
  place.half = kInfinity;
  if (returns_ % 2 == 0) {
    const State& half = passage.points[static_cast<size_t>(returns_ / 2 - 1)].state;
    place.half = map.difference(place.point.state, half).cwiseQuotient(sizes_).cwiseAbs().maxCoeff();
  }
  MatrixXd D(n, n + 1);
  for (Index j = 0; j <= n; ++j) {
    State column = back.state;
    column.q = motion.tangent().col(j).head(column.q.size());
    column.u = motion.tangent().col(j).tail(column.u.size());
    column.t = motion.time_shift()[j];
    D.col(j) = map.coordinates(column).cwiseQuotient(sizes_);
  }
  place.D = D.leftCols(n);
  place.by_parameter = D.col(n);
  if (driven && systems.derived) {  // R(z) - z leaves out whole periods of the forcing, which may depend on the parameter
    const double periods = std::round((back.state.t - place.point.state.t) / systems.at.forcing_period);
    const double by = (systems.above.forcing_period - systems.below.forcing_period) / (2.0 * kParameterStep);
    place.by_parameter[n - 1] -= std::max(1.0, periods) * by / sizes_[n - 1];
  }
  if (systems.derived)
    by_parameter_ = place.by_parameter;
  else if (by_parameter_.size() == n)  // nearly that of the orbit before
    place.by_parameter = by_parameter_;
  place.x.head(n) = map.coordinates(place.point.state).cwiseQuotient(sizes_);
  BranchPoint& seen = place.seen;
  seen.parameter = systems.parameter;
  seen.section = section_;
  seen.returns = returns_;
  seen.state = place.point.state;
  seen.period = back.state.t - place.point.state.t;
  seen.events = passage.events;
  seen.impact_modes = impact_modes_of(*systems.at.system, passage.events);
  for (Event& event : seen.events) event.t -= place.point.state.t;
  place.point = {place.point.state, back.memory, back.event, back.largest};
  return true;
}

/// What an orbit that was found is like, and the branch there, on in the direction `along`.
void BranchTracer::finish(Place& place, const VectorXd& along) {
  place.seen.multipliers = nonzero_eigenvalues(place.D, kNoise * std::max(1.0, place.D.norm()));
  place.seen.stability = stability_of(place.seen.multipliers, 0.0);
  const VectorXd on = VectorXd::Unit(place.x.size(), place.x.size() - 1);
  VectorXd rhs = on;
  place.tangent = solve_least_norm(decompose_singular(matrix_of(place, along)), rhs, kSingularMatrix);
  place.tangent.normalize();
}

std::string BranchTracer::difference_of(const BranchPoint& a, const BranchPoint& b, bool& grazing) {
  const System& system = *systems_->at.system;
  std::map<std::string, int> counts;
  double largest = 0.0, least = kInfinity;
  for (const auto& [point, sign] : {std::pair{&a, -1}, std::pair{&b, 1}}) {
    for (const Event& event : point->events) {
      counts[section_text(system, {.kind = event.kind, .laws = event.laws})] += sign;
      largest = std::max(largest, event.impulse.size() > 0 ? event.impulse.norm() : 0.0);
    }
  }
  std::string text;
  bool impacts_alone = true;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    impacts_alone = impacts_alone && name.starts_with("impact:");
    text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", name, count > 0 ? "appears" : "disappears");
    for (const BranchPoint* point : {&a, &b}) {
      for (const Event& event : point->events) {
        if (event.impulse.size() > 0 && section_text(system, {.kind = event.kind, .laws = event.laws}) == name)
          least = std::min(least, event.impulse.norm());
      }
    }
  }
  // An impact that nothing takes the place of vanishes with its velocity.
  grazing = !text.empty() && (impacts_alone || least < kGrazing * largest);
  if (!text.empty()) return text;
  return a.impact_modes != b.impact_modes ? "an impact changes between sticking and slipping"
                                          : "the order of events or the modes after them change";
}

/// Brackets the change by bisection between two orbits.
void BranchTracer::find_change_of_events(const Place& a, const Place& b, double step, OrbitBranch& branch) {
  Place low = a, high = b;
  double s_low = 0.0, s_high = step;
  constexpr double kNear = 1e-4;
  while (s_high - s_low > kNear * step) {
    const double s = 0.5 * (s_low + s_high);
    std::optional<Place> middle = correct(a.x + s * a.tangent, a.tangent);
    if (!middle) break;
    const bool as_low = same_way(middle->seen, a.seen);
    (as_low ? low : high) = std::move(*middle);
    (as_low ? s_low : s_high) = s;
  }
  bool grazing = false;
  const std::string note = difference_of(low.seen, high.seen, grazing);
  branch.marks.push_back({grazing ? BranchMark::Kind::kGrazing : BranchMark::Kind::kSequence, low.seen, note});
}

/// The marks between two orbits, the second a step along the tangent of the first. False if the period halves between them: the parameter turns
/// where both halves of the orbit become the same, and on the other side they have changed places.
bool BranchTracer::look_between(const Place& a, const Place& b, double step, OrbitBranch& branch) {
  if (!same_way(a.seen, b.seen)) find_change_of_events(a, b, step, branch);
  bool folds = false;
  for (const TestFunction& test : kTests) {
    double f_low = test.value(a), f_high = test.value(b);
    if (!(f_low * f_high < 0.0) || (test.kind == BranchMark::Kind::kBranching && folds)) continue;
    Place best = std::abs(f_low) < std::abs(f_high) ? a : b;
    double s_low = 0.0, s_high = step, least = std::min(std::abs(f_low), std::abs(f_high));
    const double at_first = std::max(std::abs(f_low), std::abs(f_high));
    int side = 0;
    constexpr int kMost = 40;
    for (int k = 0; k < kMost && s_high - s_low > 1e-9 * step && least > 1e-10; ++k) {  // regula falsi (Illinois)
      const double s = (s_low * f_high - s_high * f_low) / (f_high - f_low);
      const std::optional<Place> middle = correct(a.x + s * a.tangent, a.tangent);
      if (!middle) break;
      const double f = test.value(*middle);
      if (std::abs(f) < least) {
        least = std::abs(f);
        best = *middle;
      }
      if (f * f_low > 0.0) {
        s_low = s;
        f_low = f;
        if (side == -1) f_high *= 0.5;
        side = -1;
      } else {
        s_high = s;
        f_high = f;
        if (side == 1) f_low *= 0.5;
        side = 1;
      }
    }
    constexpr double kPasses = 1e-5;  // of what it is at the ends; else it jumps, where events change
    if (!(least < kPasses * at_first)) continue;
    folds = folds || test.kind == BranchMark::Kind::kFold;
    if (test.kind == BranchMark::Kind::kFold && best.half < kHalvedAtFold && a.half >= kHalvedAtFold) {
      branch.marks.push_back({BranchMark::Kind::kFlip, best.seen, "of the orbit of half the period"});
      return false;
    }
    branch.marks.push_back({test.kind, best.seen});
    if (test.kind == BranchMark::Kind::kFlip) flips_.push_back(best);
  }
  return true;
}

/// The same orbit on another section, from which the branch goes on.
std::optional<Place> BranchTracer::change_section(const Place& place) {
  if (section_.is_stroboscopic()) return std::nullopt;  // it is never lost
  ReturnMap& map = *systems_at(place.seen.parameter).map;
  map.integrator().restore_memory(base_.memory);
  const Passage passage = map.record(place.seen.state, place.seen.state.t + (1.0 + 1e-6) * place.seen.period);
  const Section section = section_;
  const int returns = returns_;
  const VectorXd sizes = sizes_;
  const SectionPoint base = base_;
  for (const SectionPoint& point : passage.points) {
    section_ = {point.event.kind, point.event.laws, point.event.after};
    if (section.holds(point.event) || point.event.laws.empty()) continue;
    returns_ = static_cast<int>(std::count_if(passage.points.begin(), passage.points.end(),
                                              [&](const SectionPoint& other) { return section_.holds(other.event); }));
    base_ = point;
    sizes_ = measure(systems_->at, kept_, point, section_, returns_, period_);
    const VectorXd x = coordinates(point.state, place.seen.parameter);
    std::optional<Place> anew = correct(x, VectorXd::Unit(x.size(), x.size() - 1));
    if (!anew) continue;
    const Index last = x.size() - 1;
    if (anew->tangent[last] * place.tangent[place.tangent.size() - 1] < 0.0) anew->tangent = -anew->tangent;
    const std::optional<Place> onwards = correct(anew->x + kStepAnew * anew->tangent, anew->tangent);
    if (onwards) return anew;
  }
  section_ = section;
  returns_ = returns;
  sizes_ = sizes;
  base_ = base;
  return std::nullopt;
}

/// A branch that ends with an impact that is nearly none ends in its grazing, as does one beyond which the motion has another impact.
void BranchTracer::note_grazing(const Place& place, OrbitBranch& branch) {
  double largest = 0.0;
  for (const Event& event : place.seen.events)
    largest = std::max(largest, event.impulse.size() > 0 ? event.impulse.norm() : 0.0);
  for (const Event& event : place.seen.events) {
    if (event.kind != EventKind::kImpact || event.impulse.norm() > kGrazing * largest) continue;
    const std::string name = section_text(*systems_->at.system, {.kind = event.kind, .laws = event.laws});
    branch.marks.push_back({BranchMark::Kind::kGrazing, place.seen,
                            fmt::format("'{}' has {:.2g} of the largest impulse", name, event.impulse.norm() / largest)});
    return;
  }
  if (tried_.events.empty() || same_way(place.seen, tried_)) return;
  bool grazing = false;
  const std::string note = difference_of(place.seen, tried_, grazing);
  branch.marks.push_back(
      {grazing ? BranchMark::Kind::kGrazing : BranchMark::Kind::kSequence, place.seen, "beyond, " + note});
}

OrbitBranch BranchTracer::trace(Place place, double direction) {
  OrbitBranch branch{{place.seen}, {}, {}};
  if (place.tangent[place.tangent.size() - 1] * direction < 0.0) place.tangent = -place.tangent;
  const double low = std::min(options_.from, options_.to), high = std::max(options_.from, options_.to);
  double step = kFirstStep;
  std::string last_trouble;
  const bool twice = place.half < kHalved;  // as was asked for
  const auto halves = [twice](const Place& at) { return !twice && at.half < kHalved; };
  while (static_cast<int>(branch.points.size()) < options_.most_points) {
    if (options_.tell) options_.tell(place.seen.parameter, branch.points.size());
    int iterations = 0;
    std::optional<Place> next = correct(place.x + step * place.tangent, place.tangent, &iterations);
    // A step that turns sharply has left the branch, or passes a corner of it.
    constexpr double kTurns = 0.5;
    const bool sharp = next && next->tangent.dot(place.tangent) < kTurns && step > 1e3 * kLeastBranchStep;
    const double parameter = next ? next->seen.parameter : parameter_of(place.x + step * place.tangent);
    const bool leaves = parameter > high || parameter < low;
    bool halved = next && halves(*next);
    if (leaves && !sharp) {  // the last orbit is that at the end of the range, beyond which there may be none
      const std::string trouble = why_;
      const VectorXd on = VectorXd::Unit(place.x.size(), place.x.size() - 1);
      VectorXd start = next ? next->x : VectorXd(place.x + step * place.tangent);
      const double end = std::clamp(parameter, low, high) / range_;
      const double part = (end - place.x[start.size() - 1]) / (start[start.size() - 1] - place.x[start.size() - 1]);
      start = place.x + part * (start - place.x);
      start[start.size() - 1] = end;
      std::optional<Place> last = correct(start, on);
      if (last && !halves(*last)) {
        branch.end = "the end of the range";
        if (last->tangent.dot(place.tangent) < 0.0) last->tangent = -last->tangent;
        if (look_between(place, *last, (last->x - place.x).dot(place.tangent), branch))
          branch.points.push_back(last->seen);
        else
          branch.end = kHalves;
        return branch;
      }
      halved = halved || last;
      if (next && !last) {
        branch.end = "the end of the range";
        return branch;
      }
      why_ = trouble;
    }
    if (!next || sharp || halved) {
      if (interrupted()) {
        branch.end = "interrupted";
        return branch;
      }
      last_trouble = halved ? kHalves : next ? "the branch turns sharply" : why_;
      step *= 0.5;
      if (step >= kLeastBranchStep) continue;
      std::optional<Place> anew = change_section(place);
      if (!anew) {
        branch.end = last_trouble;
        if (halved)
          branch.marks.push_back({BranchMark::Kind::kFlip, place.seen, "of the orbit of half the period"});
        else
          note_grazing(place, branch);
        return branch;
      }
      place = std::move(*anew);
      step = kStepAnew;
      continue;
    }
    if (!look_between(place, *next, step, branch)) {
      branch.end = kHalves;
      return branch;
    }
    branch.points.push_back(next->seen);
    base_ = next->point;
    period_ = next->seen.period;
    place = std::move(*next);
    if (iterations <= 3) step = std::min(kLongestStep, 1.6 * step);
    if (iterations > 5) step *= 0.6;
  }
  branch.end = fmt::format("{} points", options_.most_points);
  return branch;
}

}  // namespace

const char* name_of(BranchMark::Kind kind) {
  switch (kind) {
    case BranchMark::Kind::kFold:
      return "fold";
    case BranchMark::Kind::kFlip:
      return "flip";
    case BranchMark::Kind::kTorus:
      return "Neimark-Sacker";
    case BranchMark::Kind::kBranching:
      return "branching";
    case BranchMark::Kind::kSequence:
      return "change of events";
    case BranchMark::Kind::kGrazing:
      return "grazing";
  }
  return "";
}

OrbitBranches follow_branch(const SystemFamily& family, const PeriodicOrbit& orbit, const BranchOptions& options) {
  const SystemAtValue first = family(options.from);
  const EquationInputs inputs = find_equation_inputs(*first.system->lagrangian());
  SectionPoint point{orbit.state, orbit.memory, orbit.events.back(), {}};
  // In the first period: later ones move with its length.
  if (first.forcing_period > 0.0) point.state.t -= first.forcing_period * std::floor(point.state.t / first.forcing_period);
  const VectorXd sizes = BranchTracer::measure(first, inputs.coordinate, point, orbit.section, orbit.returns, orbit.period);
  const std::vector<bool> turns = find_full_turns(*first.system, point.state);
  OrbitBranches all;
  const auto make = [&](int returns) {
    return BranchTracer(family, options, inputs.coordinate, turns, orbit.section, returns, sizes);
  };

  BranchTracer tracer = make(orbit.returns);
  tracer.begin_at(point, orbit.period);
  const VectorXd x = tracer.coordinates(point.state, options.from);
  const VectorXd on = VectorXd::Unit(x.size(), x.size() - 1);
  const std::optional<Place> start = tracer.correct(x, on);
  if (!start) {
    all.status = tracer.interrupted() ? PeriodicOrbit::Status::kInterrupted : PeriodicOrbit::Status::kNotConverged;
    all.message = fmt::format("the branch does not begin: {}", tracer.why());
    return all;
  }
  all.branches.push_back(tracer.trace(*start, options.to - options.from));

  struct Doubling {
    Place flip;
    int returns, depth;
  };
  std::deque<Doubling> due;
  const auto take = [&](const BranchTracer& from, int returns, int depth) {
    for (const Place& flip : from.flips()) due.push_back({flip, returns, depth});
  };
  if (options.switch_at_flips) take(tracer, orbit.returns, 1);
  while (!due.empty() && !tracer.interrupted()) {
    const Doubling doubling = std::move(due.front());
    due.pop_front();
    const Index n = doubling.flip.D.rows();
    VectorXd across = VectorXd::Zero(n + 1);
    across.head(n) = decompose_singular(doubling.flip.D + MatrixXd::Identity(n, n)).V.col(n - 1);
    for (double amplitude = kAmplitude; amplitude > 1e-4; amplitude *= 0.5) {
      BranchTracer doubled = make(2 * doubling.returns);
      doubled.begin_at(doubling.flip.point, 2.0 * doubling.flip.seen.period);
      std::optional<Place> begun = doubled.correct(doubling.flip.x + amplitude * across, across);
      if (!begun) continue;
      if (begun->tangent.dot(across) < 0.0) begun->tangent = -begun->tangent;
      const double direction = begun->tangent[n];
      all.branches.push_back(doubled.trace(*begun, direction));
      if (doubling.depth < kMostDoublings) take(doubled, 2 * doubling.returns, doubling.depth + 1);
      break;
    }
  }
  if (tracer.interrupted()) {
    all.status = PeriodicOrbit::Status::kInterrupted;
    all.message = "interrupted: the branches are those until then";
  }
  return all;
}

}  // namespace tippe
