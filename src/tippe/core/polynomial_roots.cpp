// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/polynomial_roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

constexpr int kMaxCoefficients = 64;
constexpr int kMaxDepth = 52;  // intervals of half the spacing of numbers at 1
using Coefficients = std::array<double, kMaxCoefficients>;

// p(x) = sum a_k x^k on [0, 1] with a_0 != 0.
struct Polynomial {
  Coefficients a;
  int degree = 0;

  struct Value {
    double p = 0.0, slope = 0.0, curvature = 0.0;
  };
  [[nodiscard]] Value at(double x) const {
    Value v;
    for (int k = degree; k >= 0; --k) {
      v.curvature = v.curvature * x + 2.0 * v.slope;
      v.slope = v.slope * x + v.p;
      v.p = v.p * x + a[k];
    }
    return v;
  }
};

// The zero of f in [low, high], where it has the sign `sign` at low and the opposite one at high, by Newton's method within a bracket
// that is halved whenever Newton's step does not halve it. f(x) gives value and derivative.
template <class Function>
double bracketed_zero(double low, double high, int sign, Function&& f) {
  double x = 0.5 * (low + high);
  double previous = high - low, step = previous;
  for (int i = 0; i < 200; ++i) {
    const auto [value, slope] = f(x);
    if (value == 0.0) return x;
    ((value > 0.0) == (sign > 0) ? low : high) = x;
    const double newton = x - value / slope;
    double next = newton;
    // Also where the slope is zero or not a number.
    if (!(newton > low && newton < high && std::abs(newton - x) <= 0.5 * std::abs(previous)))
      next = low + 0.5 * (high - low);
    previous = step;
    step = next - x;
    if (std::abs(step) <= 0.5 * kMachineEpsilon * x || next == low || next == high) return next;
    x = next;
  }
  return x;
}

// Looks at the polynomial at ascending points between which it is monotone or within the tolerance. A root is a stretch within the
// tolerance, or a change of sign, between two points where the polynomial is not zero.
class RootScan {
 public:
  RootScan(const Polynomial& p, double tolerance, double end, std::vector<PolynomialRoot>& roots)
      : p_(p), tolerance_(tolerance), end_(end), roots_(roots), side_(p.a[0] > 0.0 ? 1 : -1) {
    left_zero_ = std::abs(p.a[0]) > tolerance_;
  }

  void add(double x, double value) {
    last_ = value;
    if (std::abs(value) <= tolerance_) {
      if (!touches_ || side_ * value < side_ * closest_value_) {
        closest_ = x;
        closest_value_ = value;
      }
      touches_ = true;
      return;
    }
    const int sign = value > 0.0 ? 1 : -1;
    if (sign != side_) {
      push(crossing(x), sign);
    } else if (touches_ && left_zero_) {
      push(closest_, sign);
    }
    side_ = sign;
    clear_ = x;
    left_zero_ = true;
    touches_ = false;
  }

  // The last point was 1.
  void finish() {
    if (!touches_ || !left_zero_) return;
    if (side_ * last_ < 0.0) {
      push(crossing(1.0), -side_);
    } else {
      push(closest_, 0);
    }
  }

 private:
  [[nodiscard]] double crossing(double x) const {
    return bracketed_zero(clear_, x, side_, [&](double y) {
      const auto v = p_.at(y);
      return std::pair(v.p, v.slope);
    });
  }
  void push(double x, int after) {
    roots_.push_back({.t = x == 1.0 ? end_ : std::min(end_, x * end_), .before = side_, .after = after});
  }

  const Polynomial& p_;
  const double tolerance_, end_;
  std::vector<PolynomialRoot>& roots_;
  int side_;                // sign at the last point that is not zero; before the first one at 0
  double clear_ = 0.0;      // that point
  bool left_zero_ = false;  // whether there was one
  bool touches_ = false;    // whether points within the tolerance followed it
  double closest_ = 0.0, closest_value_ = 0.0;
  double last_ = 0.0;
};

class Subdivision {
 public:
  Subdivision(const Polynomial& p, double tolerance, RootScan& scan)
      : p_(p), n_(p.degree), tolerance_(tolerance), scan_(scan) {}

  // b: Bernstein coefficients on [low, high].
  void visit(Coefficients& b, double low, double high, int depth) {
    const auto [smallest, largest] = std::minmax_element(b.begin(), b.begin() + n_ + 1);
    const bool clear = *smallest > tolerance_ || *largest < -tolerance_;
    const bool zero = *smallest >= -tolerance_ && *largest <= tolerance_;
    if (clear || zero || depth == kMaxDepth || !changes(b, 1)) {
      scan_.add(high, b[n_]);
      return;
    }
    if (!changes(b, 2)) {  // convex or concave: one extremum
      const double x = bracketed_zero(low, high, b[1] > b[0] ? 1 : -1, [&](double y) {
        const auto v = p_.at(y);
        return std::pair(v.slope, v.curvature);
      });
      scan_.add(x, p_.at(x).p);
      scan_.add(high, b[n_]);
      return;
    }
    // de Casteljau at the middle: b becomes the right half.
    Coefficients left;
    for (int j = 0; j <= n_; ++j) {
      left[j] = b[0];
      for (int i = 0; i < n_ - j; ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
    }
    const double middle = 0.5 * (low + high);
    visit(left, low, middle, depth + 1);
    visit(b, middle, high, depth + 1);
  }

 private:
  // Whether differences of an order change their sign.
  [[nodiscard]] bool changes(const Coefficients& b, int order) const {
    bool up = false, down = false;
    for (int i = 0; i + order <= n_; ++i) {
      const double difference = order == 1 ? b[i + 1] - b[i] : (b[i + 2] - b[i + 1]) - (b[i + 1] - b[i]);
      up = up || difference > 0.0;
      down = down || difference < 0.0;
    }
    return up && down;
  }

  const Polynomial& p_;
  const int n_;
  const double tolerance_;
  RootScan& scan_;
};

}  // namespace

std::vector<PolynomialRoot> isolate_roots(std::span<const double> coefficients, double end, double tolerance,
                                          int leading_zeros) {
  std::size_t first = leading_zeros;
  while (first < coefficients.size() && coefficients[first] == 0.0) ++first;
  std::size_t count = coefficients.size();
  while (count > first && coefficients[count - 1] == 0.0) --count;
  if (count <= first + 1) return {};
  if (count - first > kMaxCoefficients) throw std::invalid_argument("isolate_roots: more than 64 coefficients");

  Polynomial p;
  p.degree = static_cast<int>(count - first) - 1;
  const int n = p.degree;
  double power = 1.0, others = 0.0;
  for (std::size_t k = 0; k < first; ++k) power *= end;
  for (int k = 0; k <= n; ++k) {
    p.a[k] = coefficients[first + k] * power;
    power *= end;
    if (k > 0) others += std::abs(p.a[k]);
  }
  const double size = std::abs(p.a[0]) + others;
  if (!std::isfinite(size)) throw std::invalid_argument("isolate_roots: a coefficient is not finite");
  // What conversion, subdivision and evaluation make of a zero.
  const double zero = std::max(tolerance, 4.0 * kMachineEpsilon * size);
  if (std::abs(p.a[0]) > others + zero) return {};

  // b_i = sum_k C(i, k) / C(n, k) a_k, the sums over k by Pascal's triangle.
  Coefficients b;
  double inverse_binomial = 1.0;
  b[0] = p.a[0];
  for (int k = 1; k <= n; ++k) {
    inverse_binomial *= static_cast<double>(k) / (n - k + 1);
    b[k] = p.a[k] * inverse_binomial;
  }
  for (int j = 1; j <= n; ++j) {
    for (int i = n; i >= j; --i) b[i] += b[i - 1];
  }

  std::vector<PolynomialRoot> roots;
  RootScan scan(p, zero, end, roots);
  Subdivision(p, zero, scan).visit(b, 0.0, 1.0, 0);
  scan.finish();
  return roots;
}

}  // namespace tippe
