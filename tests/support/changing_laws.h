// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "tippe/model/system.h"

namespace tippe::test {

/// The mechanics of a system with fixed laws, with contacts that are found: of those beyond the reach some are in the list and some are
/// not, others at every time. Contacts whose names begin alike ("floor_1", "floor_2") obey one law ("floor"). Their ids are in the order of
/// the fixed laws or against it. Laws that are no contacts are fixed, and come first.
class ChangingLaws final : public System {
 public:
  enum class Order { kSame, kReversed };

  ChangingLaws(const System& fixed, Order order) : fixed_(fixed), order_(order) {
    coordinate_names_ = fixed.coordinate_names();
    velocity_names_ = fixed.velocity_names();
    constraints_ = fixed.constraints();
    impact_law_ = fixed.impact_law();
    mass_pattern_ = fixed.mass_pattern();
    constant_mass_ = fixed.constant_mass();
    velocities_are_rates_ = fixed.velocities_are_rates();
    has_fixed_laws_ = false;
    for (const ForceLaw& law : fixed.laws()) {
      const std::string name = law.name.substr(0, law.name.find('_'));
      const auto known = std::find_if(laws_.begin(), laws_.end(), [&](const ForceLaw& other) { return other.name == name; });
      law_of_.push_back(static_cast<int>(known - laws_.begin()));
      if (known != laws_.end()) continue;
      laws_.push_back(law);
      laws_.back().name = name;
    }
  }

  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override { return std::make_unique<Finder>(*this); }
  [[nodiscard]] const LagrangianDescription* lagrangian() const override { return fixed_.lagrangian(); }
  [[nodiscard]] std::string law_name(const LawId& id) const override {
    return "found " + fixed_.laws()[static_cast<size_t>(number_of(id))].name;
  }

  /// The number of a law among the fixed ones.
  [[nodiscard]] int number_of(const LawId& id) const {
    if (!id.is_fixed()) return static_cast<int>(id.feature_a);
    return static_cast<int>(std::find(law_of_.begin(), law_of_.end(), static_cast<int>(id.shape_b)) - law_of_.begin());
  }
  /// What a fixed law obeys here.
  [[nodiscard]] int law_of(int number) const { return law_of_[static_cast<size_t>(number)]; }

 private:
  [[nodiscard]] LawId id_of(int number) const {
    if (fixed_.laws()[static_cast<size_t>(number)].kind != ForceLaw::Kind::kContact) return LawId::fixed(law_of(number));
    const auto n = static_cast<std::uint32_t>(number);
    return {7, order_ == Order::kSame ? n : 1000 - n, n, 3};
  }

  class Finder final : public Evaluator {
   public:
    explicit Finder(const ChangingLaws& system)
        : system_(system), inner_(system.fixed_.make_evaluator()), all_(list_of_fixed_laws(system.fixed_.laws())) {}

    void set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) override {
      t_ = t;
      inner_->set_state(t, q, u);
    }
    void evaluate_dynamics(Dynamics& dynamics) override { inner_->evaluate_dynamics(dynamics); }
    void evaluate_position_rate(Eigen::VectorXd& rate) override { inner_->evaluate_position_rate(rate); }
    void map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) override { inner_->map_velocities(s, dq); }
    void evaluate_constraint_positions(Eigen::VectorXd& g) override { inner_->evaluate_constraint_positions(g); }
    void evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) override {
      inner_->evaluate_constraint_directions(W, chi);
    }
    void evaluate_constraint_drift(Eigen::VectorXd& drift) override { inner_->evaluate_constraint_drift(drift); }
    void evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) override {
      inner_->evaluate_constraint_sizes(position, drift);
    }
    Energies evaluate_energies() override { return inner_->evaluate_energies(); }

    void find_laws(double reach, LawList& laws) override {
      inner_->find_laws(reach, all_);
      std::vector<std::pair<LawId, int>> found;
      for (int number = 0; number < all_.size(); ++number) {
        const bool contact = system_.fixed_.laws()[static_cast<size_t>(number)].kind == ForceLaw::Kind::kContact;
        if (!contact || all_.gap[number] <= reach || shows_up(number)) found.emplace_back(system_.id_of(number), number);
      }
      std::sort(found.begin(), found.end());
      laws.clear();
      laws.gap.resize(static_cast<Eigen::Index>(found.size()));
      for (const auto& [id, number] : found) {
        laws.gap[laws.size()] = all_.gap[number];
        laws.push(id, system_.law_of(number));
      }
    }
    void append_directions(const LawList& laws, int k, SparseColumns& W, std::vector<double>& chi) override {
      inner_->append_directions(all_, system_.number_of(laws.id[static_cast<size_t>(k)]), W, chi);
    }
    void append_drift(const LawList& laws, int k, std::vector<double>& drift) override {
      inner_->append_drift(all_, system_.number_of(laws.id[static_cast<size_t>(k)]), drift);
    }

   private:
    /// Of an open contact: a function of the time alone, which changes within a millisecond.
    [[nodiscard]] bool shows_up(int number) const {
      const auto tick = static_cast<std::uint32_t>(std::floor(t_ * 4096.0));
      return ((tick * 2654435761u) ^ (static_cast<std::uint32_t>(number) * 40503u)) % 3 == 0;
    }

    const ChangingLaws& system_;
    std::unique_ptr<Evaluator> inner_;
    LawList all_;
    double t_ = 0.0;
  };

  const System& fixed_;
  Order order_;
  std::vector<int> law_of_;
};

}  // namespace tippe::test
