// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "tippe/record/recorded_run.h"
#include "tippe/run/checkpoint.h"

namespace tippe::python {

/// Everything of a run as bytes, for pickles that the same version reads. What is written is named once, by visit(); the same function reads.
class BytesWriter {
 public:
  template <class... Values>
  void operator()(Values&... values) {
    (write(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class Value>
  void write(Value& value);
  template <class Value>
  void raw(const Value& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Value));
  }
  std::string bytes_;
};

/// Throws FileError for bytes that are no such thing.
class BytesReader {
 public:
  explicit BytesReader(const std::string& bytes) : bytes_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }

 private:
  template <class Value>
  void read(Value& value);
  template <class Value>
  void raw(Value& value) {
    take(&value, sizeof(Value));
  }
  void take(void* target, size_t size) {
    if (size > bytes_.size() - at_) throw FileError("the pickle is damaged");
    std::memcpy(target, bytes_.data() + at_, size);
    at_ += size;
  }
  size_t count(size_t least) {
    std::uint64_t size = 0;
    raw(size);
    if (size > (bytes_.size() - at_) / least) throw FileError("the pickle is damaged");
    return static_cast<size_t>(size);
  }
  const std::string& bytes_;
  size_t at_ = 0;
};

template <class Archive>
void visit(Archive& archive, RunOrigin& x) {
  archive(x.title, x.source, x.scene_file, x.scene_text, x.settings, x.parameters, x.units, x.inputs_file, x.inputs_text);
}
template <class Archive>
void visit(Archive& archive, RunHead& x) {
  archive(x.origin, x.program, x.integrator, x.dt, x.coordinates, x.velocities, x.laws, x.contacts);
}
template <class Archive>
void visit(Archive& archive, RecordedTable& x) {
  archive(x.names, x.values, x.units);
}
template <class Archive>
void visit(Archive& archive, RecordedContacts& x) {
  archive(x.shapes, x.start, x.id, x.law, x.at, x.normal, x.impulse, x.gap, x.moment);
}
template <class Archive>
void visit(Archive& archive, Event& x) {
  archive(x.t, x.kind, x.laws, x.before, x.after, x.impulse, x.lost, x.alternatives, x.note);
}
template <class Archive>
void visit(Archive& archive, RecordedRun& x) {
  archive(x.origin, x.program, x.integrator, x.message, x.status, x.dt, x.start, x.until, x.time, x.q, x.u, x.gap, x.impulse,
          x.energy, x.quantity, x.since, x.impact, x.acted, x.u_start, x.moved_q, x.moved_u, x.drawing, x.drawing_columns,
          x.constraint_force, x.control_force, x.constraint_position, x.constraint_velocity, x.redundant, x.step_time,
          x.step_residual, x.step_iterations, x.step_energy, x.impact_time, x.impact_law, x.impact_speed, x.impact_lost,
          x.impact_impulse, x.contacts, x.events, x.laws, x.law_friction, x.law_limit);
}
template <class Archive>
void visit(Archive& archive, WorstViolation& x) {
  archive(x.value, x.at, x.time);
}
template <class Archive>
void visit(Archive& archive, EarlyStop& x) {
  archive(x.time, x.because);
}
template <class Archive>
void visit(Archive& archive, OwnEventCount& x) {
  archive(x.name, x.count);
}
template <class Archive>
void visit(Archive& archive, ConstraintSummary& x) {
  archive(x.rows, x.holonomic, x.rank_at_start, x.smallest_rank, x.position, x.velocity, x.position_at_start,
          x.position_at_end, x.velocity_at_start, x.velocity_at_end);
}
template <class Archive>
void visit(Archive& archive, State& x) {
  archive(x.t, x.q, x.u);
}
template <class Archive>
void visit(Archive& archive, RunSummary& x) {
  archive(x.status, x.message, x.stopped, x.steps, x.final_state, x.energy, x.lost_by_law, x.impacts, x.impacts_by_law,
          x.events.by_kind, x.own_events, x.worst_residual, x.median_residual, x.residual_90_percent, x.failed_steps,
          x.rejected_steps, x.iterations, x.halved_steps, x.inexact_steps, x.ambiguous_steps, x.constraints,
          x.worst_penetration, x.worst_penetration_at, x.wall_time, x.warnings, x.notes);
}
template <class Archive>
void visit(Archive& archive, RecordedSummary& x) {
  archive(x.head, x.summary);
}
template <class Archive>
void visit(Archive& archive, Checkpoint& x) {
  archive(x.names, x.values, x.arrays, x.integrator_memory, x.warnings);
}
template <class Archive>
void visit(Archive& archive, NamedArrays::Array& x) {
  archive(x.name, x.values);
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T, std::less<>>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// Numbers, enumerations, ids and arrays of them.
template <class Value>
constexpr bool kIsPlain = std::is_trivially_copyable_v<Value> && !IsOptional<Value>::value && !std::is_pointer_v<Value>;

template <class Value>
void BytesWriter::write(Value& value) {
  if constexpr (std::is_same_v<Value, std::string> || IsVector<Value>::value || std::is_same_v<Value, Eigen::VectorXd>) {
    raw(static_cast<std::uint64_t>(value.size()));
    using Entry = std::remove_reference_t<decltype(value[0])>;
    if constexpr (kIsPlain<Entry>) {
      bytes_.append(reinterpret_cast<const char*>(value.data()), static_cast<size_t>(value.size()) * sizeof(Entry));
    } else {
      for (auto& entry : value) write(entry);
    }
  } else if constexpr (std::is_same_v<Value, NamedArrays>) {
    std::vector<NamedArrays::Array> all = value.all();
    write(all);
  } else if constexpr (IsMap<Value>::value) {
    raw(static_cast<std::uint64_t>(value.size()));
    for (auto& [name, entry] : value) {
      std::string copy = name;
      write(copy);
      write(entry);
    }
  } else if constexpr (IsOptional<Value>::value) {
    raw(static_cast<char>(value.has_value()));
    if (value) write(*value);
  } else if constexpr (kIsPlain<Value>) {
    raw(value);
  } else {
    visit(*this, value);
  }
}

template <class Value>
void BytesReader::read(Value& value) {
  if constexpr (std::is_same_v<Value, std::string> || IsVector<Value>::value || std::is_same_v<Value, Eigen::VectorXd>) {
    using Entry = std::remove_reference_t<decltype(value[0])>;
    const size_t size = count(kIsPlain<Entry> ? sizeof(Entry) : 1);
    value.resize(static_cast<decltype(value.size())>(size));
    if constexpr (kIsPlain<Entry>) {
      take(value.data(), size * sizeof(Entry));
    } else {
      for (auto& entry : value) read(entry);
    }
  } else if constexpr (std::is_same_v<Value, NamedArrays>) {
    std::vector<NamedArrays::Array> all;
    read(all);
    value = {};
    for (NamedArrays::Array& array : all) value.add(std::move(array.name), std::move(array.values));
  } else if constexpr (IsMap<Value>::value) {
    value.clear();
    for (size_t left = count(1); left > 0; --left) {
      std::string name;
      read(name);
      read(value[name]);
    }
  } else if constexpr (IsOptional<Value>::value) {
    char has = 0;
    raw(has);
    if (has != 0) read(value.emplace());
  } else if constexpr (kIsPlain<Value>) {
    raw(value);
  } else {
    visit(*this, value);
  }
}

template <class... Values>
[[nodiscard]] std::string to_bytes(Values&... values) {
  BytesWriter writer;
  writer(values...);
  return writer.take();
}
template <class... Values>
void from_bytes(const std::string& bytes, Values&... values) {
  BytesReader reader(bytes);
  reader(values...);
}

}  // namespace tippe::python
