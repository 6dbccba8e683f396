// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe::cli {

/// From now on a line on standard error, if that is a terminal, tells every second for how long the program has been working: large systems
/// take a while before there is anything to show.
void ask_for_patience();

/// Takes the line away, for good: there is something to show.
void end_patience();

}  // namespace tippe::cli
