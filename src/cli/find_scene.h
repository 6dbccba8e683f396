// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/scene/find_scene.h"

namespace tippe::cli {

/// All scenes with a name, by the alphabet: those in a folder `scenes` below the current one, those installed with the program
/// (found from where the program lies, so that an installation can be moved), those of the source tree it was built from. An
/// earlier folder hides the same name in a later one.
[[nodiscard]] std::vector<NamedScene> named_scenes();

/// The file that a user means by `given`, as tippe::find_scene() looks for it in these folders.
[[nodiscard]] std::string find_scene(const std::string& given);

}  // namespace tippe::cli
