// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tippe/core/deep_keys.h"
#include "tippe/core/suggest.h"
#include "tippe/core/text_file.h"
#include "tippe/integrate/constrained_motion.h"
#include "tippe/model/lagrangian.h"
#include "tippe/model/start.h"
#include "tippe/run/default_integrator.h"
#include "tippe/scene/detail/parameters.h"
#include "tippe/scene/detail/repeated_tables.h"
#include "tippe/scene/detail/toml_reader.h"

namespace tippe {
namespace {

/// What a request calls a key of [run] or [output] that it may replace.
Argument argument_of(std::string_view key) {
  if (key == "integrator") return Argument::kIntegrator;
  if (key == "dt") return Argument::kTimeStep;
  return key == "until" ? Argument::kEnd : Argument::kSampleInterval;
}

bool takes_step_tolerance(const std::optional<std::string>& integrator) {
  const IntegratorInfo* info = integrator ? find_integrator(*integrator) : nullptr;
  return info != nullptr && info->takes_step_tolerance;
}

}  // namespace

Scene SceneReader::read() {
  Scene scene;
  read_version();
  scene.origin.title = root_.text("title").value_or("");
  scene.origin.source = root_.text("source").value_or("");
  scene.origin.scene_file = source_.file();
  scene.origin.scene_text = source_.text();
  scene.origin.settings = overrides_.settings;
  scene.origin.parameters = parameters_.values();
  declare_lagrangian();
  declare_switches();
  read_bodies();
  declare_joints();
  read_inputs();
  declare_inputs();
  declare_definitions();
  read_world();
  const bool alone = is_bodies_alone();
  if (alone) {
    read_partners();
    read_contact_laws();
  }
  const bool needs_expressions = !(alone && contacts_are_found_ && !overrides_.motion_as_expressions);
  if (needs_expressions) add_bodies();
  read_definitions();
  read_lagrangian();
  read_forces();
  read_springs();
  read_joints();
  read_bilaterals();
  read_contacts();
  read_one_ways();
  read_dry_frictions();
  read_motors();
  read_dampings();
  if (!alone) {
    read_partners();
    read_contact_laws();
  }
  if (!contacts_are_found_) add_contacts(scene);
  refuse_inputs_that_jump();
  read_impact();
  read_start(scene);
  make_system(scene);
  read_run(scene);
  read_observables(scene);
  read_own_events(scene);
  read_stop_after(scene);
  read_actuators(scene);
  read_drawing(scene);
  read_units(scene);
  read_sweep(scene);
  try {
    check_options(scene);
    if (project_start_) project_start(scene);
    const std::optional<double> given = gives_penetration_ ? std::optional(scene.run.initial_penetration) : std::nullopt;
    scene.run.initial_penetration = check_start(*scene.system, scene.start, given);
    check_accelerations(scene);
    check_dampings(scene);
    check_actuators(scene);
    check_stop_at_start(scene);
    check_own_events(scene);
  } catch (const ModelError& error) {
    rethrow(error);
  }
  return scene;
}

void SceneReader::make_system(Scene& scene) {
  if (const toml::table* run = root_.table("run")) read_impact_law(run_reader(*run));
  try {
    check_impact_law();
    scene.system = contacts_are_found_ ? make_touching_system(describe_touching()) : make_lagrangian_system(description_);
  } catch (const ModelError& error) {
    rethrow(error);
  }
}

TableReader SceneReader::run_reader(const toml::table& run) const {
  return {source_,
          run,
          "[run]",
          {"integrator",
           "dt",
           "until",
           "stop_when",
           "stop_after",
           "initial_penetration",
           "closed_tolerance",
           "impact_law",
           "tolerance",
           "forcing_period",
           "project",
           "project_contacts",
           "contact_aim",
           "contact_tolerance",
           "contact_sweeps",
           "rest_band",
           "theta",
           "tangents",
           "friction_acts_on",
           "kinematics",
           "gap_gradient",
           "projected_newton",
           "when_not_unique"}};
}

void SceneReader::rethrow(const ModelError& error) const {
  const auto found = written_.find(error.subject());
  if (found == written_.end()) fail_at(source_, root_.node(), fmt::format("{}: {}", error.subject(), error.what()));
  const auto& [value, indices] = found->second;
  const std::string message = error.what() + describe_indices(indices);
  if (value->is_string() && !error.symbol().empty()) {
    for (const NameInExpression& used : names_in_expression(**value->as_string(), indices, parameters_.resolver())) {
      if (used.name == error.symbol()) fail_inside(source_, *value, used.offset, message);
    }
  }
  fail_at(source_, *value, message);
}

void SceneReader::read_version() {
  const toml::node& version = root_.require("tippe", "the version of the scene language, tippe = 1");
  if (version.value_exact<int64_t>() != 1)
    fail_at(source_, version, "this program reads version 1 of the scene language: tippe = 1");
}

Expr SceneReader::expression(const toml::node& node, const std::string& subject, const std::string& what) {
  written_[subject] = {&node, indices_};
  if (node.is_number()) return graph_.constant(number(node, what));
  if (!node.is_string())
    fail_at(source_, node, fmt::format("{} must be an expression in quotes, not {}", what, type_name(node)));
  const auto resolve = [&](std::string_view name) { return meaning(name); };
  try {
    return parse_expression(**node.as_string(), graph_, resolve, names_, indices_);
  } catch (const ExpressionError& error) {
    fail_inside(source_, node, error.offset(), error.what());
  }
}

void SceneReader::read_start(Scene& scene) {
  const LagrangianInputs inputs = description_.inputs();
  scene.start.q.setZero(inputs.n);
  scene.start.u.setZero(inputs.nu());
  for (const SceneBody& body : bodies_) set_start(body.body, body.start, scene.start);
  std::vector<std::string> keys = {"t"};
  std::vector<double*> targets = {&scene.start.t};
  for (size_t i = 0; i < coordinates_.size(); ++i) {
    keys.push_back(coordinates_[i]);
    targets.push_back(&scene.start.q[static_cast<Eigen::Index>(i)]);
  }
  for (size_t j = 0; j < velocities_.size(); ++j) {
    keys.push_back(velocities_[j]);
    targets.push_back(&scene.start.u[static_cast<Eigen::Index>(j)]);
  }
  const std::vector<std::string> names = keys;
  for (const SwitchedContact& contact : switches_) scene.start.q[contact.coordinate] = std::nan("");
  if (const toml::table* table = root_.table("initial")) read_initial(*table, std::move(keys), targets);
  for (size_t k = 0; k < names.size(); ++k) take_setting(names[k], *targets[k]);
  names_of_start_.insert(names_of_start_.end(), names.begin(), names.end());
  start_inputs(scene.start);
  parameters_.refuse_other_settings(names_of_start_);
  start_switches(scene.start);
}

void SceneReader::read_initial(const toml::table& table, std::vector<std::string> keys, std::vector<double*> targets) {
  const toml::node* project = table.get("project");
  const bool is_switch = project != nullptr && project->is_boolean();
  if (is_switch || std::find(keys.begin(), keys.end(), "project") == keys.end()) {
    keys.emplace_back("project");
    targets.push_back(nullptr);
  }
  read_values(table, "[initial]", keys, [&](size_t k, const toml::node& value) {
    if (targets[k] == nullptr || (is_switch && &value == project)) {
      written_["initial.project"] = {&value, {}};
      project_start_ = true_or_false(source_, value, "project");
      return;
    }
    *targets[k] = number(value, k == 0 ? "the start time" : "the initial " + keys[k]);
  });
}

void SceneReader::read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                              double& value) {
  const toml::node* node = reader.find(key);
  if (override) {
    try {
      value = parameters_.evaluate(*override);
    } catch (const ExpressionError& error) {
      throw ArgumentError(argument_of(key), error.what(), *override);
    }
    return;
  }
  if (node == nullptr) return;
  written_[reader.path() + key] = {node, {}};
  value = parameters_.number(*node, "'" + key + "'");
}

/// [run] tolerance. A setting of another scheme than the scene's own is a mistake; with --integrator it waits.
void SceneReader::read_tolerance(const TableReader& reader, RunOptions& run) {
  IntegratorOptions& options = run.integrator_options;
  const IntegratorInfo* const scheme = find_integrator(run.integrator);
  const toml::node* const tolerance = reader.find("tolerance");
  if (run.adaptive()) {
    read_number(reader, "tolerance", std::nullopt, options.tolerance);
  } else if (tolerance != nullptr && overrides_.integrator && !takes_step_tolerance(reader.text("integrator"))) {
    // It is for the scene's own integrator.
  } else if (tolerance != nullptr && scheme != nullptr && scheme->takes_step_tolerance) {
    options.step_tolerance = number(*tolerance, "'tolerance'");
    if (!(*options.step_tolerance >= 1e-12 && *options.step_tolerance < 1.0))
      fail_at(source_, *tolerance,
              fmt::format("'tolerance' is an error of a step relative to the motion: at least 1e-12 and less than 1, got {}",
                          *options.step_tolerance));
  } else if (tolerance != nullptr && !overrides_.integrator && find_integrator(run.integrator) != nullptr) {
    fail_at(source_, *tolerance,
            fmt::format("'tolerance' is for integrators that choose their steps by it, as dopri5 and the conserving and "
                        "consistent schemes; '{}' takes steps of dt",
                        run.integrator));
  }
}

/// What closed contacts are kept by, of schemes that keep them by their velocities.
void SceneReader::read_contact_keeping(const TableReader& reader, RunOptions& run) {
  IntegratorOptions& options = run.integrator_options;
  if (const toml::node* band = reader.find("rest_band")) {
    if (!contacts_are_found_)
      fail_at(source_, *band, "'rest_band' is for contacts that are found while bodies move, and here all are expressions");
    read_number(reader, "rest_band", std::nullopt, options.rest_band.emplace());
  }
  for (const char* key : {"project_contacts", "contact_aim", "contact_tolerance", "contact_sweeps", "rest_band"}) {
    const IntegratorInfo* integrator = find_integrator(run.integrator);
    if (const toml::node* node = reader.find(key);
        node != nullptr && integrator != nullptr && !integrator->keeps_contacts_by_velocities && !overrides_.integrator)
      fail_at(source_, *node, fmt::format("'{}' is for moreau and moreau-jean, not for '{}'", key, run.integrator));
  }
  if (const toml::node* project = reader.find("project_contacts"))
    options.project_contacts = true_or_false(source_, *project, "project_contacts");
  if (reader.find("contact_aim") != nullptr) read_number(reader, "contact_aim", std::nullopt, options.contact_aim.emplace());
  if (reader.find("contact_tolerance") != nullptr)
    read_number(reader, "contact_tolerance", std::nullopt, options.contact_tolerance.emplace());
  if (const toml::node* node = reader.find("contact_sweeps")) {
    constexpr double kMost = 1e6;
    double sweeps = 0.0;
    read_number(reader, "contact_sweeps", std::nullopt, sweeps);
    if (!contacts_are_found_)
      fail_at(source_, *node,
              "'contact_sweeps' is for contacts that are found while bodies move, and here all are expressions");
    if (!(sweeps >= 1.0 && sweeps <= kMost && sweeps == std::floor(sweeps)))
      fail_at(source_, *node, fmt::format("'contact_sweeps' is a whole number from 1 to {:.0f}, got {}", kMost, sweeps));
    options.contact_sweeps = static_cast<int>(sweeps);
  }
}

/// [run] tolerance, theta, project and what else says how well a step is made.
void SceneReader::read_accuracy(const TableReader& reader, RunOptions& run) {
  IntegratorOptions& options = run.integrator_options;
  read_tolerance(reader, run);
  if (const toml::node* theta = reader.find("theta")) {
    read_number(reader, "theta", std::nullopt, options.theta);
    if (!(options.theta >= 0.5 && options.theta <= 1.0))
      fail_at(source_, *theta, fmt::format("'theta' must lie between 0.5 and 1, got {}", options.theta));
    if (run.integrator != "moreau-jean" && !overrides_.integrator && find_integrator(run.integrator) != nullptr)
      fail_at(source_, *theta, fmt::format("'theta' is for moreau-jean, not for '{}'", run.integrator));
  }
  if (const toml::node* project = reader.find("project")) options.project = true_or_false(source_, *project, "project");
  read_contact_keeping(reader, run);
  options.tangents = read_choice(
      reader, run, &IntegratorInfo::takes_tangents, "tangents",
      std::map<std::string, Tangents>{{"midpoint", Tangents::kMidpoint}, {"begin", Tangents::kBegin}}, options.tangents);
  options.friction_acts_on =
      read_choice(reader, run, &IntegratorInfo::takes_friction_acts_on, "friction_acts_on",
                  std::map<std::string, FrictionActsOn>{{"automatic", FrictionActsOn::kAutomatic},
                                                        {"displacement", FrictionActsOn::kDisplacement},
                                                        {"end_velocity", FrictionActsOn::kEndVelocity}},
                  options.friction_acts_on);
  read_variants(reader, run);
  read_uniqueness(reader, run);
}

/// What the text prints otherwise, for study.
void SceneReader::read_variants(const TableReader& reader, RunOptions& run) {
  IntegratorOptions& options = run.integrator_options;
  options.kinematics =
      read_choice(reader, run, &IntegratorInfo::takes_kinematics, "kinematics",
                  std::map<std::string, Kinematics>{{"midpoint", Kinematics::kMidpoint}, {"begin", Kinematics::kBegin}},
                  options.kinematics);
  options.gap_gradient =
      read_choice(reader, run, &IntegratorInfo::takes_gap_gradient, "gap_gradient",
                  std::map<std::string, GapGradient>{{"discrete", GapGradient::kDiscrete}, {"begin", GapGradient::kBegin}},
                  options.gap_gradient);
  const toml::node* alpha = reader.find("projected_newton");
  if (alpha == nullptr) return;
  options.projected_newton = number(*alpha, "'projected_newton'");
  if (!(options.projected_newton > 0.0 && options.projected_newton <= 2.0))
    fail_at(source_, *alpha, fmt::format("'projected_newton' is a factor from 0 to 2, got {}", options.projected_newton));
  const IntegratorInfo* scheme = find_integrator(run.integrator);
  if (scheme != nullptr && !scheme->takes_gap_gradient && !overrides_.integrator)
    fail_at(source_, *alpha,
            fmt::format("'projected_newton' is for consistent schemes with laws, not for '{}'", run.integrator));
}

/// [run] when_not_unique.
void SceneReader::read_uniqueness(const TableReader& reader, RunOptions& run) const {
  const std::optional<std::string> choice = reader.text("when_not_unique");
  if (!choice) return;
  const toml::node& node = *reader.find("when_not_unique");
  if (*choice != "continue" && *choice != "stop")
    fail_at(source_, node, fmt::format("'when_not_unique' must be \"continue\" or \"stop\", got \"{}\"", *choice));
  if (run.integrator != "event-driven" && !overrides_.integrator && find_integrator(run.integrator) != nullptr)
    fail_at(source_, node, fmt::format("'when_not_unique' is for event-driven, not for '{}'", run.integrator));
  run.integrator_options.stop_when_not_unique = *choice == "stop";
}

/// A setting of the consistent schemes, by name.
template <class Choice>
Choice SceneReader::read_choice(const TableReader& reader, const RunOptions& run, bool IntegratorInfo::*taken,
                                const std::string& key, const std::map<std::string, Choice>& choices,
                                Choice otherwise) const {
  const std::optional<std::string> name = reader.text(key);
  if (!name) return otherwise;
  const toml::node& node = *reader.find(key);
  const auto found = choices.find(*name);
  if (found == choices.end()) {
    std::vector<std::string> names;
    for (const auto& [known, choice] : choices) names.push_back(known);
    fail_at(source_, node, fmt::format("unknown '{}' = \"{}\"; there are {}", key, *name, comma_list(names)));
  }
  const IntegratorInfo* integrator = find_integrator(run.integrator);
  if (integrator != nullptr && !(integrator->*taken) && !overrides_.integrator) {
    fail_at(source_, node,
            fmt::format("{}, not for '{}'",
                        key == "kinematics" ? "'kinematics' is for consistent-2"
                                            : fmt::format("'{}' is for consistent schemes with laws", key),
                        run.integrator));
  }
  return found->second;
}

void SceneReader::read_run(Scene& scene) {
  RunOptions& run = scene.run;
  const toml::table no_table;
  const toml::table* run_table = root_.table("run");
  const TableReader reader = run_reader(run_table ? *run_table : no_table);
  const std::optional<std::string> integrator = reader.text("integrator");
  if (integrator) written_["[run]integrator"] = {reader.node().get("integrator"), {}};
  if (overrides_.integrator) {
    run.integrator = *overrides_.integrator;
  } else if (integrator) {
    run.integrator = *integrator;
  } else {
    run.integrator = default_integrator(*scene.system).name;
  }
  // Said also where the name is given as an option: a run that is resumed says what it said before.
  if (const DefaultIntegrator chosen = default_integrator(*scene.system); !integrator && run.integrator == chosen.name)
    run.notes.push_back(fmt::format("integrator {}, the default here: {}", chosen.name, chosen.reason));
  read_number(reader, "dt", overrides_.dt, run.dt);
  read_number(reader, "until", overrides_.until, run.until);
  // Of an integrator that does not exist that is said, later, rather than what it lacks.
  const bool may_lack_dt = run.adaptive() || find_integrator(run.integrator) == nullptr;
  for (const auto& [key, override] : {std::pair{"dt", overrides_.dt}, std::pair{"until", overrides_.until}}) {
    if (override || (run_table && run_table->contains(key)) || (key == std::string("dt") && may_lack_dt)) continue;
    fail_at(source_, run_table ? *run_table : root_.node(), fmt::format("[run] needs '{}'", key),
            argument_of(key) == Argument::kTimeStep ? Remedy::kGiveTimeStep : Remedy::kGiveEnd);
  }
  // Schemes that choose their steps need no first one; an end before the start is refused later.
  if (constexpr double kSteps = 1000; run.dt == 0.0 && !overrides_.dt && !reader.find("dt"))
    run.dt = std::max(run.until - scene.start.t, std::numeric_limits<double>::min()) / kSteps;
  read_number(reader, "initial_penetration", std::nullopt, run.initial_penetration);
  gives_penetration_ = reader.find("initial_penetration") != nullptr;
  read_number(reader, "closed_tolerance", std::nullopt, run.integrator_options.closed_tolerance);
  read_number(reader, "forcing_period", std::nullopt, run.forcing_period);
  read_accuracy(reader, run);

  const toml::table* output_table = root_.table("output");
  const TableReader output(source_, output_table ? *output_table : no_table, "[output]", {"every", "quantities"});
  if (overrides_.every) {
    read_number(output, "every", overrides_.every, run.every);
    if (!(run.every > 0.0))
      throw ArgumentError(Argument::kSampleInterval,
                          fmt::format("the time between samples must be positive, got {}", run.every));
  } else if (const toml::node* every = output.find("every")) {
    written_["[run]every"] = {every, {}};
    run.every = parameters_.number(*every, "'every'");
    if (!(run.every > 0.0))
      fail_at(source_, *every, fmt::format("the time between samples must be positive, got {}", run.every));
  }
  limit_samples(scene, run);
}

/// Where contacts are found: so many samples that the page of the run has at most 50 MB.
void SceneReader::limit_samples(const Scene& scene, RunOptions& run) const {
  constexpr double kMostBytes = 50e6, kBytesOfNumber = 32.0 / 3.0, kNumbersOfContacts = 27.0;  // of each body
  if (!contacts_are_found_ || run.every > 0.0 || run.adaptive() || !(run.dt > 0.0) || !(run.until > scene.start.t)) return;
  const System& system = *scene.system;
  const double numbers = system.nq() + system.nu() + kNumbersOfContacts * static_cast<double>(bodies_.size());
  const double most = std::max(10.0, std::floor(kMostBytes / (kBytesOfNumber * numbers)));
  const double steps = std::ceil((run.until - scene.start.t) / run.dt), stride = std::ceil(steps / most);
  if (!(stride * run.dt > run.sample_interval(scene.start.t))) return;
  run.every = stride * run.dt;
  run.notes.push_back(
      fmt::format("a sample every {:.6g} s, by default: with more the page would have more than 50 MB", run.every));
}

/// [output.quantities] and [run] stop_when; read_run() has checked the keys of their tables.
void SceneReader::read_observables(Scene& scene) {
  std::vector<std::string> names;
  std::vector<Expr> quantities;
  const toml::table *output = root_.table("output"), *run = root_.table("run");
  const toml::node* table = output ? output->get("quantities") : nullptr;
  const bool wanted = records_momenta() || table != nullptr || (run != nullptr && run->contains("stop_when")) ||
                      !root_.tables("event").empty();
  if (contacts_are_found_ && !overrides_.motion_as_expressions && is_bodies_alone() && wanted)
    add_bodies();  // whose motion had no need of them
  if (records_momenta()) add_momenta(names, quantities);
  if (table != nullptr && !table->is_table())
    fail_at(source_, *table, fmt::format("'quantities' must be a table of expressions, not {}", type_name(*table)));
  if (table != nullptr) {
    for (const auto& [name, key, node, indices] : named_entries(source_, *table->as_table(), parameters_.resolver())) {
      indices_ = indices;
      with_indices(indices, [&, &name = name, &node = node] {
        require_usable_name(source_, *node, name, "quantity");
        if (inputs_.contains(name) || parameters_.value(name) || law_names_.contains(name)) {
          fail_at(source_, *node, fmt::format("the quantity '{}' has the name of a coordinate, a parameter or a law", name));
        }
        names.push_back(name);
        quantities.push_back(expression(*node, "output.quantities." + name, "the quantity " + name));
      });
    }
    indices_.clear();
  }
  for (size_t k = 0; k < names.size(); ++k) quantities_.emplace_back(names[k], quantities[k]);
  const toml::node* stop = run ? run->get("stop_when") : nullptr;
  scene.run.observables = Observables(description_, std::move(names), quantities,
                                      stop ? expression(*stop, "[run]stop_when", "'stop_when'") : Expr());
}

/// [initial] project = true: the nearest positions and velocities in the kinetic metric that keep the constraints.
void SceneReader::project_start(Scene& scene) const {
  const System& system = *scene.system;
  if (system.constraints().empty())
    throw ModelError("initial.project", "there is nothing to project on: the scene has no [[bilateral]] rows and no joints");
  const State before = scene.start;
  StepReport report;
  ConstrainedMotion motion(system);
  if (!motion.find_nearest_positions(scene.start.t, scene.start.q, report) ||
      !motion.project_velocities(scene.start.t, scene.start.q, scene.start.u, report)) {
    throw ModelError("initial.project", "the initial state cannot be projected on the constraints: " + report.culprit);
  }
  const auto largest = [](const std::vector<std::string>& names, const Eigen::VectorXd& change) {
    Eigen::Index k = 0;
    const double size = change.cwiseAbs().maxCoeff(&k);
    return size == 0.0 ? std::string("not at all")
                       : fmt::format("at most {} by {:.6g}", names[static_cast<size_t>(k)], change[k]);
  };
  scene.run.notes.push_back(
      fmt::format("the start was moved to the nearest that keeps the constraints: positions {}, velocities {}",
                  largest(system.coordinate_names(), scene.start.q - before.q),
                  largest(system.velocity_names(), scene.start.u - before.u)));
}

/// Rows may fit each other in position and velocity and yet ask for different accelerations.
void SceneReader::check_accelerations(const Scene& scene) const {
  if (scene.system->constraints().empty()) return;
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  const State& start = scene.start;
  motion.judge_redundancy(start.t, start.q, start.u);
  if (motion.evaluate(start.t, start.q, start.u, report) || report.status != StepReport::Status::kContradiction) return;
  const std::vector<int>& rows = motion.mass().redundant_rows();
  const Constraint& first = scene.system->constraints()[rows.empty() ? 0 : static_cast<size_t>(rows.front())];
  throw ModelError(first.key + "." + first.row_key(), report.culprit);
}

void SceneReader::check_stop_at_start(const Scene& scene) const {
  if (!scene.run.observables.may_stop()) return;
  const double value = ObservablesEvaluator(scene.run.observables).stop_value(scene.start);
  if (value <= 0.0) return;
  throw ModelError("[run]stop_when",
                   fmt::format("'stop_when' ends the run when it becomes positive, but it is {} at the start", value));
}

void SceneReader::check_options(const Scene& scene) {
  const auto complain = [&](const std::string& key, bool overridden, const std::string& message) {
    const auto found = written_.find("[run]" + key);
    if (overridden) throw ArgumentError(argument_of(key), message);
    const toml::table* run = root_.table("run");
    if (found == written_.end()) fail_at(source_, run ? *run : root_.node(), message);  // a default that does not fit
    fail_at(source_, *found->second.node, message);
  };
  const RunOptions::Problem problem = scene.run.invalid(scene.start.t);
  const bool overridden = (problem.key == "dt" && overrides_.dt) || (problem.key == "until" && overrides_.until) ||
                          (problem.key == "integrator" && overrides_.integrator) ||
                          (problem.key == "every" && overrides_.every);
  if (!problem.key.empty()) complain(problem.key, overridden, problem.message);
  const std::string misfit = find_integrator(scene.run.integrator)->misfit(*scene.system);
  if (!misfit.empty()) {
    complain("integrator", overrides_.integrator.has_value(),
             fmt::format("'{}' does not fit this scene: {}; these do: {}", scene.run.integrator, misfit,
                         comma_list(fitting_integrators(*scene.system))));
  }
}

namespace {

/// TOML's own message, with a hint for the two mistakes that everybody makes once.
std::string explain_toml_error(const std::string& message) {
  if (message.find("expected '=', saw '''") != std::string::npos)
    return message + "; a velocity as a key needs quotes: \"x'\" = 1";
  if (message.find("could not determine value type") != std::string::npos)
    return message + "; expressions and other texts need quotes";
  return message;
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides) {
  const SourceText source(file, text);
  refuse_deep_keys(source.text(), file);
  toml::table root;
  try {
    root = toml::parse(std::string_view(source.text()), file);
  } catch (const toml::parse_error& error) {
    const toml::source_position& begin = error.source().begin;
    throw InputError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)},
                     explain_toml_error(std::string(error.description())));
  }
  return SceneReader(source, root, overrides).read();
}

Scene load_scene(const std::filesystem::path& path, const SceneOverrides& overrides) {
  const std::string text = read_text_file(path, {.kind = "scene", .instead_of_folder = "a scene is a .toml file"});
  return read_scene(text, path.string(), overrides);
}

}  // namespace tippe
