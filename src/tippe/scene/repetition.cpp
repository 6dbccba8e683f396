// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/detail/repetition.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tippe {
namespace {

constexpr std::string_view kFor = " for ";
const char* const kNameForm = "a repeated name is written \"x{i} for i in 1..12\"";

size_t skip_spaces(const std::string& text, size_t at, size_t end) {
  while (at < end && text[at] == ' ') ++at;
  return at;
}

}  // namespace

void Repetition::fail(const Range& range, size_t offset, const std::string& message) const {
  throw InputError(source_.inside_string(static_cast<int>(range.begin.line), static_cast<int>(range.begin.column),
                                         static_cast<int>(offset)),
                   message);
}

void Repetition::add(Range range) {
  const auto functions = function_names();
  const bool taken = range.index == "t" || range.index == "pi" ||
                     std::find(functions.begin(), functions.end(), range.index) != functions.end() ||
                     std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& r) { return r.index == range.index; });
  if (!is_valid_name(range.index) || taken)
    fail(range, range.from, fmt::format("'{}' cannot be the name of an index, or is one already", range.index));
  ranges_.push_back(std::move(range));
}

Repetition Repetition::of_entry(const SourceText& source, const toml::node& value) {
  constexpr const char* kForm = "'for' is written { i = \"1..12\" }, with one range for each index";
  if (!value.is_table() || value.as_table()->empty()) fail_at(source, value, kForm);
  Repetition repetition(source);
  for (const auto& [key, range] : in_file_order(*value.as_table())) {
    if (!range->is_string()) fail_at(source, *range, kForm);
    const std::string text = **range->as_string();
    repetition.add({std::string(key->str()), text, range->source().begin, 0, text.size()});
  }
  return repetition;
}

Repetition Repetition::of_name(const SourceText& source, const std::string& name, toml::source_position begin,
                               std::string& repeated_name) {
  Repetition repetition(source);
  size_t at = name.find(kFor);
  repeated_name = name.substr(0, at);
  while (at != std::string::npos) {  // "i in 1..12"
    const size_t next = name.find(kFor, at + kFor.size());
    const size_t end = std::min(next, name.size());
    const size_t index = skip_spaces(name, at + kFor.size(), end);
    const size_t index_end = std::min(name.find(' ', index), end);
    const size_t in = skip_spaces(name, index_end, end);
    Range range{name.substr(index, index_end - index), name, begin, in + 3, end};
    if (name.compare(in, 3, "in ") != 0 || in + 3 >= end) repetition.fail(range, index, kNameForm);
    repetition.add(std::move(range));
    at = next;
  }
  return repetition;
}

void Repetition::for_each(const NumberResolver& known, const std::function<void(const Indices&)>& once) const {
  Walk walk{known, once, {}, {}, 0, 0};
  std::int64_t count = 1;
  for (const Range& range : ranges_) {
    if (known(range.index))
      fail(range, range.from, fmt::format("the index '{}' has the name of a parameter; take another", range.index));
    const bool depends = range.text.substr(range.from, range.to - range.from).find('{') != std::string::npos;
    walk.fixed.push_back(depends ? std::nullopt : std::optional(find_bounds(range, known, {})));
    if (walk.fixed.back()) count *= walk.fixed.back()->count();
    if (count == 0) return;
    if (count > kMostRepetitions) count = kMostRepetitions + 1;  // a later range may be empty
  }
  if (count > kMostRepetitions) fail(ranges_.front(), ranges_.front().from, too_many_repetitions());
  repeat_from(0, walk);
}

Repetition::Bounds Repetition::find_bounds(const Range& range, const NumberResolver& known, const Indices& indices) const {
  const size_t dots = range.text.find("..", range.from);
  if (dots == std::string::npos || dots >= range.to) fail(range, range.from, "a range is written 1..12");
  Bounds bounds{};
  try {
    bounds.first = parse_whole_number(range.text, range.from, dots, known, indices);
    bounds.last = parse_whole_number(range.text, dots + 2, range.to, known, indices);
  } catch (const ExpressionError& error) {
    fail(range, static_cast<size_t>(error.offset()), error.what() + describe_indices(indices));
  }
  if (bounds.count() > kMostRepetitions) fail(range, range.from, too_many_repetitions());
  return bounds;
}

void Repetition::repeat_from(size_t number, Walk& walk) const {
  // Empty ranges that depend on indices show only when they are reached: visits that lead to nothing are limited too.
  constexpr std::int64_t kMostVisits = 5 * kMostRepetitions;
  if (number == ranges_.size()) ++walk.count;
  if (walk.count > kMostRepetitions || ++walk.visits > kMostVisits)
    fail(ranges_.front(), ranges_.front().from, too_many_repetitions());
  if (number == ranges_.size()) {
    with_indices(walk.indices, [&] { walk.once(walk.indices); });
    return;
  }
  const Range& range = ranges_[number];
  const Bounds bounds = walk.fixed[number] ? *walk.fixed[number] : find_bounds(range, walk.known, walk.indices);
  walk.indices.push_back({range.index, bounds.first});
  for (std::int64_t value = bounds.first; value <= bounds.last; ++value) {
    walk.indices.back().value = value;
    repeat_from(number + 1, walk);
  }
  walk.indices.pop_back();
}

void for_each_name(const SourceText& source, const std::string& text, toml::source_position begin,
                   const NumberResolver& known, const std::function<void(const std::string& name, const Indices&)>& use) {
  std::string pattern;
  const Repetition repetition = Repetition::of_name(source, text, begin, pattern);
  repetition.for_each(known, [&](const Indices& indices) {
    std::string name = pattern;
    try {
      if (!indices.empty()) name = fill_braces(pattern, known, indices);
    } catch (const ExpressionError& error) {
      throw InputError(source.inside_string(static_cast<int>(begin.line), static_cast<int>(begin.column), error.offset()),
                       error.what());
    }
    use(name, indices);
  });
}

std::vector<NamedEntry> named_entries(const SourceText& source, const toml::table& table, const NumberResolver& known) {
  std::vector<NamedEntry> entries;
  std::set<std::string, std::less<>> names;
  for (const TableEntry& entry : in_file_order(table)) {
    const std::string text(entry.key->str());
    for_each_name(source, text, entry.key->source().begin, known, [&](const std::string& name, const Indices& indices) {
      if (!names.insert(name).second) fail_at(source, *entry.key, fmt::format("'{}' is set twice", name));
      entries.push_back({name, entry.key, entry.value, indices});
    });
  }
  return entries;
}

}  // namespace tippe
