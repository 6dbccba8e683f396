// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/body.h"

#include <array>
#include <cassert>

namespace tippe {
namespace {

/// The coordinates, rates and velocities of a body as expressions, by their number in the body.
class BodyInputs {
 public:
  BodyInputs(const Body& body, const LagrangianDescription& description)
      : body_(body), graph_(*description.graph), inputs_(description.inputs()) {}

  [[nodiscard]] Expr q(int i) const { return graph_.input(inputs_.q(body_.first_coordinate + i)); }
  [[nodiscard]] Expr rate(int i) const { return graph_.input(inputs_.rate(body_.first_coordinate + i)); }
  [[nodiscard]] Expr u(int j) const { return graph_.input(inputs_.u(body_.first_velocity + j)); }
  [[nodiscard]] Vector3 q3(int first) const { return {q(first), q(first + 1), q(first + 2)}; }
  [[nodiscard]] Vector3 rate3(int first) const { return {rate(first), rate(first + 1), rate(first + 2)}; }
  [[nodiscard]] Vector3 u3(int first) const { return {u(first), u(first + 1), u(first + 2)}; }
  [[nodiscard]] Expr number(double value) const { return graph_.constant(value); }

 private:
  const Body& body_;
  ExprGraph& graph_;
  LagrangianInputs inputs_;
};

Vector3 combine(const std::array<Vector3, 3>& axes, const Vector3& a) {
  return a[0] * axes[0] + a[1] * axes[1] + a[2] * axes[2];
}

Vector3 times(const Eigen::Matrix3d& Theta, const Vector3& w) {
  Vector3 result;
  for (int i = 0; i < 3; ++i) result[static_cast<size_t>(i)] = dot(constant(w[0].graph(), Theta.row(i)), w);
  return result;
}

Expr half_square(Expr factor, const Vector3& v) {
  return factor.graph().constant(0.5) * factor * dot(v, v);
}

/// The entries of x~, x~ y = x x y.
using Matrix3 = std::array<Vector3, 3>;
Matrix3 tilde(const Vector3& x) {
  const Expr zero = x[0].graph().constant(0.0);
  return {Vector3{zero, -x[2], x[1]}, Vector3{x[2], zero, -x[0]}, Vector3{-x[1], x[0], zero}};
}

void add_gyro(LagrangianDescription& description, int row, int column, Expr value) {
  if (!value.is_constant(0.0)) description.bodies.gyro.push_back({row, column, value});
}

void add_kinetic(Expr& total, Expr T) {
  total = total.valid() ? total + T : T;
}

/// H = w~ Theta + Theta w~, Moeller (5.132); dA/dt = A(0, w)/2, Moeller (4.119).
void add_newton_euler(const Body& body, const BodyInputs& in, LagrangianDescription& description) {
  const Vector3 v = in.u3(0), w = in.u3(3);
  const Expr half = in.number(0.5);
  add_kinetic(description.bodies.kinetic, half_square(in.number(body.mass), v) + half * dot(w, times(body.inertia, w)));
  const Matrix3 w_tilde = tilde(w);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      Expr entry = in.number(0.0);
      for (size_t k = 0; k < 3; ++k) {
        const auto Theta = [&](size_t r, size_t c) {
          return in.number(body.inertia(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
        };
        entry = entry + w_tilde[i][k] * Theta(k, j) + Theta(i, k) * w_tilde[k][j];
      }
      add_gyro(description, body.first_velocity + 3 + static_cast<int>(i), body.first_velocity + 3 + static_cast<int>(j),
               entry);
    }
  }
  const Expr a0 = in.q(3);
  const Vector3 a = in.q3(4), turned = a0 * w + cross(a, w);
  const auto first = description.rates.begin() + body.first_coordinate;
  for (int i = 0; i < 3; ++i) first[i] = v[static_cast<size_t>(i)];
  first[3] = -(half * dot(a, w));
  for (int i = 0; i < 3; ++i) first[4 + i] = half * turned[static_cast<size_t>(i)];
  description.unit_quaternions.push_back({body.first_coordinate + 3, body.first_velocity + 3});
}

/// F'HF of Moeller (5.85) with F = phi(A)/(2|A|^2): the matrix of (5.85) is a product with a quaternion from the right and commutes
/// with phi(A), so that H_u = [0, -(Theta w)'; Theta w, -(Theta w)~] / |A|^2. dA/dt = A(nu, w)/(2|A|^2).
void add_scalable(const Body& body, const BodyInputs& in, LagrangianDescription& description) {
  const Vector3 v = in.u3(0), w = in.u3(4);
  const Expr nu = in.u(3), half = in.number(0.5);
  const Vector3 L = times(body.inertia, w);
  add_kinetic(description.bodies.kinetic,
              half_square(in.number(body.mass), v) + in.number(0.25 * body.inertia.trace()) * nu * nu + half * dot(w, L));
  const Expr a0 = in.q(3);
  const Vector3 a = in.q3(4);
  const Expr size = a0 * a0 + dot(a, a), inverse = in.number(1.0) / size;
  const int row = body.first_velocity + 3;
  const Matrix3 L_tilde = tilde(L);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<size_t>(i);
    add_gyro(description, row, row + 1 + i, -(inverse * L[k]));
    add_gyro(description, row + 1 + i, row, inverse * L[k]);
    for (int j = 0; j < 3; ++j)
      add_gyro(description, row + 1 + i, row + 1 + j, -(inverse * L_tilde[k][static_cast<size_t>(j)]));
  }
  const Vector3 turned = a0 * w + cross(a, w) + nu * a;
  const auto first = description.rates.begin() + body.first_coordinate;
  for (int i = 0; i < 3; ++i) first[i] = v[static_cast<size_t>(i)];
  first[3] = half * inverse * (a0 * nu - dot(a, w));
  for (int i = 0; i < 3; ++i) first[4 + i] = half * inverse * turned[static_cast<size_t>(i)];
  description.constraints.push_back(
      {{.holonomic = true, .name = body.name + " scaling", .key = body.key}, size - in.number(1.0), {}});
}

/// E = tr(Theta)/2 I - Theta.
Eigen::Matrix3d euler_tensor(const Body& body) {
  return 0.5 * body.inertia.trace() * Eigen::Matrix3d::Identity() - body.inertia;
}

/// T = m|v|^2/2 + sum_ij E_ij d_i' . d_j'/2 with the Euler tensor E, Moeller (4.19), (4.22).
void add_affine(const Body& body, const BodyInputs& in, LagrangianDescription& description) {
  const Eigen::Matrix3d E = euler_tensor(body);
  Expr T = half_square(in.number(body.mass), in.rate3(0));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) T = T + in.number(0.5 * E(i, j)) * dot(in.rate3(3 + 3 * i), in.rate3(3 + 3 * j));
  }
  add_kinetic(description.kinetic, T);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const Expr product = dot(in.q3(3 + 3 * i), in.q3(3 + 3 * j));
      const std::string name = body.name + " rigidity d" + std::to_string(i + 1) + "d" + std::to_string(j + 1);
      description.constraints.push_back({{.holonomic = true, .name = name, .key = body.key},
                                         i == j ? in.number(0.5) * (product - in.number(1.0)) : product,
                                         {}});
    }
  }
}

}  // namespace

/// The columns of R = aa' + 2 a0 a~ + a0^2 I + a~a~, a polynomial: |A|^2 times a rotation.          Moeller (6.50)
std::array<Vector3, 3> axes_of_quaternion(Expr a0, const Vector3& a) {
  const Expr two = a0.graph().constant(2.0);
  const Expr w2 = a0 * a0, x2 = a[0] * a[0], y2 = a[1] * a[1], z2 = a[2] * a[2];
  const Expr xy = two * (a[0] * a[1]), xz = two * (a[0] * a[2]), yz = two * (a[1] * a[2]);
  const Expr wx = two * (a0 * a[0]), wy = two * (a0 * a[1]), wz = two * (a0 * a[2]);
  return {Vector3{w2 + x2 - y2 - z2, xy + wz, xz - wy}, Vector3{xy - wz, w2 - x2 + y2 - z2, yz + wx},
          Vector3{xz + wy, yz - wx, w2 - x2 - y2 + z2}};
}

Vector3 turn(const BodyFrame& frame, const std::array<double, 3>& a) {
  return a[0] * frame.axes[0] + a[1] * frame.axes[1] + a[2] * frame.axes[2];
}

Vector3 place(const BodyFrame& frame, const std::array<double, 3>& at) {
  return frame.position + turn(frame, at);
}

Vector3 velocity_at(const BodyFrame& frame, const Vector3& offset) {
  return frame.velocity + cross(frame.angular_velocity, offset);
}

BodyFrame world_frame(ExprGraph& graph) {
  const Vector3 zero = constant(graph, Eigen::Vector3d::Zero());
  return {zero,
          {constant(graph, Eigen::Vector3d::UnitX()), constant(graph, Eigen::Vector3d::UnitY()),
           constant(graph, Eigen::Vector3d::UnitZ())},
          zero,
          zero};
}

std::vector<std::string> Body::coordinate_names() const {
  std::vector<std::string> names = {"x", "y", "z"};
  if (kind == BodyKind::kPlanar) names = {"x", "y", "phi"};
  if (kind == BodyKind::kNewtonEuler || kind == BodyKind::kScalable) names = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  if (kind == BodyKind::kAffine) names = {"x", "y", "z", "d1x", "d1y", "d1z", "d2x", "d2y", "d2z", "d3x", "d3y", "d3z"};
  for (std::string& coordinate : names) coordinate = name + "." + coordinate;
  return names;
}

std::vector<std::string> Body::velocity_names() const {
  std::vector<std::string> names = {"vx", "vy", "vz"};
  if (kind == BodyKind::kPlanar) names = {"vx", "vy", "w"};
  if (kind == BodyKind::kNewtonEuler) names = {"vx", "vy", "vz", "wx", "wy", "wz"};
  if (kind == BodyKind::kScalable) names = {"vx", "vy", "vz", "nu", "wx", "wy", "wz"};
  for (std::string& velocity : names) velocity = name + "." + velocity;
  if (kind == BodyKind::kAffine) {
    const std::vector<std::string> coordinates = coordinate_names();
    for (size_t i = 3; i < coordinates.size(); ++i) names.push_back(coordinates[i] + "'");
  }
  return names;
}

BodyFrame make_frame(const Body& body, const LagrangianDescription& description) {
  const BodyInputs in(body, description);
  BodyFrame frame = world_frame(*description.graph);
  switch (body.kind) {
    case BodyKind::kNewtonEuler:
    case BodyKind::kScalable: {
      const int first_w = body.kind == BodyKind::kScalable ? 4 : 3;
      frame.position = in.q3(0);
      frame.velocity = in.u3(0);
      frame.axes = axes_of_quaternion(in.q(3), in.q3(4));
      frame.angular_velocity = combine(frame.axes, in.u3(first_w));
      return frame;
    }
    case BodyKind::kAffine: {
      frame.position = in.q3(0);
      frame.velocity = in.rate3(0);
      for (int i = 0; i < 3; ++i) frame.axes[static_cast<size_t>(i)] = in.q3(3 + 3 * i);
      // The skew part of the gradient sum d_i' d^i of the velocities, with d^i . d_k = 1 for i = k, else 0: Omega of d_i' = Omega x d_i also
      // where the axes are strained, as in the middle of a step.
      const std::array<Vector3, 3>& d = frame.axes;
      const std::array<Vector3, 3> normals = {cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])};
      const Expr volume = dot(d[0], normals[0]);
      Vector3 twice = constant(*description.graph, Eigen::Vector3d::Zero());
      for (int i = 0; i < 3; ++i) twice = twice + cross(normals[static_cast<size_t>(i)], in.rate3(3 + 3 * i));
      frame.angular_velocity = (in.number(0.5) / volume) * twice;
      return frame;
    }
    case BodyKind::kPoint:
      frame.position = in.q3(0);
      frame.velocity = in.rate3(0);
      return frame;
    case BodyKind::kPlanar: {
      const Expr zero = in.number(0.0);
      const Expr c = description.graph->apply(Op::kCos, in.q(2)), s = description.graph->apply(Op::kSin, in.q(2));
      frame.position = {in.q(0), in.q(1), zero};
      frame.velocity = {in.rate(0), in.rate(1), zero};
      frame.axes[0] = {c, s, zero};
      frame.axes[1] = {-s, c, zero};
      frame.angular_velocity = {zero, zero, in.rate(2)};
      return frame;
    }
  }
  assert(false);
  return frame;
}

void add_body(const Body& body, const BodyFrame& frame, LagrangianDescription& description) {
  const BodyInputs in(body, description);
  if (body.velocities_are_rates() && !description.velocities.empty()) {
    const int count = static_cast<int>(body.coordinate_names().size());
    for (int i = 0; i < count; ++i) description.rates[static_cast<size_t>(body.first_coordinate + i)] = in.u(i);
  }
  switch (body.kind) {
    case BodyKind::kNewtonEuler:
      return add_newton_euler(body, in, description);
    case BodyKind::kScalable:
      return add_scalable(body, in, description);
    case BodyKind::kAffine:
      return add_affine(body, in, description);
    case BodyKind::kPoint:
      return add_kinetic(description.kinetic, half_square(in.number(body.mass), frame.velocity));
    case BodyKind::kPlanar:
      return add_kinetic(description.kinetic, half_square(in.number(body.mass), frame.velocity) +
                                                  half_square(in.number(body.inertia(2, 2)), frame.angular_velocity));
  }
}

Vector3 momentum(const Body& body, const BodyFrame& frame) {
  return body.mass * frame.velocity;
}

Vector3 angular_momentum(const Body& body, const BodyFrame& frame, const LagrangianDescription& description) {
  const Vector3 orbit = cross(frame.position, momentum(body, frame));
  if (!body.turns()) return orbit;
  if (body.kind == BodyKind::kAffine) {  // also where the axes are strained, and there is no one angular velocity
    const BodyInputs in(body, description);
    const Eigen::Matrix3d E = euler_tensor(body);
    Vector3 L = orbit;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) L = L + E(i, j) * cross(in.q3(3 + 3 * i), in.rate3(3 + 3 * j));
    }
    return L;
  }
  Vector3 w;
  for (size_t i = 0; i < 3; ++i) w[i] = dot(frame.axes[i], frame.angular_velocity);
  return orbit + combine(frame.axes, times(body.inertia, w));
}

void set_start(const Body& body, const BodyStart& start, State& state) {
  const Eigen::Quaterniond& A = start.orientation;
  const Eigen::Index q = body.first_coordinate, u = body.first_velocity;
  switch (body.kind) {
    case BodyKind::kNewtonEuler:
    case BodyKind::kScalable:
      state.q.segment<3>(q) = start.position;
      state.q.segment<4>(q + 3) << A.w(), A.x(), A.y(), A.z();
      state.u.segment<3>(u) = start.velocity;
      if (body.kind == BodyKind::kScalable) state.u[u + 3] = 0.0;
      state.u.segment<3>(u + (body.kind == BodyKind::kScalable ? 4 : 3)) = start.angular_velocity;
      return;
    case BodyKind::kAffine: {
      const Eigen::Matrix3d R = A.toRotationMatrix();
      const Eigen::Vector3d Omega = R * start.angular_velocity;
      state.q.segment<3>(q) = start.position;
      state.u.segment<3>(u) = start.velocity;
      for (int i = 0; i < 3; ++i) {
        state.q.segment<3>(q + 3 + 3 * i) = R.col(i);
        state.u.segment<3>(u + 3 + 3 * i) = Omega.cross(R.col(i));
      }
      return;
    }
    case BodyKind::kPoint:
      state.q.segment<3>(q) = start.position;
      state.u.segment<3>(u) = start.velocity;
      return;
    case BodyKind::kPlanar:
      state.q.segment<3>(q) << start.position[0], start.position[1], start.angle;
      state.u.segment<3>(u) << start.velocity[0], start.velocity[1], start.angular_velocity[2];
      return;
  }
}

}  // namespace tippe
