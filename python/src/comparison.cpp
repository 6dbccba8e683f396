// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bind.h"
#include "long_call.h"
#include "record.h"
#include "tippe/report/page.h"
#include "tippe/report/recorded_comparison.h"
#include "tippe/study/comparison_plan.h"

namespace tippe::python {
namespace {

/// What came of a comparison, with its table.
struct Compared {
  ComparisonOutcome outcome;
  TextTable table;
};

/// The comparison, and what ended it early, an exception of Python, or None. `progress` is called with (t, fraction, steps) of all runs together.
nb::tuple compare(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                  std::vector<std::string> integrators, std::vector<std::string> steps, nb::object progress) {
  LongCall call(std::move(progress));
  std::unique_ptr<Compared> compared;
  {
    const nb::gil_scoped_release released;
    const ComparisonPlan plan =
        plan_comparison([&](const SceneOverrides& changed) { return read_scene(text, file, changed); },
                        {overrides, std::move(integrators), std::move(steps)});
    const auto count = static_cast<double>(plan.runs.size());
    const auto show = [&](size_t run, const std::string&) {
      return [&call, run, count](const Progress& now) {
        call.look(now.t, (static_cast<double>(run) + now.fraction) / count, now.steps);
      };
    };
    ComparisonOutcome outcome = run_comparison(plan, show, &call.stop());
    TextTable table = tabulate(outcome.comparison);
    compared = std::make_unique<Compared>(Compared{std::move(outcome), std::move(table)});
  }
  return nb::make_tuple(nb::cast(std::move(compared)), call.error());
}

/// Runs of one system that were made already.
std::unique_ptr<Compared> compare_records(const std::vector<const Record*>& records, const std::vector<std::string>& names) {
  std::vector<RecordedState> states;
  for (const Record* record : records) states.push_back({"", record->every, record->run, record->summary});
  Comparison comparison = compare_recordings(states, names);
  TextTable table = tabulate(comparison);
  return std::make_unique<Compared>(Compared{{std::move(comparison), {}, RunStatus::kOk, ""}, std::move(table)});
}

/// Of one run at the common times, not copied.
Column values(nb::handle_t<Compared> self, size_t run, size_t quantity) {
  const auto& compared = nb::cast<const Compared&>(self);
  return view(compared.outcome.comparison.runs().at(run).values.at(quantity), self);
}

std::vector<double> times(const Compared& compared) {
  const CommonTimes& common = compared.outcome.comparison.times();
  std::vector<double> all;
  for (size_t k = 0; k < common.size(); ++k) all.push_back(common.time(k));
  return all;
}

}  // namespace

void bind_comparison(nb::module_& module) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Compared>(module, "Compared", "Runs of one scene with different integrators and steps.")
      .def("json",
           [](const Compared& it) {
             return comparison_json(it.outcome.comparison, it.outcome.status, it.outcome.message, it.outcome.not_run, {});
           })
      .def("text", [](const Compared& it) { return comparison_text(it.outcome.comparison, it.table); })
      .def(
          "page", [](const Compared& it) { return make_comparison_page(it.outcome.comparison, it.table); }, Released())
      .def(
          "write_page",
          [](const Compared& it, const std::filesystem::path& path) {
            write_page(make_comparison_page(it.outcome.comparison, it.table), path);
          },
          nb::arg("path"), Released())
      .def_prop_ro("quantities",
                   [](const Compared& it) {
                     std::vector<std::string> ids;
                     for (const ComparedQuantity& quantity : it.outcome.comparison.quantities()) ids.push_back(quantity.id);
                     return ids;
                   })
      .def_prop_ro("labels",
                   [](const Compared& it) {
                     std::vector<std::string> labels;
                     for (const ComparedRun& run : it.outcome.comparison.runs()) labels.push_back(run.label());
                     return labels;
                   })
      .def_prop_ro("adaptive",
                   [](const Compared& it) {
                     std::vector<bool> adaptive;
                     for (const ComparedRun& run : it.outcome.comparison.runs()) adaptive.push_back(run.adaptive);
                     return adaptive;
                   })
      .def("times", times)
      .def("values", values, nb::arg("run"), nb::arg("quantity"));

  module.def("compare_records", compare_records, nb::arg("records"), nb::arg("names"), Released());
  module.def("compare", compare, nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("integrators"),
             nb::arg("steps"), nb::arg("progress").none(),
             nb::sig("def compare(text: str, file: str, overrides: Overrides, integrators: list[str], steps: list[str], "
                     "progress: object) -> tuple[Compared, BaseException | None]"),
             "Runs a scene with every integrator and every step.");
}

}  // namespace tippe::python
