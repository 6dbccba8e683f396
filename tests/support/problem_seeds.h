// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tippe/exchange/problem_file.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::test {

using Numbers = std::vector<double>;

/// Two planar contacts or contacts in space on one body, by hand.
inline InclusionProblem small_friction_problem(int size) {
  const int n = 2 * size;
  Eigen::MatrixXd G = 2.0 * Eigen::MatrixXd::Identity(n, n);
  G(0, size) = G(size, 0) = 0.5;
  InclusionProblem problem;
  problem.G = delassus_from_dense(G, {size, size});
  problem.c = Eigen::VectorXd::LinSpaced(n, -1.0, 1.0);
  problem.laws = {CoulombContact{0.3, 0.3}, CoulombContact{0.5, 0.5}};
  return problem;
}

/// One law of every kind.
inline InclusionProblem small_inclusion_problem() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  InclusionProblem problem;
  problem.G = delassus_from_dense(2.0 * Eigen::MatrixXd::Identity(9, 9), {1, 1, 3, 4});
  problem.c = Eigen::VectorXd::LinSpaced(9, -1.0, 1.0);
  problem.laws = {HalfLine{}, Interval{-kInfinity, kInfinity}, CoulombContact{0.3, 0.4, 0.1},
                  DrillingContact{0.3, 0.01, DrillingSet::kEllipsoid}};
  problem.part = {0, 1, 2, 2};
  return problem;
}

inline InclusionProblem small_factored_problem() {
  InclusionProblem problem;
  for (int k = 0; k < 10; ++k) {
    problem.G.Y.push(0, 1.0 + k);
    problem.G.Y.finish_column();
    problem.laws.emplace_back(HalfLine{});
  }
  DelassusBuilder().build(std::vector<int>(10, 1), 1, problem.G);
  problem.c = Eigen::VectorXd::Constant(10, -1.0);
  return problem;
}

inline GlobalFrictionProblem small_global_problem() {
  GlobalFrictionProblem problem;
  problem.M = (Eigen::Matrix3d() << 2, 0.5, 0, 0.5, 3, 0, 0, 0, 1).finished().sparseView();
  problem.H = Eigen::Matrix3d::Identity().sparseView();
  problem.f = Eigen::Vector3d(0, -1, 0.5);
  problem.w = Eigen::Vector3d(-1, 0, 0);
  problem.mu = Eigen::VectorXd::Constant(1, 0.4);
  return problem;
}

/// Opens a file again and lets `change` write into it.
inline void edit(const std::filesystem::path& path, const std::function<void(Hdf5File&)>& change) {
  Hdf5File file = Hdf5File::open_for_writing(path, path);
  change(file);
}

/// Small problem files of every kind and storage, and some that must be refused, for the fuzz target and its test.
inline void write_problem_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_problem(folder / "fc2d", small_friction_problem(2));
  write_problem(folder / "fc3d", small_friction_problem(3));
  write_problem(folder / "inclusion", small_inclusion_problem());
  write_problem(folder / "factored", small_factored_problem());
  write_fclib_global(folder / "global", small_global_problem());
  write_lcp(folder / "lcp", {2.0 * Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 1)});
  write_mlcp(folder / "mlcp", {Eigen::MatrixXd::Identity(1, 1), Eigen::MatrixXd::Identity(2, 2), Eigen::MatrixXd::Ones(1, 2),
                               Eigen::MatrixXd::Ones(2, 1), Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(2)});
  const auto copy = [&](const char* from, const char* to) {
    std::filesystem::copy_file(folder / from, folder / to, std::filesystem::copy_options::overwrite_existing);
    return folder / to;
  };
  edit(copy("global", "global_triplets"), [](Hdf5File& file) {
    file.write_numbers("fclib_global/H/nz", Numbers{3}, true);
    file.write_numbers("fclib_global/H/p", Numbers{0, 1, 2}, true);
    file.write_numbers("fclib_global/M/nz", Numbers{-1}, true);
  });
  edit(copy("global", "global_not_symmetric"), [](Hdf5File& file) {
    file.write_numbers("fclib_global/M/x", Numbers{2, 0.5, 0.25, 3, 1});
  });
  edit(copy("global", "bad_singular"), [](Hdf5File& file) {
    file.write_numbers("fclib_global/M/x", Numbers{0, 0, 0, 3, 1});
  });
  edit(copy("fc2d", "bad_mu"), [](Hdf5File& file) { file.write_numbers("fclib_local/vectors/mu", Numbers{-1, 0.5}); });
  edit(copy("fc2d", "bad_size"), [](Hdf5File& file) { file.write_numbers("fclib_local/W/m", Numbers{2147483647}, true); });
  edit(copy("fc2d", "bad_column"), [](Hdf5File& file) {
    file.write_numbers("fclib_local/W/i", Numbers{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 77}, true);
  });
  std::filesystem::resize_file(copy("fc2d", "bad_end"), std::filesystem::file_size(folder / "fc2d") / 2);
}

}  // namespace tippe::test
