// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <future>

#include "arrays.h"
#include "bind.h"
#include "long_call.h"
#include "tippe/scene/scene.h"
#include "tippe/study/run_gradient.h"

namespace tippe::python {
namespace {

/// Row by row.
std::vector<double> rows_of(const Eigen::MatrixXd& table) {
  std::vector<double> rows;
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    for (Eigen::Index j = 0; j < table.cols(); ++j) rows.push_back(table(i, j));
  }
  return rows;
}

std::vector<double> to_vector(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

/// Everything of a RunGradient, and what ended it early, an exception of Python, or None. This thread looks after signals while another one works.
nb::tuple find_gradient(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                        const std::vector<std::string>& parameters, const std::vector<double>& times) {
  LongCall call(nb::none());
  RunGradient gradient;
  {
    const nb::gil_scoped_release released;
    std::future<RunGradient> work = std::async(std::launch::async, [&] {
      return find_run_gradient(text, file, overrides, parameters, {.times = times, .interrupt = &call.stop()});
    });
    while (work.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) call.look(0.0, 0.0, 0);
    gradient = work.get();
  }
  const auto columns = gradient.names.size();
  nb::list derived, events;
  for (const Eigen::MatrixXd& table : gradient.derived) derived.append(owning(rows_of(table), columns));
  for (const auto& [event, shift] : gradient.events)
    events.append(nb::make_tuple(event.t, name_of(event.kind), event.laws, to_vector(shift)));
  return nb::make_tuple(gradient.status == RunGradient::Status::kDone ? std::string() : gradient.message, gradient.at,
                        gradient.names, gradient.times, owning(rows_of(gradient.value), columns), derived, events,
                        call.error());
}

}  // namespace

void bind_gradient(nb::module_& module) {
  module.def(
      "find_gradient", find_gradient, nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("parameters"),
      nb::arg("times"),
      nb::sig(
          "def find_gradient(text: str, file: str, overrides: Overrides, parameters: collections.abc.Sequence[str], times: "
          "collections.abc.Sequence[float]) -> tuple[typing.Any, ...]"),
      "Runs a scene with the derivatives by parameters.");
}

}  // namespace tippe::python
