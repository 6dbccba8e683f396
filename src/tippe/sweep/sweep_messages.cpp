// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_messages.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "tippe/core/version.h"

namespace tippe {
namespace {

[[noreturn]] void refuse_message() {
  throw std::runtime_error("a message from another process cannot be understood");
}

/// Appends what it is given to a message.
class MessageWriter {
 public:
  explicit MessageWriter(SweepMessage kind) : text_(1, static_cast<char>(kind)) {}

  void bytes(const void* from, size_t size) { text_.append(static_cast<const char*>(from), size); }
  size_t size(size_t size) {
    bytes(&size, sizeof size);
    return size;
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Reads the same from a message.
class MessageReader {
 public:
  explicit MessageReader(const std::string& text) : text_(text) {}

  void bytes(void* to, size_t size) {
    if (size > text_.size() - at_) refuse_message();
    std::memcpy(to, text_.data() + at_, size);
    at_ += size;
  }
  size_t size(size_t /*unknown yet*/) {
    size_t size = 0;
    bytes(&size, sizeof size);
    if (size > text_.size() - at_) refuse_message();  // nothing is smaller than a byte
    return size;
  }
  void end() const {
    if (at_ != text_.size()) refuse_message();
  }

 private:
  const std::string& text_;
  size_t at_ = 1;
};

template <class Archive, class Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void visit(Archive& archive, Number& number) {
  archive.bytes(&number, sizeof number);
}

template <class Archive>
void visit(Archive& archive, std::string& text) {
  text.resize(archive.size(text.size()));
  archive.bytes(text.data(), text.size());
}

template <class Archive>
void visit(Archive& archive, Eigen::VectorXd& vector) {
  vector.conservativeResize(static_cast<Eigen::Index>(archive.size(static_cast<size_t>(vector.size()))));
  archive.bytes(vector.data(), static_cast<size_t>(vector.size()) * sizeof(double));
}

template <class Archive, class Item>
void visit(Archive& archive, std::vector<Item>& items) {
  items.resize(archive.size(items.size()));
  for (Item& item : items) visit(archive, item);
}

template <class Archive, class Item>
void visit(Archive& archive, std::optional<Item>& item) {
  bool present = item.has_value();
  visit(archive, present);
  if (present && !item) item.emplace();
  if (present) visit(archive, *item);
}

template <class Archive>
void visit(Archive& archive, State& state) {
  visit(archive, state.t);
  visit(archive, state.q);
  visit(archive, state.u);
}

template <class Archive>
void visit(Archive& archive, FollowedState& followed) {
  visit(archive, followed.number);
  visit(archive, followed.state);
}

template <class Archive>
void visit(Archive& archive, SweepPoint& point) {
  visit(archive, point.number);
  visit(archive, point.state);
}

template <class Archive>
void visit(Archive& archive, SweepRequest& request) {
  std::string program(kProgram);
  visit(archive, program);
  if (program != kProgram)
    throw std::runtime_error("the same bits can only come from the same program: one process is " + program +
                             ", another one " + std::string(kProgram));
  SceneOverrides& overrides = request.overrides;
  visit(archive, request.scene_text);
  visit(archive, request.scene_file);
  visit(archive, overrides.settings);
  for (auto* text : {&overrides.integrator, &overrides.dt, &overrides.until, &overrides.every}) visit(archive, *text);
  visit(archive, overrides.motion_as_expressions);
  visit(archive, request.vary);
  visit(archive, request.samples);
  visit(archive, request.sampling);
  visit(archive, request.seed);
  visit(archive, request.table_text);
  visit(archive, request.table_file);
  visit(archive, request.quantities);
  visit(archive, request.section);
  visit(archive, request.transient);
  visit(archive, request.keep);
  visit(archive, request.follow);
  visit(archive, request.basin);
}

template <class Archive>
void visit(Archive& archive, PointRange& range) {
  visit(archive, range.first);
  visit(archive, range.end);
  visit(archive, range.last);
}

template <class Archive>
void visit(Archive& archive, SweepRow& row) {
  visit(archive, row.number);
  visit(archive, row.values);
  visit(archive, row.forcing_period);
  visit(archive, row.wall_time);
  SweepResult& result = row.result;
  visit(archive, result.end);
  visit(archive, result.message);
  visit(archive, result.reduced);
  visit(archive, result.section);
  visit(archive, result.period);
  RunSummary& summary = result.summary;
  visit(archive, summary.final_state);
  visit(archive, summary.steps);
  visit(archive, summary.impacts);
  visit(archive, summary.worst_residual);
  const auto named = [&](const char*, double& value) { visit(archive, value); };
  summary.energy.visit(named);
}

template <class Content>
std::string pack_content(SweepMessage kind, const Content& content) {
  MessageWriter writer(kind);
  visit(writer, const_cast<Content&>(content));  // a writer changes nothing
  return writer.take();
}

template <class Content>
Content unpack_content(SweepMessage kind, const std::string& message) {
  if (message.empty() || kind_of(message) != kind) refuse_message();
  MessageReader reader(message);
  Content content{};
  visit(reader, content);
  reader.end();
  return content;
}

}  // namespace

std::string pack(SweepMessage kind, std::string_view content) {
  return std::string(1, static_cast<char>(kind)).append(content);
}
std::string pack_request(const SweepRequest& request) {
  return pack_content(SweepMessage::kPlan, request);
}
std::string pack_range(const PointRange& range) {
  return pack_content(SweepMessage::kPoints, range);
}
std::string pack_rows(const std::vector<SweepRow>& rows) {
  return pack_content(SweepMessage::kRows, rows);
}

SweepMessage kind_of(const std::string& message) {
  return message.empty() ? SweepMessage::kEnd : static_cast<SweepMessage>(message[0]);
}
SweepRequest unpack_request(const std::string& message) {
  return unpack_content<SweepRequest>(SweepMessage::kPlan, message);
}
PointRange unpack_range(const std::string& message) {
  return unpack_content<PointRange>(SweepMessage::kPoints, message);
}
std::vector<SweepRow> unpack_rows(const std::string& message) {
  return unpack_content<std::vector<SweepRow>>(SweepMessage::kRows, message);
}

}  // namespace tippe
