// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/run/ledger.h"
#include "tippe/run/run_options.h"

namespace tippe {

/// Whether the integrator explains what became of the energy in a run, beside its ledger.
class EnergyWatch {
 public:
  /// A step with what its laws did and the work done in it.
  void book(const StepReport& report, const LawStep& laws, double work);
  /// `warnings`: what the integrator has said itself; what it has not said is added. `steps`: of the run.
  void warn(const EnergyLedger& energy, const RunOptions& options, double steps, std::vector<std::string>& warnings) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive("lost_by_scheme", lost_by_scheme_);
    archive("created", created_);
    archive("fed_by_damping", fed_by_damping_);
    archive("turned_over", turned_over_);
    archive("step_energies", step_energies_);
  }

 private:
  void warn_of_unexplained(const EnergyLedger& energy, const RunOptions& options, double steps,
                           std::vector<std::string>& warnings) const;
  void warn_of_created(double turnover, const RunOptions& options, std::vector<std::string>& warnings) const;
  void warn_of_scheme(const EnergyLedger& energy, double turnover, const RunOptions& options,
                      std::vector<std::string>& warnings) const;
  void warn_of_damping(double turnover, const RunOptions& options, std::vector<std::string>& warnings) const;
  [[nodiscard]] double at_rest() const;

  double lost_by_scheme_ = 0.0;  // J  along normals of contacts that stayed closed
  double created_ = 0.0;         // J  in steps in which the contacts gave energy
  double fed_by_damping_ = 0.0;  // J  in steps in which dampers gave energy
  double turned_over_ = 0.0;     // J  that was fed in and taken out again
  double step_energies_ = 0.0;   // J  that the normal impulses of steps stand for, the sum over all
};

}  // namespace tippe
