// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "tippe/record/recorded_run.h"
#include "tippe/run/simulate.h"
#include "tippe/verify/verdict.h"

namespace tippe {
struct Scene;
}

namespace tippe::verify {

/// Judges a recording against the scene in it, by the definitions of mechanics and of its integrator's laws: docs/howto/trust.md. Throws
/// FileError for a file that cannot be read, and InputError for another format version, or a recording without a scene.
[[nodiscard]] Verdict verify_recording(const std::filesystem::path& path);
/// The same of one that was read.
[[nodiscard]] Verdict verify_run(const RecordedRun& run, const RunSummary& summary);

class Judge;

/// Judges a run while it goes on, whatever is recorded: every step, and with an integrator that chooses its steps every sample.
class RunWatch {
 public:
  /// All must outlive it. Throws ModelError for a system that cannot be judged.
  RunWatch(const System& system, const State& start, const RunOptions& options);
  /// Of a scene, which must have its text if its motion is not made of expressions: that is read once more then.
  explicit RunWatch(const Scene& scene);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// Adds itself to those who take part in the run.
  void take_part(RunHooks& hooks);
  [[nodiscard]] Verdict finish(const RunSummary& summary);

 private:
  const System& system_;
  const RunOptions& options_;
  std::unique_ptr<const Scene> own_;  // another reading of the scene
  std::unique_ptr<Judge> judge_;
};

/// "obeys" or "violated", one line for each kind, and what was not checked.
[[nodiscard]] std::string verdict_text(const Verdict& verdict);
/// One JSON object, docs/program.md.
[[nodiscard]] std::string verdict_json(const Verdict& verdict, const std::string& file);

}  // namespace tippe::verify
