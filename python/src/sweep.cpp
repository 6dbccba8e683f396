// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "arrays.h"
#include "bind.h"
#include "long_call.h"
#include "tippe/sweep/sweep_cells.h"
#include "tippe/sweep/sweep_pool.h"

namespace tippe::python {
namespace {

std::vector<std::string> columns_of(const SweepPlan& plan) {
  std::vector<std::string> names = result_columns();
  names.insert(names.end(), ledger_columns().begin(), ledger_columns().end());
  for (const std::string& name : state_columns(plan.scene(), {})) names.push_back("final " + name);
  names.insert(names.end(), plan.request().quantities.begin(), plan.request().quantities.end());
  names.emplace_back("wall_time");
  return names;
}

/// The runs of some points, row by row.
class SweepRows {
 public:
  explicit SweepRows(const SweepPlan& plan) : plan_(plan), state_size_(state_columns(plan.scene(), {}).size()) {}

  void add(const SweepRow& row) {
    const SweepResult& result = row.result;
    double reason = -1.0;
    if (!result.message.empty()) {
      reason = static_cast<double>(reasons_.size());
      reasons_.push_back(result.message);
    }
    append_result(result, reason, plan_.points().down(row.number), cells_);
    append_ledger(result, cells_);
    append_final(result, state_size_, cells_);
    cells_.insert(cells_.end(), result.reduced.begin(), result.reduced.end());
    cells_.push_back(row.wall_time);
    for (const SweepPoint& point : result.section) append_section_point(row.number, point, section_);
    ++done_;
    if (is_failure(result.end)) ++failed_;
  }

  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t failed() const { return failed_; }
  /// Cells, points of the section, reasons. Those are no longer here afterwards.
  [[nodiscard]] nb::tuple take(const nb::object& error) {
    return nb::make_tuple(owning(std::move(cells_), columns_of(plan_).size()),
                          owning(std::move(section_), section_columns(plan_.scene()).size()), std::move(reasons_), error);
  }

 private:
  const SweepPlan& plan_;
  size_t state_size_;
  std::vector<double> cells_, section_;
  std::vector<std::string> reasons_;
  std::int64_t done_ = 0, failed_ = 0;
};

/// Points from `first` to before `end` on so many threads; progress is called with (done, total, failed).
nb::tuple compute_sweep(const SweepPlan& plan, std::int64_t first, std::int64_t end, int jobs, nb::object progress) {
  using Clock = std::chrono::steady_clock;
  LongCall call(std::move(progress));
  SweepRows rows(plan);
  {
    const nb::gil_scoped_release released;
    auto last = Clock::now();
    compute_points(plan, {first, end, {}}, jobs, &call.stop(), [&](const std::vector<SweepRow>& fresh) {
      for (const SweepRow& row : fresh) rows.add(row);
      if (Clock::now() - last < std::chrono::milliseconds(50)) return;
      call.look(rows.done(), end - first, rows.failed());
      last = Clock::now();
    });
  }
  return rows.take(call.error());
}

using Text = std::optional<std::string>;
using Count = std::optional<std::int64_t>;

}  // namespace

void bind_sweep(nb::module_& module) {
  using Texts = std::vector<std::string>;
  nb::class_<SweepPlan>(module, "SweepPlan", "What a sweep does at every point. Immutable.")
      .def(nb::new_([](const std::string& text, const std::string& file, const SceneOverrides& overrides, const Texts& vary,
                       const Texts& quantities, const std::string& section, Count transient, Count keep) {
             SweepRequest request;
             request.scene_text = text;
             request.scene_file = file;
             request.overrides = overrides;
             request.vary = vary;
             request.quantities = quantities;
             request.section = section;
             request.transient = transient;
             request.keep = keep;
             return SweepPlan(std::move(request));
           }),
           nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("vary"), nb::arg("quantities"),
           nb::arg("section"), nb::arg("transient").none(), nb::arg("keep").none())
      .def_prop_ro("columns", columns_of, "Names of the numbers of each run.")
      .def_prop_ro("ends", [](const SweepPlan&) { return end_names(); })
      .def_prop_ro("section_columns", [](const SweepPlan& plan) { return section_columns(plan.scene()); })
      .def_prop_ro("has_section", [](const SweepPlan& plan) { return plan.look().section.exists(); })
      .def_prop_ro("transient", [](const SweepPlan& plan) { return plan.look().section.transient; })
      .def_prop_ro("keep", [](const SweepPlan& plan) { return plan.look().section.keep; })
      .def("compute", compute_sweep, nb::arg("first"), nb::arg("end"), nb::arg("jobs"), nb::arg("progress").none(),
           nb::sig("def compute(self, first: int, end: int, jobs: int, progress: object) -> tuple[typing.Any, typing.Any, "
                   "list[str], "
                   "BaseException | None]"),
           "Cells of the runs, points of their sections, reasons, and the exception that ended them early, or None.");
  module.def("default_jobs", default_jobs);
}

}  // namespace tippe::python
