// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/axis.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tippe/core/error.h"

namespace tippe {
namespace {

constexpr std::int64_t kMostValues = 1'000'000'000;

std::string_view trimmed_word(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(trimmed_word(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

[[noreturn]] void refuse(const std::string& message, std::string_view given) {
  throw ArgumentError(Argument::kVary, message, std::string(given));
}

std::int64_t count_of_values(std::string_view text, std::string_view given) {
  std::int64_t count = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (trouble != std::errc() || end != text.data() + text.size() || count < 1 || count > kMostValues)
    refuse(fmt::format("'{}' is no number of values: it is a whole number from 1 to {}", text, kMostValues), given);
  return count;
}

}  // namespace

double number_of_sweep(std::string_view text, std::string_view given) {
  double number = 0.0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (trouble != std::errc() || end != digits.data() + digits.size() || !std::isfinite(number))
    refuse(fmt::format("'{}' is no number", text), given);
  return number;
}

Axis Axis::parse(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed_word(text.substr(0, equals)).empty())
    refuse("write name=from:to:count, name=log:from:to:count or name=a,b,c", text);
  Axis axis;
  axis.name_ = trimmed_word(text.substr(0, equals));
  const std::string_view values = trimmed_word(text.substr(equals + 1));
  if (values.find(':') == std::string_view::npos) {
    for (const std::string_view part : split_at(values, ',')) axis.list_.push_back(number_of_sweep(part, text));
    axis.count_ = static_cast<std::int64_t>(axis.list_.size());
    return axis;
  }
  std::vector<std::string_view> parts = split_at(values, ':');
  axis.logarithmic_ = parts.front() == "log";
  if (axis.logarithmic_) parts.erase(parts.begin());
  if (parts.size() != 2 && parts.size() != 3)
    refuse(fmt::format("a range is {}from:to:count, or {}from:to for samples", axis.logarithmic_ ? "log:" : "",
                       axis.logarithmic_ ? "log:" : ""),
           text);
  axis.first_ = number_of_sweep(parts[0], text);
  axis.last_ = number_of_sweep(parts[1], text);
  if (parts.size() == 3) axis.count_ = count_of_values(parts[2], text);
  if (axis.count_ == 1 && axis.first_ != axis.last_)
    refuse(fmt::format("one value cannot be {} and {}", axis.first_, axis.last_), text);
  if (axis.logarithmic_ && !(axis.first_ != 0.0 && axis.last_ / axis.first_ > 0.0))
    refuse("a range with equal ratios needs two ends of the same sign, neither 0", text);
  return axis;
}

double Axis::between(double share) const {
  if (!logarithmic_) return first_ + share * (last_ - first_);
  return first_ * std::exp(share * std::log(last_ / first_));
}

double Axis::value(std::int64_t k) const {
  if (!list_.empty()) return list_[static_cast<size_t>(k)];
  if (k == 0) return first_;
  if (k == count_ - 1) return last_;
  return between(static_cast<double>(k) / static_cast<double>(count_ - 1));
}

double Axis::at(double share) const {
  if (list_.empty()) return between(share);
  const auto turn = static_cast<std::int64_t>(share * static_cast<double>(count_));
  return list_[static_cast<size_t>(std::min(turn, count_ - 1))];
}

}  // namespace tippe
