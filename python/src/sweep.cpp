// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "arrays.h"
#include "bind.h"
#include "long_call.h"
#include "tippe/sweep/basin.h"
#include "tippe/sweep/sweep_cells.h"
#include "tippe/sweep/sweep_pool.h"

namespace tippe::python {
namespace {

std::vector<std::string> columns_of(const SweepPlan& plan) {
  std::vector<std::string> names = result_columns();
  names.insert(names.end(), ledger_columns().begin(), ledger_columns().end());
  for (const std::string& name : state_columns(plan.scene(), {})) names.push_back("final " + name);
  names.insert(names.end(), plan.request().quantities.begin(), plan.request().quantities.end());
  names.emplace_back("forcing_period");
  names.emplace_back("wall_time");
  return names;
}

/// Where the final state begins in the numbers of a run.
size_t place_of_final_state() {
  return result_columns().size() + ledger_columns().size();
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
    cells_.push_back(row.forcing_period);
    cells_.push_back(row.wall_time);
    // Of a basin the points of an orbit, which its attractor is told by.
    const size_t points = plan_.request().basin ? static_cast<size_t>(std::max(result.period, 0)) : result.section.size();
    for (size_t k = 0; k < points; ++k) append_section_point(row.number, result.section[k], section_);
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

/// One row for each point: the values of the names that vary.
Table points_of(const SweepPlan& plan) {
  const size_t columns = plan.points().names().size();
  std::vector<double> values(static_cast<size_t>(plan.points().size()) * columns);
  for (std::int64_t k = 0; k < plan.points().size(); ++k)
    plan.points().get(k, std::span(values).subspan(static_cast<size_t>(k) * columns, columns));
  return owning(std::move(values), columns);
}

/// The attractors that runs have reached, in the order of the points: their numbers, and what they are. `cells`: of all points, in their order; `section`: what
/// compute() returned with them, one run after the other.
nb::tuple find_attractors(const SweepPlan& plan, const Table& cells, const Table& section) {
  const auto nq = static_cast<Eigen::Index>(plan.scene().system->nq()),
             nu = static_cast<Eigen::Index>(plan.scene().system->nu());
  const auto state_at = [&](double t, const double* numbers) {
    return State{t, Eigen::Map<const Eigen::VectorXd>(numbers, nq), Eigen::Map<const Eigen::VectorXd>(numbers + nq, nu)};
  };
  const size_t columns = columns_of(plan).size(), section_width = section_columns(plan.scene()).size();
  if (cells.shape(1) != columns || (section.shape(0) > 0 && section.shape(1) != section_width))
    throw std::invalid_argument("these are not the runs of this sweep");
  AttractorBook book(plan.look().period.coordinate, plan.extent_of_starts());
  std::vector<double> numbers(cells.shape(0), -1.0);
  size_t next = 0;
  for (size_t run = 0; run < cells.shape(0); ++run) {
    const double* const row = cells.data() + run * columns;
    SweepResult result;
    result.end = static_cast<SweepEnd>(static_cast<int>(row[0]));
    if (is_failure(result.end) || result.end == SweepEnd::kInterrupted) continue;
    result.period = static_cast<int>(row[5]);
    result.summary.final_state = state_at(row[2], row + place_of_final_state());
    for (; next < section.shape(0) && section.data()[next * section_width] == static_cast<double>(run); ++next) {
      const double* const point = section.data() + next * section_width;
      result.section.push_back({static_cast<std::int64_t>(point[1]), state_at(point[2], point + 3)});
    }
    if (static_cast<int>(result.section.size()) < result.period)
      throw std::invalid_argument("these are not the runs of this sweep");
    numbers[run] = book.enter(result, row[columns - 2]);
  }
  nb::list attractors;
  for (const Attractor& attractor : book.attractors()) {
    std::vector<double> points;
    for (const State& point : attractor.points) {
      points.push_back(point.t);
      append_state(point, points);
    }
    attractors.append(nb::make_tuple(name_of(attractor.kind), owning(std::move(points), section_width - 2), attractor.runs));
  }
  return nb::make_tuple(owning(std::move(numbers), 1), attractors);
}

using Text = std::optional<std::string>;
using Count = std::optional<std::int64_t>;

}  // namespace

void bind_sweep(nb::module_& module) {
  using Texts = std::vector<std::string>;
  nb::class_<SweepPlan>(module, "SweepPlan", "What a sweep does at every point. Immutable.")
      .def(nb::new_([](const std::string& text, const std::string& file, const SceneOverrides& overrides, const Texts& vary,
                       const Texts& quantities, const std::string& section, Count transient, Count keep,
                       const std::string& follow, bool basin, Count samples, bool sobol, std::uint64_t seed,
                       const std::string& table) {
             SweepRequest request;
             request.scene_text = text;
             request.scene_file = file;
             request.overrides = overrides;
             request.vary = vary;
             request.quantities = quantities;
             request.section = section;
             request.transient = transient;
             request.keep = keep;
             request.follow = follow;
             request.basin = basin;
             request.samples = samples;
             request.sampling = sobol ? Sampling::kSobol : Sampling::kRandom;
             request.seed = seed;
             request.table_text = table;
             request.table_file = "table";
             return SweepPlan(std::move(request));
           }),
           nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("vary"), nb::arg("quantities"),
           nb::arg("section"), nb::arg("transient").none(), nb::arg("keep").none(), nb::arg("follow"), nb::arg("basin"),
           nb::arg("samples").none(), nb::arg("sobol"), nb::arg("seed"), nb::arg("table"))
      .def_prop_ro(
          "names", [](const SweepPlan& plan) { return plan.points().names(); }, "What varies.")
      .def("points", points_of, "Its values: one row for each point.")
      .def_prop_ro(
          "shape", [](const SweepPlan& plan) { return plan.points().shape(); }, "Of a grid; else empty.")
      .def_prop_ro("size", [](const SweepPlan& plan) { return plan.points().size(); })
      .def_prop_ro(
          "line", [](const SweepPlan& plan) { return plan.points().line(); },
          "So many points, one after another, follow each other.")
      .def("attractors", find_attractors, nb::arg("cells"), nb::arg("section"))
      .def_prop_ro("columns", columns_of, "Names of the numbers of each run.")
      .def_prop_ro("ends", [](const SweepPlan&) { return end_names(); })
      .def_prop_ro("section_columns", [](const SweepPlan& plan) { return section_columns(plan.scene()); })
      .def_prop_ro("has_section",
                   [](const SweepPlan& plan) { return plan.look().section.exists() && !plan.request().basin; })
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
