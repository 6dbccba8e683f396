// SPDX-License-Identifier: Apache-2.0
#include "tippe/draw/drawing.h"

#include <nlohmann/json.hpp>

namespace tippe {

bool is_drawing_document(const std::string& text) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  return document.is_object() && document.contains("primitives") && document["primitives"].is_array();
}

}  // namespace tippe
