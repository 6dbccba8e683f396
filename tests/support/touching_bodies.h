// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <memory>

#include "support/random.h"
#include "tippe/collide/partner.h"
#include "tippe/model/body.h"
#include "tippe/model/lagrangian.h"

namespace tippe::test {

/// A rigid body in plain numbers, and how it moves on with constant velocities: by the exponential map, not by quaternion rates.
struct RigidMotion {
  Eigen::Vector3d r, v;   // centre of mass
  Eigen::Quaterniond A;   // body frame to space
  Eigen::Vector3d Omega;  // in space

  [[nodiscard]] RigidMotion after(double h) const {
    const double angle = h * Omega.norm();
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, angle == 0.0 ? Eigen::Vector3d::UnitX() : Omega.normalized()));
    return {r + h * v, v, turn * A, Omega};
  }
  [[nodiscard]] Eigen::Vector3d place(const Eigen::Vector3d& at) const { return r + A * at; }
  /// The point of the body that is at P now, h later.
  [[nodiscard]] Eigen::Vector3d carry(const Eigen::Vector3d& P, double h) const {
    return after(h).place(A.conjugate() * (P - r));
  }
};

inline Eigen::Vector3d random_vector(Random& random, BodyKind kind, double size = 1.0) {
  Eigen::Vector3d vector = random.vector(3, size);
  if (kind == BodyKind::kPlanar) vector[2] = 0.0;
  return vector;
}

inline RigidMotion random_motion(Random& random, BodyKind kind) {
  RigidMotion motion{random_vector(random, kind), random_vector(random, kind), Eigen::Quaterniond::Identity(),
                     Eigen::Vector3d::Zero()};
  if (kind == BodyKind::kPoint) return motion;
  motion.Omega = random.vector(3, 3.0);
  if (kind == BodyKind::kPlanar) {
    motion.Omega.head<2>().setZero();
    motion.A = Eigen::AngleAxisd(random.uniform(-3, 3), Eigen::Vector3d::UnitZ());
  } else {
    motion.A.coeffs() = random.vector(4);
    motion.A.normalize();
  }
  return motion;
}

/// Bodies "a" and "b" with the contacts of their shapes, as a system.
class TouchingBodies {
 public:
  explicit TouchingBodies(std::vector<BodyKind> kinds) {
    bool own = false;
    for (size_t k = 0; k < kinds.size(); ++k) {
      Body body;
      body.name = std::string(1, static_cast<char>('a' + k));
      body.kind = kinds[k];
      body.mass = 2.0;
      body.inertia = Eigen::Vector3d(0.5, 0.6, 0.7).asDiagonal();
      body.first_coordinate = static_cast<int>(description_.coordinates.size());
      body.first_velocity = static_cast<int>(description_.rate_names.size());
      own = own || !body.velocities_are_rates();
      for (const std::string& name : body.coordinate_names()) description_.coordinates.push_back(name);
      for (const std::string& name : body.velocity_names()) description_.rate_names.push_back(name);
      bodies_.push_back(body);
    }
    if (own) std::swap(description_.velocities, description_.rate_names);
    description_.rates.resize(own ? description_.coordinates.size() : 0);
    description_.potential = description_.kinetic = description_.graph->constant(0.0);
    for (const Body& body : bodies_) {
      Partner partner;
      partner.name = body.name;
      partner.kind = body.kind;
      partner.frame = make_frame(body, description_);
      add_body(body, partner.frame, description_);
      partners.push_back(partner);
    }
  }

  std::vector<Partner> partners;  // to be given shapes

  /// The system with these contacts, with friction and, where bodies turn, drilling.
  void build(const std::vector<NamedContact>& contacts) {
    for (const NamedContact& contact : contacts) {
      LawDescription law{.law = {}, .gap = contact.geometry.gap, .velocities = contact.geometry.slips};
      law.law.name = contact.name;
      const Expr spin = contact.geometry.spin;
      if (spin.valid() && !spin.is_constant()) law.velocities.push_back(spin);
      law.law.rows = 1 + static_cast<int>(law.velocities.size());
      if (law.law.rows == 4) law.law.drilling = ForceLaw::Drilling{1e-3, DrillingSet::kExact};
      description_.laws.push_back(law);
    }
    system_ = make_lagrangian_system(description_);
    evaluator_ = system_->make_evaluator();
    state_.q.setZero(system_->nq());
    state_.u.setZero(system_->nu());
  }

  void set(const std::vector<RigidMotion>& motions) {
    for (size_t k = 0; k < motions.size(); ++k) {
      const RigidMotion& motion = motions[k];
      BodyStart start;
      start.position = motion.r;
      start.orientation = motion.A;
      start.angle = 2.0 * std::atan2(motion.A.z(), motion.A.w());
      start.velocity = motion.v;
      start.angular_velocity = motion.A.conjugate() * motion.Omega;
      set_start(bodies_[k], start, state_);
    }
    evaluator_->set_state(0.0, state_.q, state_.u);
  }

  [[nodiscard]] double gap(int law) { return gaps_of(*evaluator_)[law]; }
  /// gamma = W'u + chi of a law's rows.
  [[nodiscard]] std::vector<double> velocities(int law) {
    std::vector<double> chi;
    Eigen::VectorXd gamma = directions(law, chi).transpose() * state_.u;
    for (size_t k = 0; k < chi.size(); ++k) chi[k] += gamma[static_cast<Eigen::Index>(k)];
    return chi;
  }
  /// W of a law, dense.
  [[nodiscard]] Eigen::MatrixXd directions(int law, std::vector<double>& chi) {
    W_.clear();
    chi.clear();
    evaluator_->append_directions(list_of_fixed_laws(system_->laws()), law, W_, chi);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(system_->nu(), W_.columns());
    for (int k = 0; k < W_.columns(); ++k) {
      for (int p = W_.start[k]; p < W_.start[k + 1]; ++p) dense(W_.row[p], k) += W_.value[p];
    }
    return dense;
  }

 private:
  LagrangianDescription description_;
  std::vector<Body> bodies_;
  std::unique_ptr<const System> system_;
  std::unique_ptr<Evaluator> evaluator_;
  State state_;
  SparseColumns W_;
};

}  // namespace tippe::test
