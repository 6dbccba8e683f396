// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tippe/integrate/event.h"
#include "tippe/model/system.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe {

/// The events of a run in its recording: /events of docs/recording.md. Rows wait in memory until flush().
class EventTable {
 public:
  /// A new one in a new file.
  static EventTable make(Hdf5File& file, const std::vector<ForceLaw>& laws);
  /// One that exists, to go on with it.
  static EventTable open(Hdf5File& file, const std::vector<ForceLaw>& laws);

  void add(const Event& event);
  /// Rows so far, those that wait included.
  [[nodiscard]] std::uint64_t rows() const { return time_.rows(); }
  /// Forgets all rows from this one on, and what was said in them alone. Throws FileError if there are not so many.
  void truncate(std::uint64_t rows);
  void flush(Hdf5File& file);

 private:
  [[nodiscard]] std::vector<Hdf5Table*> tables();

  size_t laws_ = 0, rows_of_laws_ = 0;
  Hdf5Table time_, kind_, lost_, alternatives_, note_;
  Hdf5Table taking_part_, before_, after_, impulse_;  // absent without laws
  std::vector<double> note_column_;                   // of an opened table: which note each row has
  std::vector<std::string> notes_;                    // all that were said, in the order of their first row
  std::map<std::string, size_t, std::less<>> place_of_;
  bool notes_changed_ = true;
};

/// All events of a recording; none if it has no such table. Throws FileError for a damaged one.
[[nodiscard]] std::vector<Event> read_events(const Hdf5File& file, size_t laws, size_t rows_of_laws);

}  // namespace tippe
