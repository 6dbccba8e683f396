// SPDX-License-Identifier: Apache-2.0
/// All that users of the library need. What this header does not reach is internal: it is not installed, and changes without notice.
#pragma once

// Errors, and which Tippe this is.
#include "tippe/core/error.h"
#include "tippe/core/version.h"

// A system: from a scene file, or from C++ functions.
#include "tippe/model/lagrangian_builder.h"
#include "tippe/scene/scene.h"

// Its motion: integrators by name for steps of one's own, or a whole run with its summary, recording and page.
#include "tippe/integrate/constraint_forces.h"
#include "tippe/record/recorded_run.h"
#include "tippe/record/recording.h"
#include "tippe/report/report.h"
#include "tippe/run/registry.h"
#include "tippe/run/simulate.h"

// A contact problem alone.
#include "tippe/problem/residual.h"
#include "tippe/solve/contact_solver.h"

// An instant, judged.
#include "tippe/analyze/analysis.h"
#include "tippe/integrate/instant_of_system.h"
