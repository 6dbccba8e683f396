// SPDX-License-Identifier: Apache-2.0
// Forces that may be chosen: [[actuator]].
#include <fmt/format.h>

#include <cmath>

#include "tippe/core/error.h"
#include "tippe/model/system.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

void SceneReader::read_actuators(Scene& scene) {
  if (root_.node().get("actuator") == nullptr) return;
  if (contacts_are_found_ && !overrides_.motion_as_expressions && is_bodies_alone() && description_.coordinates.empty())
    add_bodies();  // whose motion had no need of them
  std::vector<std::string> names;
  std::vector<Expr> velocities;
  read_entries("actuator", {"name", "velocity"}, [&](const TableReader& reader, const std::string& key) {
    names.push_back(read_name(reader));
    velocities.push_back(
        expression(reader.require("velocity", "of the point on which it acts, along it"), key + ".velocity", "'velocity'"));
    actuator_keys_.push_back(key + ".velocity");
  });
  scene.actuators = Observables(description_, std::move(names), velocities, Expr());
}

/// A force does the power force * velocity: that is its direction if the velocity is linear.
void SceneReader::check_actuators(const Scene& scene) const {
  if (scene.actuators.names().empty()) return;
  const Eigen::MatrixXd directions = actuator_directions(scene, scene.start);
  State there = scene.start;
  ObservablesEvaluator evaluator(scene.actuators);
  const auto count = directions.cols();
  Eigen::VectorXd at_rest(count), moving(count);
  there.u.setZero();
  evaluator.evaluate_quantities(there, at_rest);
  for (Eigen::Index j = 0; j < there.u.size(); ++j) there.u[j] = 0.6 + 0.37 * static_cast<double>(j % 5);
  evaluator.evaluate_quantities(there, moving);
  constexpr double kRoundOff = 1e-9;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd direction = directions.col(i);
    const std::string& key = actuator_keys_[static_cast<size_t>(i)];
    const double terms = std::abs(at_rest[i]) + direction.cwiseAbs().dot(there.u);
    const double miss = std::abs(moving[i] - at_rest[i] - direction.dot(there.u));
    if (!direction.allFinite() || !(miss <= kRoundOff * terms))
      throw ModelError(key, "the velocity of an actuator must be linear in the velocities");
    if (direction.isZero(0.0)) {
      throw ModelError(key, fmt::format("the force moves nothing: no velocity that is not zero at the start occurs here; "
                                        "velocities are written with a prime, as in {}'",
                                        description_.coordinates.front()));
    }
  }
}

Eigen::MatrixXd actuator_directions(const Scene& scene, const State& state) {
  const auto count = static_cast<Eigen::Index>(scene.actuators.names().size());
  Eigen::MatrixXd directions(state.u.size(), count);
  if (count == 0) return directions;
  ObservablesEvaluator evaluator(scene.actuators);
  Eigen::VectorXd at_rest(count), moving(count);
  State there = state;
  there.u.setZero();
  evaluator.evaluate_quantities(there, at_rest);
  for (Eigen::Index j = 0; j < directions.rows(); ++j) {
    there.u = Eigen::VectorXd::Unit(directions.rows(), j);
    evaluator.evaluate_quantities(there, moving);
    directions.row(j) = (moving - at_rest).transpose();
  }
  return directions;
}

}  // namespace tippe
