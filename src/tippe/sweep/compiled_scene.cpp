// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/compiled_scene.h"

#include <bit>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/model/start.h"
#include "tippe/scene/varied_numbers.h"

namespace tippe {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_nodes(const ExprGraph& a, const ExprGraph& b) {
  if (a.size() != b.size()) return false;
  for (int id = 0; id < a.size(); ++id) {
    const ExprGraph::Node &x = a.node(id), &y = b.node(id);
    if (x.op != y.op || x.a != y.a || x.b != y.b || x.c != y.c || !same_bits(x.value, y.value)) return false;
  }
  return true;
}

/// Systems whose equations are all in their laws and expressions, which a start cannot contradict.
bool may_change(const Scene& scene) {
  const LagrangianDescription* description = scene.system->lagrangian();
  if (description == nullptr || !description->constraints.empty() || !description->damping_matrices.empty()) return false;
  if (scene.system->restitution_matrix() != nullptr || !scene.system->has_fixed_laws()) return false;
  for (const ForceLaw& law : scene.system->laws()) {
    if (law.falling || law.drilling) return false;
  }
  return true;
}

/// Whether the start may lie as deep in contacts as if the scene said nothing of it.
bool has_default_penetration(const Scene& scene) {
  try {
    return check_start(*scene.system, scene.start, std::nullopt) == scene.run.initial_penetration;
  } catch (const ModelError&) {
    return false;  // it lies deeper
  }
}

bool is_restitution(double value) {
  return value >= 0.0 && value <= 1.0;
}
bool is_coefficient(double value) {
  return value >= 0.0 && std::isfinite(value);
}

}  // namespace

std::unique_ptr<CompiledScene> CompiledScene::make(const std::string& text, const std::string& file,
                                                   SceneOverrides overrides, const std::vector<std::string>& names) {
  VariedNumbers varied(names, false), nudged(names, true);
  overrides.varied = &varied;
  std::unique_ptr<CompiledScene> compiled(new CompiledScene);
  Scene& read = compiled->read_ = read_scene(text, file, overrides);
  if (varied.needs_reading() || !may_change(read)) return nullptr;
  overrides.varied = &nudged;
  Scene trial;
  try {
    trial = read_scene(text, file, overrides);
  } catch (const InputError&) {
    return nullptr;
  }
  if (nudged.taken().size() != varied.taken().size()) return nullptr;
  if (!same_nodes(*read.system->lagrangian()->graph, *trial.system->lagrangian()->graph)) return nullptr;

  auto changed = std::make_unique<ChangedSystem>(*read.system);
  ChangedSystem* const system = compiled->system_ = changed.get();
  Scene& scene = compiled->scene_;
  scene.system = std::move(changed);
  scene.start = read.start;
  scene.run = read.run;
  scene.run.drawing = {};
  scene.origin = read.origin;

  std::vector<bool> found(varied.taken().size(), false);
  bool same = true;
  const auto compare = [&](double here, double there, std::function<bool(double)> set) {
    if (same_bits(here, there)) return;
    for (size_t use = 0; use < found.size(); ++use) {
      if (!same_bits(here, varied.taken()[use].value) || !same_bits(there, varied.nudged(use))) continue;
      found[use] = true;
      compiled->setters_.push_back({static_cast<size_t>(varied.taken()[use].name), std::move(set)});
      return;
    }
    same = false;
  };
  const auto into = [](double& target) {
    return [&target](double value) {
      target = value;
      return true;
    };
  };
  const auto& laws = read.system->laws();
  for (size_t i = 0; i < laws.size(); ++i) {
    const ForceLaw &law = laws[i], &other = trial.system->laws()[i];
    for (double ForceLaw::*const number : {&ForceLaw::mu1, &ForceLaw::mu2}) {
      compare(law.*number, other.*number, [=](double value) {
        system->set(i, number, value);
        return is_coefficient(value);
      });
    }
    for (size_t row = 0; row < law.epsilon.size(); ++row) {
      compare(law.epsilon[row], other.epsilon[row], [=](double value) {
        system->set_restitution(i, row, value);
        return is_restitution(value);
      });
    }
    for (size_t side = 0; side < law.limits.size(); ++side) {
      compare(law.limits[side], other.limits[side], [=](double value) {
        system->set_limit(i, side, value);
        return is_coefficient(value);
      });
    }
  }
  compare(read.start.t, trial.start.t, into(scene.start.t));
  for (Eigen::Index i = 0; i < read.start.q.size(); ++i) compare(read.start.q[i], trial.start.q[i], into(scene.start.q[i]));
  for (Eigen::Index i = 0; i < read.start.u.size(); ++i) compare(read.start.u[i], trial.start.u[i], into(scene.start.u[i]));
  for (double RunOptions::*const number :
       {&RunOptions::dt, &RunOptions::until, &RunOptions::forcing_period, &RunOptions::every})
    compare(read.run.*number, trial.run.*number, into(scene.run.*number));
  for (const bool use : found) same = same && use;
  // What else there is among the options stays as it is.
  for (double RunOptions::*const number :
       {&RunOptions::dt, &RunOptions::until, &RunOptions::forcing_period, &RunOptions::every})
    trial.run.*number = read.run.*number;
  if (!same || read.run.fingerprint(read.start.t) != trial.run.fingerprint(read.start.t)) return nullptr;
  // By default the allowed penetration follows from the start.
  if (!has_default_penetration(read)) compiled->penetration_ = read.run.initial_penetration;
  return compiled;
}

Scene* CompiledScene::at(std::span<const double> values) {
  scene_.start = read_.start;
  for (double RunOptions::*const number :
       {&RunOptions::dt, &RunOptions::until, &RunOptions::forcing_period, &RunOptions::every})
    scene_.run.*number = read_.run.*number;
  for (const Setter& setter : setters_) {
    if (!setter.set(values[setter.name])) return nullptr;
  }
  if (!scene_.run.invalid(scene_.start.t).key.empty()) return nullptr;
  try {
    scene_.run.initial_penetration = check_start(*system_, scene_.start, penetration_);
  } catch (const ModelError&) {
    return nullptr;
  }
  if (scene_.run.observables.may_stop() && ObservablesEvaluator(scene_.run.observables).stop_value(scene_.start) > 0.0)
    return nullptr;
  return &scene_;
}

}  // namespace tippe
