// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tippe {
namespace {

// Below and above, a contact is treated as if it had this much: one that sticks or opens with the most does so with more.
constexpr double kLeastFriction = 1e-6, kLargestFriction = 1e8;
constexpr double kInside = 1e-12;  // of a step: round-off that may lead out of a cone
constexpr double kShortestInteriorStep = 1e-6;
constexpr double kCentral = 1e-2;          // of the mean product
constexpr double kBilateralShift = 1e-12;  // for bilateral rows that depend on each other

bool is_bilateral(const NormalForm::Block& block) {
  return block.kind == NormalForm::Kind::kLine && std::isinf(block.lower) && std::isinf(block.upper);
}

double hat(const NormalForm::Block& block) {
  return block.size > 1 ? std::clamp(block.mu, kLeastFriction, kLargestFriction) : 1.0;
}

template <class X>
double determinant(const X& x) {
  const double tangential = x.tail(x.size() - 1).norm();
  return (x[0] - tangential) * (x[0] + tangential);
}

/// The longest a in [0, limit] with x + a d in the cone x_0 >= |x_1..|.
template <class X, class Y>
double longest_in_cone(const X& x, const Y& d, double limit) {
  const auto inside = [&](double a) {
    const double normal = x[0] + a * d[0];
    return normal >= 0.0 && normal >= (x.tail(x.size() - 1) + a * d.tail(x.size() - 1)).norm();
  };
  if (x.size() == 1) return d[0] < 0.0 ? std::min(limit, -x[0] / d[0]) : limit;
  // Smallest positive root of |.|^2 = normal^2:  A a^2 + 2 B a + C = 0 with C > 0 inside.
  const double A = d[0] * d[0] - d.tail(d.size() - 1).squaredNorm();
  const double B = x[0] * d[0] - x.tail(x.size() - 1).dot(d.tail(d.size() - 1));
  const double C = determinant(x);
  const double discriminant = B * B - A * C;
  double a = limit;
  if (discriminant >= 0.0) {
    const double root = std::sqrt(discriminant);
    for (const double candidate : {C / (-B + root), C / (-B - root)}) {
      if (candidate > 0.0 && candidate < a) a = candidate;
    }
  }
  while (a > kInside && !inside(a * (1.0 - kInside))) a *= 0.9;
  return a;
}

/// Jordan product of second-order cones.
template <class X, class Y>
auto jordan(const X& x, const Y& y) {
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1> result(x.size());
  result[0] = x.dot(y);
  result.tail(x.size() - 1) = x[0] * y.tail(x.size() - 1) + y[0] * x.tail(x.size() - 1);
  return result;
}

/// v with l o v = y.
template <class X, class Y>
auto jordan_divide(const X& l, const Y& y) {
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1> v(l.size());
  const auto l_T = l.tail(l.size() - 1);
  const auto y_T = y.tail(l.size() - 1);
  v[0] = (l[0] * y[0] - l_T.dot(y_T)) / determinant(l);
  v.tail(l.size() - 1) = (y_T - v[0] * l_T) / l[0];
  return v;
}

}  // namespace

bool InteriorPoint::applies(const NormalForm& form) {
  return std::all_of(form.blocks.begin(), form.blocks.end(), [](const NormalForm::Block& block) {
    if (block.kind == NormalForm::Kind::kLine) return is_bilateral(block) || (block.lower == 0.0 && std::isinf(block.upper));
    return block.kind == NormalForm::Kind::kCone;
  });
}

bool InteriorPoint::is_cone(int block) const {
  return !is_bilateral(form_->blocks[block]);
}

void InteriorPoint::prepare(const NormalForm& form, const KeptVector& r, double inside) {
  form_ = &form;
  system_.prepare(form);
  scaling_.resize(form.blocks.size());
  r_ = r;
  z_.setZero(form.rows());
  dr_.setZero(form.rows());
  dz_.setZero(form.rows());
  v_.setZero(form.rows());
  form.evaluate_velocity(r, u_, kinetic_);
  slips_.resize(0);
  cones_ = 0;
  for (int i = 0; i < form.block_count(); ++i) {
    if (!is_cone(i)) continue;
    ++cones_;
    const NormalForm::Block& block = form.blocks[i];
    r_[block.row] *= hat(block);
    auto r_T = r_.segment(block.row + 1, block.size - 1);
    auto z_T = z_.segment(block.row + 1, block.size - 1);
    z_T = u_.segment(block.row + 1, block.size - 1);
    r_[block.row] = std::max(r_[block.row], r_T.norm()) + inside;
    z_[block.row] = std::max(u_[block.row] / hat(block) + z_T.norm(), z_T.norm()) + inside;
  }
  m_ = cones_ > 0 ? r_.dot(z_) / cones_ : 0.0;
  stuck_ = false;
  steps_ = 0;
}

void InteriorPoint::freeze_slips() {
  slips_.setZero(form_->block_count());
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    if (block.size > 1) slips_[i] = z_.segment(block.row + 1, block.size - 1).norm();
  }
}

void InteriorPoint::iterate(KeptVector& r) const {
  r = r_;
  for (const NormalForm::Block& block : form_->blocks) r[block.row] /= hat(block);
}

/// F = z^ - (sqrt(|z_T|^2 + e^2) - e) n - W^ r^ - q^ and J.
void InteriorPoint::evaluate_residual() {
  iterate(plain_);
  form_->evaluate_velocity(plain_, u_, kinetic_);
  F_ = z_ - u_;
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    SmallMatrix& J = scaling_[i].J;
    J.setIdentity(block.size, block.size);
    if (block.size == 1) continue;
    if (slips_.size() > 0) {
      F_[block.row] = z_[block.row] - slips_[i] - u_[block.row] / hat(block);
      continue;
    }
    const auto z_T = z_.segment(block.row + 1, block.size - 1);
    const double length = std::sqrt(z_T.squaredNorm() + m_ * m_);
    F_[block.row] = z_[block.row] - (length - m_) - u_[block.row] / hat(block);
    J.block(0, 1, 1, block.size - 1) = -z_T.transpose() / length;
  }
}

/// P = eta (2 v v' - J_0) with P r^ = P^-1 z^, J_0 = diag(1, -1, ..); eta^4 = det z^ / det r^.
void InteriorPoint::evaluate_scaling() {
  for (int i = 0; i < form_->block_count(); ++i) {
    if (!is_cone(i)) continue;
    const NormalForm::Block& block = form_->blocks[i];
    const Small r = r_.segment(block.row, block.size), z = z_.segment(block.row, block.size);
    Scaling& s = scaling_[i];
    if (block.size == 1) {
      const double p = std::sqrt(z[0] / r[0]);
      s.P.setConstant(1, 1, p);
      s.P_inverse.setConstant(1, 1, 1.0 / p);
      s.l.setConstant(1, std::sqrt(z[0] * r[0]));
      continue;
    }
    const double det_r = std::sqrt(determinant(r)), det_z = std::sqrt(determinant(z));
    Small r_bar = r / det_r;
    const Small z_bar = z / det_z;
    const double gamma = std::sqrt(0.5 * (1.0 + r_bar.dot(z_bar)));
    r_bar.tail(block.size - 1) *= -1.0;
    Small v = (z_bar + r_bar) / (2.0 * gamma);
    v[0] += 1.0;
    v /= std::sqrt(2.0 * v[0]);
    const double eta = std::sqrt(det_z / det_r);
    s.P = 2.0 * v * v.transpose();
    s.P(0, 0) -= 1.0;
    s.P.diagonal().tail(block.size - 1).array() += 1.0;
    v.tail(block.size - 1) *= -1.0;
    s.P_inverse = 2.0 * v * v.transpose();
    s.P_inverse(0, 0) -= 1.0;
    s.P_inverse.diagonal().tail(block.size - 1).array() += 1.0;
    s.P *= eta;
    s.P_inverse /= eta;
    s.l = s.P * r;
  }
}

/// (W^ + J P^2) dr = F + J P v, dz = P (v - P dr), l o v = sigma m e_0 - l o l - (P dr) o (P^-1 dz).
bool InteriorPoint::solve_direction(double sigma, bool corrector) {
  rhs_ = F_;
  for (int i = 0; i < form_->block_count(); ++i) {
    if (!is_cone(i)) continue;
    const NormalForm::Block& block = form_->blocks[i];
    const Scaling& s = scaling_[i];
    Small target = -jordan(s.l, s.l);
    target[0] += sigma * m_;
    if (corrector) {
      const Small a = s.P * dr_.segment(block.row, block.size), b = s.P_inverse * dz_.segment(block.row, block.size);
      target -= jordan(a, b);
    }
    const Small v = jordan_divide(s.l, target);
    v_.segment(block.row, block.size) = v;
    rhs_.segment(block.row, block.size) += s.J * (s.P * v);
  }
  // In the plain variables: T (W^ + J P^2) T, T = diag(mu, 1, 1).
  for (const NormalForm::Block& block : form_->blocks) rhs_[block.row] *= hat(block);
  system_.solve(rhs_, x_);
  if (!x_.allFinite()) return false;
  dr_ = x_;
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    dr_[block.row] *= hat(block);
    if (!is_cone(i)) continue;
    const Scaling& s = scaling_[i];
    const Small inner = v_.segment(block.row, block.size) - s.P * dr_.segment(block.row, block.size);
    dz_.segment(block.row, block.size) = s.P * inner;
  }
  return true;
}

double InteriorPoint::longest_step() const {
  double longest = 1e3;
  for (int i = 0; i < form_->block_count(); ++i) {
    if (!is_cone(i)) continue;
    const NormalForm::Block& block = form_->blocks[i];
    const auto part = [&](const Eigen::VectorXd& x) { return x.segment(block.row, block.size); };
    longest = longest_in_cone(part(r_), part(dr_), longest);
    longest = longest_in_cone(part(z_), part(dz_), longest);
  }
  return longest;
}

double InteriorPoint::mean_product(double length) const {
  double sum = 0.0;
  for (int i = 0; i < form_->block_count(); ++i) {
    if (!is_cone(i)) continue;
    const NormalForm::Block& block = form_->blocks[i];
    const auto moved = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& d) {
      return Small(x.segment(block.row, block.size) + length * d.segment(block.row, block.size));
    };
    sum += moved(r_, dr_).dot(moved(z_, dz_));
  }
  return cones_ > 0 ? sum / cones_ : 0.0;
}

/// No product of a contact runs ahead of the mean: det r^ det z^ >= (1e-2 m)^2.
bool InteriorPoint::central(double length, double mean) const {
  for (int i = 0; i < form_->block_count(); ++i) {
    if (!is_cone(i)) continue;
    const NormalForm::Block& block = form_->blocks[i];
    const auto moved = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& d) {
      return Small(x.segment(block.row, block.size) + length * d.segment(block.row, block.size));
    };
    const Small r = moved(r_, dr_), z = moved(z_, dz_);
    if (!(r[0] > 0.0 && z[0] > 0.0)) return false;
    const double product = block.size == 1 ? std::pow(r[0] * z[0], 2) : determinant(r) * determinant(z);
    if (!(product >= std::pow(kCentral * mean, 2))) return false;
  }
  return true;
}

bool InteriorPoint::step() {
  stuck_ = !try_step();
  double& before = m_before_[static_cast<size_t>(steps_++) % m_before_.size()];
  if (steps_ > static_cast<int>(m_before_.size()) && m_ > 0.5 * before) stuck_ = true;
  before = m_;
  return !stuck_;
}

bool InteriorPoint::try_step() {
  evaluate_residual();
  evaluate_scaling();
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    system_.A[i].setIdentity(block.size, block.size);
    system_.B[i].setZero(block.size, block.size);
    if (!is_cone(i)) continue;
    const Scaling& s = scaling_[i];
    system_.B[i] = s.J * (s.P * s.P);
    system_.B[i].row(0) *= hat(block);
    system_.B[i].col(0) *= hat(block);
  }
  if (!system_.factorize(kBilateralShift)) return false;
  if (!solve_direction(0.0, false)) return false;
  const double affine = std::min(1.0, longest_step());
  const double ratio = m_ > 0.0 ? mean_product(affine) / m_ : 0.0;
  const double sigma = std::clamp(ratio * ratio * ratio, 0.03, 1.0);
  // Where the corrector leads against a wall, a step towards the centre frees the way for the next.
  constexpr double kShort = 0.1;
  const auto longest_central_step = [&] {
    double length = std::min(1.0, 0.99 * longest_step());
    for (int attempt = 0; attempt < 20 && !central(length, mean_product(length)); ++attempt) length *= 0.8;
    return length;
  };
  if (!solve_direction(sigma, true)) return false;
  double length = longest_central_step();
  for (const double centring : {0.5, 1.0}) {
    if (length >= kShort) break;
    if (!solve_direction(std::max(sigma, centring), false)) return false;
    length = longest_central_step();
  }
  if (!(length > kShortestInteriorStep)) return false;
  r_ += length * dr_;
  z_ += length * dz_;
  m_ = cones_ > 0 ? r_.dot(z_) / cones_ : 0.0;
  return true;
}

}  // namespace tippe
