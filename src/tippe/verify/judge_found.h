// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/record/recorded_run.h"
#include "tippe/run/run_summary.h"
#include "tippe/scene/scene.h"
#include "tippe/verify/verdict.h"

namespace tippe::verify {

/// Judges a recording whose contacts were found. `scene`: its own, read with SceneOverrides::motion_as_expressions. Places and normals of
/// contacts are taken as they are recorded; all else follows from q, u and the impulses by the definitions of mechanics and of the laws.
[[nodiscard]] Verdict judge_found(const Scene& scene, const RecordedRun& run, const RunSummary& summary);

}  // namespace tippe::verify
