// SPDX-License-Identifier: Apache-2.0
// active_when of [[contact]]. A contact that does not act waits, where its gap is negative when it should, until the gap was positive: whether it acts is no
// function of the state. So it is a part of the state: a coordinate with mass 1 at rest, 1 or 0, that two events set.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/model/observables.h"
#include "tippe/scene/detail/repeated_tables.h"
#include "tippe/scene/varied_numbers.h"

namespace tippe {
namespace {

constexpr const char *kActs = " acts", *kActsNoMore = " acts no more";

}  // namespace

/// Their coordinates come after those of [lagrangian].
void SceneReader::declare_switches() {
  for (const toml::table* table : root_.tables("contact")) {
    const toml::node *active = table->get("active_when"), *name = table->get("name"), *repeat = table->get("for");
    if (active == nullptr || name == nullptr || !name->is_string()) continue;
    if (root_.find("velocities") != nullptr)
      fail_at(source_, *active,
              "'active_when' needs velocities that are the rates of the coordinates, and the scene has [velocities]");
    const Repetition repetition = repeat != nullptr ? Repetition::of_entry(source_, *repeat) : Repetition(source_);
    repetition.for_each(parameters_.resolver(), [&](const Indices& indices) {
      std::string filled = **name->as_string();
      try {
        if (!indices.empty()) filled = fill_braces(filled, parameters_.resolver(), indices);
      } catch (const ExpressionError& error) {
        fail_inside(source_, *name, error.offset(), error.what());
      }
      const std::string coordinate = filled + ".active";
      declared_.emplace(coordinate, "coordinate");
      switches_.push_back({filled, 0, static_cast<int>(coordinates_.size()), {}, {}, {}});
      coordinates_.push_back(coordinate);
      velocities_.push_back(coordinate + "'");
    });
  }
}

void SceneReader::read_switch(const TableReader& reader, const std::string& key, LawDescription& contact) {
  const toml::node* active = reader.find("active_when");
  if (active == nullptr) return;
  for (SwitchedContact& own : switches_) {
    if (own.name != contact.law.name) continue;
    own.law = description_.laws.size();
    own.key = key + ".active_when";
    own.active_when = expression(*active, own.key, "'active_when'");
    own.gap = contact.gap;
  }
}

/// Those whose expression is positive at the start act, unless [initial] says otherwise. The gap of one that does not is that of an open contact.
void SceneReader::start_switches(State& start) {
  const LagrangianInputs inputs = description_.inputs();
  if (!switches_.empty() && overrides_.varied != nullptr)
    overrides_.varied->need_reading();  // whether they act depends on the start
  for (const SwitchedContact& contact : switches_) {
    const Expr values[] = {contact.active_when, contact.gap};
    const Observables observables(description_, {"active", "gap"}, values, Expr());
    Eigen::VectorXd at_start;
    State there = start;
    for (const SwitchedContact& other : switches_) {
      if (std::isnan(there.q[other.coordinate])) there.q[other.coordinate] = 0.0;
    }
    ObservablesEvaluator(observables).evaluate_quantities(there, at_start);
    if (!std::isfinite(at_start[0])) {
      rethrow(ModelError(contact.key, fmt::format("'active_when' of the contact '{}' is {} at the start", contact.name,
                                                  std::isnan(at_start[0]) ? std::nan("") : at_start[0])));
    }
    double& acts = start.q[contact.coordinate];
    if (std::isnan(acts)) acts = at_start[0] > 0.0 ? 1.0 : 0.0;
    const double size = std::abs(at_start[1]) > 1e-6 && std::isfinite(at_start[1]) ? std::abs(at_start[1]) : 1.0;
    const Expr on = graph_.input(inputs.q(contact.coordinate)), rate = graph_.input(inputs.rate(contact.coordinate));
    // `size` above zero for one that does not act, `size` below the gap for one that does.
    const auto times = [&](Expr a, Expr b) { return graph_.apply(Op::kMul, a, b); };
    const Expr factor = graph_.apply(Op::kSub, graph_.constant(1.0), times(graph_.constant(2.0), on));
    const Expr least = graph_.apply(Op::kAdd, times(graph_.constant(size), factor), times(on, contact.gap));
    description_.laws[contact.law].gap = graph_.apply(Op::kMax, contact.gap, least);
    description_.kinetic = graph_.apply(Op::kAdd, description_.kinetic,
                                        graph_.apply(Op::kMul, graph_.constant(0.5), graph_.apply(Op::kMul, rate, rate)));
  }
}

std::set<std::string> SceneReader::names_of_switch_events() const {
  std::set<std::string> names;
  for (const SwitchedContact& contact : switches_) names.insert({contact.name + kActs, contact.name + kActsNoMore});
  return names;
}

/// "foot acts" and "foot acts no more".
void SceneReader::add_switch_events(std::vector<OwnEvent>& events) const {
  ExprGraph& graph = graph_;
  const LagrangianInputs inputs = description_.inputs();
  for (const SwitchedContact& contact : switches_) {
    const Expr off = graph.apply(Op::kSub, graph.constant(0.5), graph.input(inputs.q(contact.coordinate)));
    OwnEvent begins{.name = contact.name + kActs, .direction = OwnEvent::Direction::kRising, .leaves_zero_at_start = true};
    begins.when = graph.apply(Op::kMin, graph.apply(Op::kMin, contact.gap, contact.active_when), off);
    begins.resets.push_back({false, contact.coordinate, graph.constant(1.0)});
    OwnEvent ends{
        .name = contact.name + kActsNoMore, .direction = OwnEvent::Direction::kFalling, .leaves_zero_at_start = true};
    ends.when = graph.apply(Op::kMax, contact.active_when, off);
    ends.resets.push_back({false, contact.coordinate, graph.constant(0.0)});
    events.push_back(std::move(begins));
    events.push_back(std::move(ends));
  }
}

}  // namespace tippe
