// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bind.h"
#include "bytes_archive.h"
#include "record.h"
#include "run_summary.h"
#include "thinned.h"
#include "tippe/core/error.h"
#include "tippe/core/version.h"
#include "tippe/record/recorded_run.h"
#include "tippe/report/page.h"
#include "tippe/report/report.h"
#include "tippe/verify/verify.h"

namespace tippe::python {
namespace {

Record read_record(const std::filesystem::path& path) {
  const nb::gil_scoped_release released;
  RecordedState state = read_state(path);
  return {std::move(state.run), std::move(state.recorded), state.every};
}

/// The tables of samples by their names in the file.
const RecordedTable* find_table(const Record& record, const std::string& name) {
  const RecordedRun& run = record.run;
  if (name == "force") return &record.forces();
  const std::pair<const char*, const RecordedTable*> tables[] = {{"q", &run.q},
                                                                 {"u", &run.u},
                                                                 {"gap", &run.gap},
                                                                 {"impulse", &run.impulse},
                                                                 {"energy", &run.energy},
                                                                 {"quantity", &run.quantity},
                                                                 {"constraint_force", &run.constraint_force},
                                                                 {"control_force", &run.control_force},
                                                                 {"constraint_position", &run.constraint_position},
                                                                 {"constraint_velocity", &run.constraint_velocity}};
  for (const auto& [key, table] : tables) {
    if (name == key) return table;
  }
  throw nb::key_error(name.c_str());
}

std::string page_of(const Record& record) {
  const nb::gil_scoped_release released;
  return make_report(record.run, describe_run(record.summary.summary), outcome_of(record.run, record.summary.summary));
}

/// The same with fewer samples, where it would have more bytes.
std::string small_page_of(const Record& record, size_t most) {
  const nb::gil_scoped_release released;
  const std::vector<SummaryLine> lines = describe_run(record.summary.summary);
  const RunOutcome outcome = outcome_of(record.run, record.summary.summary);
  std::string page = make_report(record.run, lines, outcome);
  for (size_t stride = 1; page.size() > most && record.run.time.size() / stride > 100;) {
    stride = std::max(stride * 2, stride * (page.size() / most));
    page = make_report(thinned(record.run, stride), lines, outcome);
  }
  return page;
}

/// Whether it obeys, the text of the program, and its JSON.
std::tuple<bool, std::string, std::string> verify_record(const Record& record) {
  const nb::gil_scoped_release released;
  const verify::Verdict verdict = verify::verify_run(record.run, record.summary.summary);
  return {verdict.obeys(), verdict_text(verdict), verdict_json(verdict, record.run.origin.scene_file)};
}

/// A copy that nobody can write to.
template <class Number, class Value>
nb::ndarray<nb::numpy, const Number, nb::c_contig> frozen(const std::vector<Value>& values, std::vector<size_t> shape) {
  auto* copy = new std::vector<Number>(values.begin(), values.end());
  if (copy->empty()) copy->resize(1);  // an array of length 0 needs an address too
  const nb::capsule owner(copy, [](void* data) noexcept { delete static_cast<std::vector<Number>*>(data); });
  return {copy->data(), shape.size(), shape.data(), owner};
}

/// start, id, law, at, normal, gap, impulse and rolling moment of the contacts that were found; None where contacts were not found.
nb::object contacts_of(nb::handle_t<Record> self) {
  const RecordedContacts& contacts = nb::cast<const Record&>(self).run.contacts;
  if (!contacts.were_found()) return nb::none();
  std::vector<std::uint32_t> id;
  for (const LawId& one : contacts.id) {
    for (const std::uint32_t part : {one.shape_a, one.shape_b, one.feature_a, one.feature_b}) id.push_back(part);
  }
  const size_t count = contacts.id.size();
  const nb::object moment = contacts.moment.empty() ? nb::none() : nb::cast(view(contacts.moment, count, 3, self));
  return nb::make_tuple(contacts.shapes, frozen<std::int64_t>(contacts.start, {contacts.start.size()}),
                        frozen<std::uint32_t>(id, {count, 4}), frozen<std::int64_t>(contacts.law, {count}),
                        view(contacts.at, count, 3, self), view(contacts.normal, count, 3, self), view(contacts.gap, self),
                        view(contacts.impulse, count, 3, self), moment);
}

/// (t, kind, laws, before, after, impulse or None, energy lost, alternatives or None, note).
nb::list events_of(const Record& record) {
  nb::list events;
  for (const Event& event : record.run.events) {
    nb::list laws, before, after;
    for (const int law : event.laws) laws.append(record.run.laws.at(static_cast<size_t>(law)));
    for (const ContactMode mode : event.before) before.append(name_of(mode));
    for (const ContactMode mode : event.after) after.append(name_of(mode));
    const nb::object impulse = event.impulse.size() > 0 ? nb::cast(frozen_copy(event.impulse)) : nb::none();
    events.append(nb::make_tuple(event.t, name_of(event.kind), nb::tuple(laws), nb::tuple(before), nb::tuple(after), impulse,
                                 event.lost, event.alternatives, event.note));
  }
  return events;
}

}  // namespace

void bind_record(nb::module_& module) {
  nb::class_<Record> record(module, "Record", "A recording in memory. Arrays are views of its numbers, read-only.");
  record.def("names", [](const Record& self, const std::string& table) { return find_table(self, table)->names; })
      .def("units", [](const Record& self, const std::string& table) { return find_table(self, table)->units; })
      .def("table",
           [](nb::handle_t<Record> self, const std::string& name) {
             const Record& data = nb::cast<const Record&>(self);
             const RecordedTable* table = find_table(data, name);
             return view(table->values, data.run.time.size(), table->names.size(), self);
           })
      .def_prop_ro("title", [](const Record& self) { return self.run.origin.title; })
      .def_prop_ro("source", [](const Record& self) { return self.run.origin.source; })
      .def_prop_ro("inputs_file", [](const Record& self) { return self.run.origin.inputs_file; })
      .def_prop_ro("file", [](const Record& self) { return self.run.origin.scene_file; })
      .def_prop_ro("text", [](const Record& self) { return self.run.origin.scene_text; })
      .def_prop_ro("settings", [](const Record& self) { return self.run.origin.settings; })
      .def_prop_ro("program", [](const Record& self) { return self.run.program; })
      .def_prop_ro("integrator", [](const Record& self) { return self.run.integrator; })
      .def_prop_ro("dt", [](const Record& self) { return self.run.dt; })
      .def_prop_ro("laws", [](const Record& self) { return self.run.laws; })
      .def_prop_ro("contacts", contacts_of)
      .def_prop_ro("events", events_of)
      .def_prop_ro("status", [](const Record& self) { return name_of(self.summary.summary.status); })
      .def_prop_ro("message", [](const Record& self) { return self.summary.summary.message; })
      .def_prop_ro("warnings", [](const Record& self) { return self.summary.summary.warnings; })
      .def_prop_ro("summary", [](const Record& self) { return summary_dict(self.summary.head, self.summary.summary); })
      .def("__getstate__",
           [](Record& self) {
             const std::string bytes = to_bytes(self.run, self.summary, self.every);
             return nb::make_tuple(self.run.program, nb::bytes(bytes.data(), bytes.size()));
           })
      .def("__setstate__",
           [](Record& self, const std::tuple<std::string, nb::bytes>& state) {
             const auto& [program, bytes] = state;
             if (program != kProgram) throw FileError(fmt::format("pickled by {}, and this is {}", program, kProgram));
             new (&self) Record();
             from_bytes(std::string(bytes.c_str(), bytes.size()), self.run, self.summary, self.every);
           })
      .def_prop_ro("summary_text",
                   [](const Record& self) { return summary_text(self.summary.head, describe_run(self.summary.summary)); })
      .def("verify", verify_record, "Judges the recording: whether it obeys, a text, and JSON.")
      .def("small_page", small_page_of, nb::arg("most_bytes"),
           "The report with so few samples that it has at most so many bytes.")
      .def("page", page_of, "The report: one self-contained HTML text.")
      .def(
          "write_page", [](const Record& self, const std::filesystem::path& path) { write_page(page_of(self), path); },
          nb::arg("path"));

  const auto column = [&](const char* name, std::vector<double> RecordedRun::*member) {
    record.def_prop_ro(
        name, [member](nb::handle_t<Record> self) { return view(nb::cast<const Record&>(self).run.*member, self); });
  };
  column("time", &RecordedRun::time);
  column("redundant", &RecordedRun::redundant);
  column("step_time", &RecordedRun::step_time);
  column("step_residual", &RecordedRun::step_residual);
  column("step_iterations", &RecordedRun::step_iterations);
  column("impact_time", &RecordedRun::impact_time);
  column("impact_law", &RecordedRun::impact_law);
  column("impact_speed", &RecordedRun::impact_speed);
  column("impact_lost", &RecordedRun::impact_lost);
  record.def_prop_ro("impact_impulse", [](nb::handle_t<Record> self) {
    const RecordedRun& run = nb::cast<const Record&>(self).run;
    return view(run.impact_impulse, run.impact_time.size(), ForceLaw::kMostRows, self);
  });

  module.def("read_record", read_record, nb::arg("path"), "Reads a recording (HDF5).");
}

}  // namespace tippe::python
