// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "bind.h"
#include "tippe/core/error.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/study/solve_report.h"

namespace tippe::python {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// A matrix by its entries; those that occur twice are summed.
Eigen::SparseMatrix<double> make_sparse(const char* name, std::int64_t rows, std::int64_t columns, const Indices& row,
                                        const Indices& column, const Values& value) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(value.shape(0));
  for (size_t k = 0; k < value.shape(0); ++k) {
    if (row(k) < 0 || row(k) >= rows || column(k) < 0 || column(k) >= columns)
      throw InputError(
          {}, fmt::format("{} has an entry ({}, {}) outside of its {} x {}", name, row(k), column(k), rows, columns));
    entries.emplace_back(static_cast<int>(row(k)), static_cast<int>(column(k)), value(k));
  }
  Eigen::SparseMatrix<double> matrix(static_cast<int>(rows), static_cast<int>(columns));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The blocks of a sparse matrix, of the sizes given, that have an entry, and the diagonal ones.
Delassus delassus_from_sparse(const Eigen::SparseMatrix<double>& G, const std::vector<int>& sizes) {
  Delassus result;
  std::vector<int> block_of;  // of each row
  for (const int size : sizes) {
    block_of.insert(block_of.end(), static_cast<size_t>(size), result.blocks.blocks());
    result.blocks.declare_row(size);
  }
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = G;
  using Entry = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  const std::vector<int>& row = result.blocks.row;
  std::vector<int> columns;  // block columns of a block row
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    columns.assign(1, i);
    for (int r = row[i]; r < row[i + 1]; ++r) {
      for (Entry entry(by_rows, r); entry; ++entry) columns.push_back(block_of[entry.col()]);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto first = static_cast<int>(result.blocks.entry.size());
    for (const int j : columns) result.blocks.add_block(j);
    for (int r = row[i]; r < row[i + 1]; ++r) {
      for (Entry entry(by_rows, r); entry; ++entry) {
        const int j = block_of[entry.col()];
        const auto at = std::lower_bound(columns.begin(), columns.end(), j) - columns.begin();
        const int offset = result.blocks.entry[static_cast<size_t>(first + at)].offset;
        result.blocks.value[offset + (r - row[i]) * sizes[j] + (entry.col() - row[j])] = entry.value();
      }
    }
    result.blocks.finish_row();
  }
  return result;
}

StoredProblem make_inclusion(const Indices& G_row, const Indices& G_column, const Values& G_value, const VectorXd& c,
                             std::vector<LawSet> laws, const std::vector<int>& sizes) {
  if (c.size() != std::accumulate(sizes.begin(), sizes.end(), 0))
    throw InputError({}, fmt::format("c has {} entries and must have {}, the rows of the sets", c.size(),
                                     std::accumulate(sizes.begin(), sizes.end(), 0)));
  InclusionProblem problem{
      delassus_from_sparse(make_sparse("G", c.size(), c.size(), G_row, G_column, G_value), sizes), c, std::move(laws), {}};
  if (const std::string reason = invalid_reason(problem); !reason.empty()) throw InputError({}, reason);
  return {ProblemKind::kInclusion, std::move(problem), {}};
}

StoredProblem make_global(const Indices& M_row, const Indices& M_column, const Values& M_value, const Indices& H_row,
                          const Indices& H_column, const Values& H_value, const VectorXd& f, const VectorXd& w,
                          const VectorXd& mu, int spacedim) {
  GlobalFrictionProblem global;
  global.spacedim = spacedim;
  global.M = make_sparse("M", f.size(), f.size(), M_row, M_column, M_value);
  global.H = make_sparse("H", f.size(), w.size(), H_row, H_column, H_value);
  global.f = f;
  global.w = w;
  global.mu = mu;
  InclusionProblem condensed = condense(global);
  if (const std::string reason = invalid_reason(condensed); !reason.empty()) throw InputError({}, reason);
  return {spacedim == 3 ? ProblemKind::kGfc3d : ProblemKind::kGfc2d, std::move(condensed), std::move(global)};
}

StoredProblem make_lcp(const MatrixXd& M, const VectorXd& q) {
  LcpProblem problem{M, q};
  require_sizes(problem);
  return {ProblemKind::kLcp, std::move(problem), {}};
}

StoredProblem make_mlcp(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D, const VectorXd& a,
                        const VectorXd& b) {
  MlcpProblem problem{A, B, C, D, a, b};
  require_sizes(problem);
  return {ProblemKind::kMlcp, std::move(problem), {}};
}

template <class Problem>
const Problem& as(const StoredProblem& stored, const char* what) {
  const auto* problem = std::get_if<Problem>(&stored.problem);
  if (problem == nullptr) throw InputError({}, fmt::format("a problem of kind {} has no {}", name_of(stored.kind), what));
  return *problem;
}

std::vector<int> sizes_of(const InclusionProblem& problem) {
  std::vector<int> sizes;
  for (int i = 0; i < problem.G.blocks.blocks(); ++i) sizes.push_back(problem.G.blocks.block_size(i));
  return sizes;
}

void write(const StoredProblem& stored, const std::filesystem::path& path, const std::string& title) {
  if (const auto* lcp = std::get_if<LcpProblem>(&stored.problem)) {
    write_lcp(path, *lcp);
  } else if (const auto* mlcp = std::get_if<MlcpProblem>(&stored.problem)) {
    write_mlcp(path, *mlcp);
  } else if (stored.global) {
    write_fclib_global(path, *stored.global, title);
  } else {
    write_problem(path, std::get<InclusionProblem>(stored.problem), title);
  }
}

/// xi = G Lambda + c, w = M z + q, or (A u + C v + a, D u + B v + b).
VectorXd evaluate(const StoredProblem& stored, const VectorXd& x) {
  if (const auto* lcp = std::get_if<LcpProblem>(&stored.problem)) return lcp->M * x + lcp->q;
  if (const auto* mlcp = std::get_if<MlcpProblem>(&stored.problem)) {
    const Eigen::Index n = mlcp->a.size(), m = mlcp->b.size();
    VectorXd rows(n + m);
    rows << mlcp->A * x.head(n) + mlcp->C * x.tail(m) + mlcp->a, mlcp->D * x.head(n) + mlcp->B * x.tail(m) + mlcp->b;
    return rows;
  }
  const auto& problem = std::get<InclusionProblem>(stored.problem);
  KeptVector xi, kinetic;
  problem.G.multiply(x, xi, kinetic);
  return xi + problem.c;
}

SolveReport solve(const StoredProblem& stored, const std::string& solver, double tolerance, int max_iterations, int threads,
                  std::optional<double> alpha, bool recover, bool transform) {
  return solve_stored(stored, {solver, tolerance, max_iterations, threads, alpha, recover, transform});
}

}  // namespace

void bind_problem(nb::module_& module) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<HalfLine>(module, "HalfLine").def(nb::init<>());
  nb::class_<Interval>(module, "Interval")
      .def(nb::new_([](double lower, double upper) {
             return Interval{lower, upper};
           }),
           nb::arg("lower"), nb::arg("upper"))
      .def_ro("lower", &Interval::lower)
      .def_ro("upper", &Interval::upper);
  nb::class_<CoulombContact>(module, "CoulombContact")
      .def(nb::new_([](double mu1, double mu2, double extra) {
             return CoulombContact{mu1, mu2, extra};
           }),
           nb::arg("mu1"), nb::arg("mu2"), nb::arg("extra_normal"))
      .def_ro("mu1", &CoulombContact::mu1)
      .def_ro("mu2", &CoulombContact::mu2)
      .def_ro("extra_normal", &CoulombContact::extra_normal);
  nb::class_<DrillingContact>(module, "DrillingContact")
      .def(nb::new_([](double mu, double Rbar, int set, double extra) {
             return DrillingContact{mu, Rbar, static_cast<DrillingSet>(set), extra};
           }),
           nb::arg("mu"), nb::arg("Rbar"), nb::arg("set"), nb::arg("extra_normal"))
      .def_ro("mu", &DrillingContact::mu)
      .def_ro("Rbar", &DrillingContact::Rbar)
      .def_prop_ro("set", [](const DrillingContact& it) { return static_cast<int>(it.set); })
      .def_ro("extra_normal", &DrillingContact::extra_normal);
  nb::class_<PlaneFriction>(module, "PlaneFriction")
      .def(nb::new_([](double limit1, double limit2) {
             return PlaneFriction{limit1, limit2};
           }),
           nb::arg("limit1"), nb::arg("limit2"))
      .def_ro("limit1", &PlaneFriction::limit1)
      .def_ro("limit2", &PlaneFriction::limit2);
  nb::class_<DrillingFriction>(module, "DrillingFriction")
      .def(nb::new_([](double limit, double Rbar, int set) {
             return DrillingFriction{limit, Rbar, static_cast<DrillingSet>(set)};
           }),
           nb::arg("limit"), nb::arg("Rbar"), nb::arg("set"))
      .def_ro("limit", &DrillingFriction::limit)
      .def_ro("Rbar", &DrillingFriction::Rbar)
      .def_prop_ro("set", [](const DrillingFriction& it) { return static_cast<int>(it.set); });

  nb::class_<SolveReport>(module, "SolveReport", "What solving a problem gave.")
      .def("json", [](const SolveReport& it) { return solve_json(it, false); })
      .def(
          "text", [](const SolveReport& it, const std::string& name) { return solve_text(name, it); }, nb::arg("name"))
      .def_ro("islands", &SolveReport::islands)
      .def_ro("reason", &SolveReport::reason)
      .def_prop_ro("impulses", [](const SolveReport& it) { return it.impulses; })
      .def_prop_ro("farkas", [](const SolveReport& it) { return it.farkas; });

  nb::class_<StoredProblem>(module, "StoredProblem", "A contact or complementarity problem.")
      .def_prop_ro("kind", [](const StoredProblem& it) { return std::string(name_of(it.kind)); })
      .def_prop_ro("laws", [](const StoredProblem& it) { return as<InclusionProblem>(it, "sets").laws; })
      .def_prop_ro("sizes", [](const StoredProblem& it) { return sizes_of(as<InclusionProblem>(it, "sets")); })
      .def(
          "G", [](const StoredProblem& it) { return dense(as<InclusionProblem>(it, "G").G); }, Released())
      .def("c", [](const StoredProblem& it) -> VectorXd { return as<InclusionProblem>(it, "c").c; })
      .def("M", [](const StoredProblem& it) { return as<LcpProblem>(it, "M").M; })
      .def("q", [](const StoredProblem& it) { return as<LcpProblem>(it, "q").q; })
      .def_prop_ro("spacedim", [](const StoredProblem& it) { return it.global ? it.global->spacedim : 0; })
      .def(
          "body_velocities",
          [](const StoredProblem& it, const VectorXd& r) { return recover_velocities(it.global.value(), r); }, nb::arg("r"),
          Released())
      .def("evaluate", evaluate, nb::arg("x"), Released())
      .def("write", write, nb::arg("path"), nb::arg("title"), Released())
      .def("solve", solve, nb::arg("solver"), nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"),
           nb::arg("alpha").none(), nb::arg("recover"), nb::arg("transform"), Released());

  module.def(
      "read_problem", [](const std::filesystem::path& path) { return read_problem(path); }, nb::arg("path"), Released());
  module.def("make_inclusion", make_inclusion, nb::arg("G_row"), nb::arg("G_column"), nb::arg("G_value"), nb::arg("c"),
             nb::arg("laws"), nb::arg("sizes"));
  module.def("make_global", make_global, nb::arg("M_row"), nb::arg("M_column"), nb::arg("M_value"), nb::arg("H_row"),
             nb::arg("H_column"), nb::arg("H_value"), nb::arg("f"), nb::arg("w"), nb::arg("mu"), nb::arg("spacedim"),
             Released());
  module.def("make_lcp", make_lcp, nb::arg("M"), nb::arg("q"));
  module.def("make_mlcp", make_mlcp, nb::arg("A"), nb::arg("B"), nb::arg("C"), nb::arg("D"), nb::arg("a"), nb::arg("b"));
}

}  // namespace tippe::python
