// SPDX-License-Identifier: Apache-2.0
#include "tippe/multibody/free_bodies.h"

#include <cassert>
#include <utility>

namespace tippe {
namespace {

class FreeBodies final : public System {
 public:
  FreeBodies(std::vector<Body> bodies, const Eigen::Vector3d& gravity);
  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override;
  [[nodiscard]] bool has_constant_forces() const override { return true; }

  [[nodiscard]] const std::vector<Body>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }
  /// N, on the velocities.
  [[nodiscard]] const Eigen::VectorXd& weight() const { return weight_; }

 private:
  void add_mass(int row, int column, double value) {
    if (value == 0.0) return;
    mass_pattern_.push_back({row, column});
    mass_.push_back(value);
  }

  std::vector<Body> bodies_;
  std::vector<double> mass_;
  Eigen::VectorXd weight_;
};

class FreeBodiesEvaluator final : public Evaluator {
 public:
  explicit FreeBodiesEvaluator(const FreeBodies& system) : system_(system) {}

  void set_state(double /*t*/, const Eigen::VectorXd& q, const Eigen::VectorXd& u) override {
    q_ = q;
    u_ = u;
  }
  void evaluate_dynamics(Dynamics& dynamics) override;
  void evaluate_position_rate(Eigen::VectorXd& rate) override { map_velocities(u_, rate); }
  void map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) override;
  void evaluate_constraint_positions(Eigen::VectorXd& g) override { g.resize(0); }
  void evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) override {
    W.clear();
    chi.resize(0);
  }
  void evaluate_constraint_drift(Eigen::VectorXd& drift) override { drift.resize(0); }
  void evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) override {
    position.resize(0);
    drift.resize(0);
  }
  void find_laws(double /*reach*/, LawList& laws) override {
    laws.clear();
    laws.gap.resize(0);
    laws.fixed = true;
  }
  void append_directions(const LawList&, int, SparseColumns&, std::vector<double>&) override { assert(false); }
  void append_drift(const LawList&, int, std::vector<double>&) override { assert(false); }
  Energies evaluate_energies() override;

 private:
  const FreeBodies& system_;
  Eigen::VectorXd q_, u_;
};

FreeBodies::FreeBodies(std::vector<Body> bodies, const Eigen::Vector3d& gravity) : bodies_(std::move(bodies)) {
  int nq = 0, nu = 0;
  velocities_are_rates_ = true;
  for (const Body& body : bodies_) {
    assert(body.first_coordinate == nq && body.first_velocity == nu);
    assert(body.kind == BodyKind::kNewtonEuler || body.kind == BodyKind::kPoint || body.kind == BodyKind::kPlanar);
    for (std::string& name : body.coordinate_names()) coordinate_names_.push_back(std::move(name));
    for (std::string& name : body.velocity_names()) velocity_names_.push_back(std::move(name));
    nq = static_cast<int>(coordinate_names_.size());
    nu = static_cast<int>(velocity_names_.size());
    velocities_are_rates_ = velocities_are_rates_ && body.velocities_are_rates();
  }
  weight_.setZero(nu);
  constant_mass_ = true;
  if (!velocities_are_rates_) moved_coordinates_.resize(static_cast<size_t>(nu));
  for (const Body& body : bodies_) {
    const int q = body.first_coordinate, u = body.first_velocity;
    const bool planar = body.kind == BodyKind::kPlanar;
    for (int i = 0; i < 3; ++i) {
      const bool turns = planar && i == 2;
      if (!turns) weight_[u + i] = body.mass * gravity[i];
      add_mass(u + i, u + i, turns ? body.inertia(2, 2) : body.mass);
      if (!velocities_are_rates_) moved_coordinates_[static_cast<size_t>(u + i)] = {q + i};
    }
    if (body.kind != BodyKind::kNewtonEuler) continue;
    unit_quaternions_.push_back(q + 3);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) add_mass(u + 3 + i, u + 3 + j, body.inertia(i, j));
      moved_coordinates_[static_cast<size_t>(u + 3 + i)] = {q + 3, q + 4, q + 5, q + 6};
    }
  }
}

std::unique_ptr<Evaluator> FreeBodies::make_evaluator() const {
  return std::make_unique<FreeBodiesEvaluator>(*this);
}

void FreeBodiesEvaluator::evaluate_dynamics(Dynamics& dynamics) {
  dynamics.M = system_.mass();
  dynamics.h = system_.weight();
  dynamics.damping.setZero(u_.size());
  dynamics.applied.setZero(u_.size());
  dynamics.drive_power = 0.0;
  for (const Body& body : system_.bodies()) {
    if (body.kind != BodyKind::kNewtonEuler) continue;
    // (w~ Theta + Theta w~) w, Moeller (5.132), entry by entry as model/body.cpp writes it.
    const Eigen::Vector3d w = u_.segment<3>(body.first_velocity + 3);
    const Eigen::Matrix3d& Theta = body.inertia;
    Eigen::Matrix3d w_tilde;
    w_tilde << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
    for (int i = 0; i < 3; ++i) {
      double force = 0.0;
      // Round-off alone, where the two other principal moments are the same: expressions cancel it.
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      const bool cancels =
          Theta(next, next) == Theta(last, last) && Theta(0, 1) == 0.0 && Theta(0, 2) == 0.0 && Theta(1, 2) == 0.0;
      for (int j = 0; j < 3 && !cancels; ++j) {
        double entry = 0.0;
        for (int k = 0; k < 3; ++k) entry = entry + w_tilde(i, k) * Theta(k, j) + Theta(i, k) * w_tilde(k, j);
        force = force - entry * w[j];
      }
      dynamics.h[body.first_velocity + 3 + i] = force;
    }
  }
}

void FreeBodiesEvaluator::map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) {
  dq.resize(q_.size());
  for (const Body& body : system_.bodies()) {
    const int q = body.first_coordinate, u = body.first_velocity;
    for (int i = 0; i < 3; ++i) dq[q + i] = s[u + i];
    if (body.kind != BodyKind::kNewtonEuler) continue;
    // dA/dt = A(0, w)/2, Moeller (4.119)
    const double a0 = q_[q + 3];
    const Eigen::Vector3d a = q_.segment<3>(q + 4), w = s.segment<3>(u + 3);
    dq[q + 3] = -(0.5 * (a[0] * w[0] + a[1] * w[1] + a[2] * w[2]));
    dq[q + 4] = 0.5 * (a0 * w[0] + (a[1] * w[2] - a[2] * w[1]));
    dq[q + 5] = 0.5 * (a0 * w[1] + (a[2] * w[0] - a[0] * w[2]));
    dq[q + 6] = 0.5 * (a0 * w[2] + (a[0] * w[1] - a[1] * w[0]));
  }
}

Energies FreeBodiesEvaluator::evaluate_energies() {
  Energies energies;
  for (const Body& body : system_.bodies()) {
    const int u = body.first_velocity;
    const bool planar = body.kind == BodyKind::kPlanar;
    const int dimension = planar ? 2 : 3;
    double square = 0.0, lifted = 0.0;
    for (int i = 0; i < dimension; ++i) {
      square += u_[u + i] * u_[u + i];
      lifted += system_.weight()[u + i] * q_[body.first_coordinate + i];
    }
    energies.potential -= lifted;
    energies.kinetic += 0.5 * body.mass * square;
    if (planar) energies.kinetic += 0.5 * body.inertia(2, 2) * (u_[u + 2] * u_[u + 2]);
    if (body.kind != BodyKind::kNewtonEuler) continue;
    const Eigen::Vector3d w = u_.segment<3>(u + 3);
    double spin = 0.0;
    for (int i = 0; i < 3; ++i) {
      double L = 0.0;
      for (int j = 0; j < 3; ++j) L += body.inertia(i, j) * w[j];
      spin += w[i] * L;
    }
    energies.kinetic += 0.5 * spin;
  }
  return energies;
}

}  // namespace

std::unique_ptr<const System> make_free_bodies(std::vector<Body> bodies, const Eigen::Vector3d& gravity) {
  return std::make_unique<FreeBodies>(std::move(bodies), gravity);
}

}  // namespace tippe
