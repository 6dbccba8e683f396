// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/json_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tippe {
namespace {

Json int_or_null(int value) {
  return value == 0 ? Json() : Json(value);
}

}  // namespace

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json numbers(const Eigen::VectorXd& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

Json named_values(const std::vector<std::string>& names, const Eigen::VectorXd& values) {
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i) object[names[i]] = number(values[static_cast<Eigen::Index>(i)]);
  return object;
}

Json error_object(const SourcePosition& position, const std::string& message) {
  return {{"file", text_or_null(position.file)},
          {"line", int_or_null(position.line)},
          {"column", int_or_null(position.column)},
          {"message", message}};
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json event_object(const Event& event, const RecordedEvents& recorded) {
  Json laws = Json::array(), before = Json::object(), after = Json::object();
  for (const int law : event.laws) laws.push_back(recorded.laws.at(static_cast<size_t>(law)));
  for (size_t i = 0; i < recorded.laws.size(); ++i) {
    before[recorded.laws[i]] = name_of(event.before[i]);
    after[recorded.laws[i]] = name_of(event.after[i]);
  }
  return {{"time", number(event.t)},
          {"kind", name_of(event.kind)},
          {"laws", laws},
          {"before", before},
          {"after", after},
          {"impulses", event.impulse.size() > 0 ? named_values(recorded.rows, event.impulse) : Json()},
          {"energy_lost", number(event.lost)},
          {"alternatives", event.alternatives ? Json(*event.alternatives) : Json()},
          {"note", text_or_null(event.note)}};
}

}  // namespace

Json events_array(const RecordedEvents& recorded) {
  Json array = Json::array();
  for (const Event& event : recorded.events) array.push_back(event_object(event, recorded));
  return array;
}

}  // namespace tippe
