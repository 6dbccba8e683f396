// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/found_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"
#include "tippe/core/union_find.h"
#include "tippe/integrate/active_laws.h"

namespace tippe {
namespace {

/// A law that acts at the state.
struct Acting {
  LawId id;
  std::vector<int> velocities;  // that it acts on
  bool named = false;           // it is a contact of what was asked for
  Eigen::VectorXd force;        // N  of the last step, on these velocities
};

class FoundScopeFinder {
 public:
  FoundScopeFinder(const System& system, const State& state, const InstantOptions& options, const GapRule& rule,
                   Evaluator& evaluator)
      : system_(system), state_(state), options_(options), rule_(rule), evaluator_(evaluator) {}

  FoundScope find() {
    find_acting();
    if (options_.around.empty()) return take_all();
    join_bodies();
    return take_around();
  }

 private:
  /// Whether a shape is one of those that were asked for.
  [[nodiscard]] std::vector<char> named_shapes() const {
    const std::vector<std::string> names = system_.shape_names();
    std::vector<char> named(names.size() + 1, 0);
    if (options_.around.empty()) return named;
    bool any = false;
    for (size_t k = 0; k < names.size(); ++k) {
      const bool is_named = names[k] == options_.around || names[k].starts_with(options_.around + ".");
      named[k + 1] = is_named ? 1 : 0;
      any = any || is_named;
    }
    if (!any)
      throw InputError(
          {}, fmt::format("there is no body, plane or shape '{}'{}", options_.around, did_you_mean(options_.around, names)));
    return named;
  }

  void find_acting() {
    const std::vector<char> named = named_shapes();
    LawList laws;
    evaluator_.find_laws(std::max(closed_gap({.terms = 1e3 * rule_.sizes.largest_reach()}, rule_.tolerances),
                                  reach_of_held_contacts(system_)),
                         laws);
    LawMemory memory = options_.held != nullptr ? *options_.held : LawMemory();
    memory.align(laws);
    for (int k = 0; k < laws.size(); ++k) {
      const auto at = static_cast<size_t>(k);
      const ForceLaw& law = system_.laws()[static_cast<size_t>(laws.law[at])];
      SparseColumns W;
      std::vector<double> chi, impulse;
      evaluator_.append_directions(laws, k, W, chi);
      double terms = 0.0;
      for (int p = W.start[0]; p < W.start[1]; ++p)
        terms += std::abs(W.value[static_cast<size_t>(p)]) * rule_.sizes.reaches()[W.row[static_cast<size_t>(p)]];
      const bool held = options_.held != nullptr && options_.held->held(laws.id[at]);
      const GapView gap{.gap = laws.gap[k], .terms = terms, .held = held};
      if (law.kind == ForceLaw::Kind::kContact && !is_closed(gap, rule_.tolerances)) continue;
      Acting& acting = acting_.emplace_back();
      acting.id = laws.id[at];
      acting.named = !acting.id.is_fixed() && (named[acting.id.shape_a] != 0 || named[acting.id.shape_b] != 0);
      memory.append_impulse(memory.place(k), laws, k, law.rows, impulse);
      std::map<int, double> forces;
      for (int row = 0; row < W.columns(); ++row) {
        for (int p = W.start[row]; p < W.start[row + 1]; ++p)
          forces[W.row[static_cast<size_t>(p)]] += W.value[static_cast<size_t>(p)] * impulse[static_cast<size_t>(row)];
      }
      acting.force.resize(static_cast<Eigen::Index>(forces.size()));
      for (const auto& [velocity, total] : forces) {
        acting.force[static_cast<Eigen::Index>(acting.velocities.size())] =
            options_.step > 0.0 ? total / options_.step : 0.0;
        acting.velocities.push_back(velocity);
      }
    }
  }

  FoundScope take_all() const {
    FoundScope scope{VelocityScope(system_.nu()), {}, Eigen::VectorXd::Zero(system_.nu()), {}};
    for (const Acting& acting : acting_) scope.contacts.insert(acting.id);
    if (acting_.size() > static_cast<size_t>(InstantOptions::kMostContacts))
      throw InputError(
          {},
          fmt::format("{} contacts are more than {}, up to which an instant can be judged: name a body around which to look",
                      acting_.size(), InstantOptions::kMostContacts));
    return scope;
  }

  /// Velocities that are coupled without contacts: by the mass matrix and bilateral constraints.
  void join_bodies() {
    bodies_.reset(system_.nu());
    for (const LowerEntry& entry : system_.mass_pattern()) bodies_.join(entry.row, entry.column);
    for (const Acting& acting : acting_) {
      // The velocities of one body: its places in a contact follow each other.
      for (size_t i = 1; i < acting.velocities.size(); ++i) {
        if (same_body(acting.velocities[i - 1], acting.velocities[i]))
          bodies_.join(acting.velocities[i - 1], acting.velocities[i]);
      }
    }
    SparseColumns W;
    Eigen::VectorXd chi;
    evaluator_.evaluate_constraint_directions(W, chi);
    for (int k = 0; k < W.columns(); ++k) {
      for (int p = W.start[k] + 1; p < W.start[k + 1]; ++p)
        bodies_.join(W.row[static_cast<size_t>(p) - 1], W.row[static_cast<size_t>(p)]);
    }
    bodies_.number(body_of_);
  }
  [[nodiscard]] bool same_body(int i, int j) const {
    const auto name = [&](int velocity) {
      const std::string& whole = system_.velocity_names()[static_cast<size_t>(velocity)];
      return whole.substr(0, whole.find('.'));
    };
    return name(i) == name(j);
  }

  FoundScope take_around() const {
    std::vector<char> body_in(body_of_.size(), 0), taken(acting_.size(), 0);
    const auto touches = [&](const Acting& acting) {
      return std::any_of(acting.velocities.begin(), acting.velocities.end(), [&](int velocity) {
        return body_in[static_cast<size_t>(body_of_[static_cast<size_t>(velocity)])] != 0;
      });
    };
    const auto take = [&](size_t k) {
      taken[k] = 1;
      for (const int velocity : acting_[k].velocities)
        body_in[static_cast<size_t>(body_of_[static_cast<size_t>(velocity)])] = 1;
    };
    size_t count = 0;
    for (size_t k = 0; k < acting_.size(); ++k) {
      if (acting_[k].named) take(k);
      count += acting_[k].named ? 1 : 0;
    }
    if (count > static_cast<size_t>(InstantOptions::kMostContacts))
      throw InputError(
          {}, fmt::format("'{}' has {} contacts, and {} are the most that an instant can be judged with; name another body",
                          options_.around, count, InstantOptions::kMostContacts));
    const std::vector<char> own_bodies = body_in, own = taken;
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0; k < acting_.size(); ++k) {
        if (taken[k] != 0 || !touches(acting_[k])) continue;
        take(k);
        ++count;
        more = true;
      }
    }
    const bool island = count <= static_cast<size_t>(InstantOptions::kMostContacts);
    return describe(island ? body_in : own_bodies, island ? taken : own, count);
  }

  FoundScope describe(const std::vector<char>& body_in, const std::vector<char>& taken, size_t in_island) const {
    std::vector<char> chosen(static_cast<size_t>(system_.nu()), 0);
    for (size_t j = 0; j < chosen.size(); ++j) chosen[j] = body_in[static_cast<size_t>(body_of_[j])];
    FoundScope scope{VelocityScope(system_.nu(), chosen), {}, Eigen::VectorXd::Zero(system_.nu()), {}};
    size_t left_out = 0;
    for (size_t k = 0; k < acting_.size(); ++k) {
      const Acting& acting = acting_[k];
      if (taken[k] != 0) {
        scope.contacts.insert(acting.id);
        continue;
      }
      bool loads = false;
      for (size_t i = 0; i < acting.velocities.size(); ++i) {
        if (chosen[static_cast<size_t>(acting.velocities[i])] == 0) continue;
        scope.load[acting.velocities[i]] += acting.force[static_cast<Eigen::Index>(i)];
        loads = true;
      }
      left_out += loads ? 1 : 0;
    }
    if (scope.contacts.empty()) scope.notes.push_back(fmt::format("'{}' touches nothing", options_.around));
    if (left_out == 0) {
      scope.notes.push_back(
          fmt::format("the {} contacts of what leans on each other with '{}'", scope.contacts.size(), options_.around));
    } else {
      scope.notes.push_back(fmt::format(
          "the {} contacts of '{}', of {} of what leans on each other with it: {} others press on the same bodies, "
          "with the forces of the last step",
          scope.contacts.size(), options_.around, in_island, left_out));
    }
    return scope;
  }

  const System& system_;
  const State& state_;
  const InstantOptions& options_;
  const GapRule& rule_;
  Evaluator& evaluator_;
  std::vector<Acting> acting_;
  UnionFind bodies_;
  std::vector<int> body_of_;  // of each velocity
};

}  // namespace

double reach_of_held_contacts(const System& system) {
  return system.has_fixed_laws() ? 0.0 : ActiveLawsOptions::kRestBand * system.largest_half_size();
}

FoundScope scope_of_found_contacts(const System& system, const State& state, const InstantOptions& options,
                                   const GapRule& rule, Evaluator& evaluator) {
  return FoundScopeFinder(system, state, options, rule, evaluator).find();
}

}  // namespace tippe
