// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/event_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "tippe/core/error.h"

namespace tippe {
namespace {

constexpr double kNotChecked = -1.0;  // alternatives
constexpr double kNoNote = -1.0;

/// The names of an enumeration in the order of its values, which is that of the numbers in the file.
template <class Enumeration>
std::vector<std::string> names_until(Enumeration last) {
  std::vector<std::string> names;
  for (int k = 0; k <= static_cast<int>(last); ++k) names.emplace_back(name_of(static_cast<Enumeration>(k)));
  return names;
}

size_t count_rows(const std::vector<ForceLaw>& laws) {
  size_t rows = 0;
  for (const ForceLaw& law : laws) rows += static_cast<size_t>(law.rows);
  return rows;
}

/// Reads columns and checks that they are what was written.
class EventReader {
 public:
  explicit EventReader(const Hdf5File& file) : file_(file), rows_(file.read_table("events/time").size()) {}

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] std::vector<double> column(const char* name, size_t width = 1) const {
    if (width == 0) return {};
    std::vector<double> values = file_.read_table(fmt::format("events/{}", name));
    if (values.size() != width * rows_) fail(name);
    return values;
  }
  /// A value of an enumeration, or a place in a list.
  [[nodiscard]] size_t place(double value, size_t end, const char* name) const {
    if (!(value >= 0.0 && value < static_cast<double>(end))) fail(name);
    return static_cast<size_t>(value);
  }

 private:
  [[noreturn]] void fail(const char* name) const {
    throw FileError(fmt::format("{}: damaged: events/{} does not fit the other tables", file_.name(), name));
  }
  const Hdf5File& file_;
  size_t rows_;
};

}  // namespace

EventTable EventTable::make(Hdf5File& file, const std::vector<ForceLaw>& laws) {
  EventTable table;
  table.laws_ = laws.size();
  table.rows_of_laws_ = count_rows(laws);
  file.make_group("events");
  file.write_list("events/kind_names", names_until(EventKind::kOwn));
  file.write_list("events/mode_names", names_until(ContactMode::kSlide));
  table.time_ = file.make_table("events/time", 0);
  table.kind_ = file.make_table("events/kind", 0, true);
  table.lost_ = file.make_table("events/energy_lost", 0);
  table.alternatives_ = file.make_table("events/alternatives", 0, true);
  table.note_ = file.make_table("events/note", 0, true);
  if (laws.empty()) return table;
  const int columns = static_cast<int>(laws.size());
  table.taking_part_ = file.make_table("events/taking_part", columns, true);
  table.before_ = file.make_table("events/mode_before", columns, true);
  table.after_ = file.make_table("events/mode_after", columns, true);
  table.impulse_ = file.make_table("events/impulse", static_cast<int>(table.rows_of_laws_));
  return table;
}

EventTable EventTable::open(Hdf5File& file, const std::vector<ForceLaw>& laws) {
  EventTable table;
  table.laws_ = laws.size();
  table.rows_of_laws_ = count_rows(laws);
  table.time_ = file.open_table("events/time", 0);
  table.kind_ = file.open_table("events/kind", 0);
  table.lost_ = file.open_table("events/energy_lost", 0);
  table.alternatives_ = file.open_table("events/alternatives", 0);
  table.note_ = file.open_table("events/note", 0);
  table.note_column_ = file.read_table("events/note");
  table.notes_ = file.read_list("events/notes");
  if (laws.empty()) return table;
  const int columns = static_cast<int>(laws.size());
  table.taking_part_ = file.open_table("events/taking_part", columns);
  table.before_ = file.open_table("events/mode_before", columns);
  table.after_ = file.open_table("events/mode_after", columns);
  table.impulse_ = file.open_table("events/impulse", static_cast<int>(table.rows_of_laws_));
  return table;
}

std::vector<Hdf5Table*> EventTable::tables() {
  std::vector<Hdf5Table*> all;
  for (Hdf5Table* table : {&time_, &kind_, &lost_, &alternatives_, &note_, &taking_part_, &before_, &after_, &impulse_}) {
    if (table->exists()) all.push_back(table);
  }
  return all;
}

void EventTable::add(const Event& event) {
  assert(event.before.size() == laws_ && event.after.size() == laws_);
  time_.append(event.t);
  kind_.append(static_cast<double>(event.kind));
  lost_.append(event.lost);
  alternatives_.append(event.alternatives ? *event.alternatives : kNotChecked);
  double note = kNoNote;
  if (!event.note.empty()) {
    const auto [place, is_new] = place_of_.try_emplace(event.note, notes_.size());
    if (is_new) notes_.push_back(event.note);
    notes_changed_ |= is_new;
    note = static_cast<double>(place->second);
  }
  note_.append(note);
  for (size_t i = 0; i < laws_; ++i) {
    taking_part_.append(std::binary_search(event.laws.begin(), event.laws.end(), static_cast<int>(i)) ? 1.0 : 0.0);
    before_.append(static_cast<double>(event.before[i]));
    after_.append(static_cast<double>(event.after[i]));
  }
  const bool jumps = event.impulse.size() > 0;
  for (size_t k = 0; k < rows_of_laws_; ++k) impulse_.append(jumps ? event.impulse[static_cast<Eigen::Index>(k)] : 0.0);
}

void EventTable::truncate(std::uint64_t rows) {
  for (Hdf5Table* table : tables()) table->truncate(rows);
  // Notes stand in the order of their first rows: those of the rows that remain are the first ones.
  note_column_.resize(std::min<size_t>(note_column_.size(), rows));
  double used = 0.0;
  for (const double note : note_column_) used = std::max(used, note + 1.0);
  if (!(used <= static_cast<double>(notes_.size())))
    throw FileError("the recording is damaged: events/note does not fit events/notes");
  notes_.resize(static_cast<size_t>(used));
  place_of_.clear();
  for (size_t k = 0; k < notes_.size(); ++k) place_of_.emplace(notes_[k], k);
  note_column_.clear();
  notes_changed_ = true;
}

void EventTable::flush(Hdf5File& file) {
  for (Hdf5Table* table : tables()) table->flush();
  if (notes_changed_) file.write_list("events/notes", notes_);
  notes_changed_ = false;
}

std::vector<Event> read_events(const Hdf5File& file, size_t laws, size_t rows_of_laws) {
  if (!file.has("events")) return {};
  const EventReader reader(file);
  const std::vector<double> time = reader.column("time"), kind = reader.column("kind"), lost = reader.column("energy_lost"),
                            alternatives = reader.column("alternatives"), note = reader.column("note"),
                            taking_part = reader.column("taking_part", laws), before = reader.column("mode_before", laws),
                            after = reader.column("mode_after", laws), impulse = reader.column("impulse", rows_of_laws);
  const std::vector<std::string> notes = file.read_list("events/notes");
  const size_t kinds = static_cast<size_t>(EventKind::kOwn) + 1, modes = static_cast<size_t>(ContactMode::kSlide) + 1;
  constexpr size_t kMost = std::numeric_limits<int>::max();
  std::vector<Event> events(reader.rows());
  for (size_t k = 0; k < events.size(); ++k) {
    Event& event = events[k];
    event.t = time[k];
    event.kind = static_cast<EventKind>(reader.place(kind[k], kinds, "kind"));
    event.lost = lost[k];
    if (alternatives[k] >= 0.0) event.alternatives = static_cast<int>(reader.place(alternatives[k], kMost, "alternatives"));
    if (note[k] >= 0.0) event.note = notes[reader.place(note[k], notes.size(), "note")];
    for (size_t i = k * laws; i < (k + 1) * laws; ++i) {
      if (taking_part[i] != 0.0) event.laws.push_back(static_cast<int>(i - k * laws));
      event.before.push_back(static_cast<ContactMode>(reader.place(before[i], modes, "mode_before")));
      event.after.push_back(static_cast<ContactMode>(reader.place(after[i], modes, "mode_after")));
    }
    const auto row = impulse.begin() + static_cast<std::ptrdiff_t>(k * rows_of_laws);
    const auto row_end = row + static_cast<std::ptrdiff_t>(rows_of_laws);
    if (std::any_of(row, row_end, [](double value) { return value != 0.0; }))
      event.impulse = Eigen::Map<const Eigen::VectorXd>(&*row, static_cast<Eigen::Index>(rows_of_laws));
  }
  return events;
}

}  // namespace tippe
