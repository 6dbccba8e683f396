// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tippe/exchange/formats.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A matrix that must have these sizes.
MatrixXd read_matrix(const DatasetReader& reader, const std::string& name, Eigen::Index rows, Eigen::Index columns,
                     const std::string& meaning) {
  MatrixXd matrix = reader.matrix(name);
  if (matrix.size() == 0 && rows * columns == 0) return MatrixXd(rows, columns);
  if (matrix.rows() != rows || matrix.cols() != columns) {
    reader.refuse(name, fmt::format("is a {} x {} matrix; it must be {} x {}, {}", matrix.rows(), matrix.cols(), rows,
                                    columns, meaning));
  }
  return matrix;
}

void write_matrix(Hdf5File& file, const std::string& name, const MatrixXd& matrix) {
  const MatrixXd transposed = matrix.transpose();  // its columns are the rows of the file
  file.write_matrix(name, static_cast<std::uint64_t>(matrix.rows()), static_cast<std::uint64_t>(matrix.cols()),
                    {transposed.data(), static_cast<size_t>(transposed.size())});
}

}  // namespace

StoredProblem read_lcp(const DatasetReader& reader) {
  LcpProblem problem;
  problem.q = reader.vector("q");
  const Eigen::Index n = problem.q.size();
  problem.M = read_matrix(reader, "M", n, n, "as many rows and columns as q has entries");
  return {ProblemKind::kLcp, std::move(problem), {}};
}

StoredProblem read_mlcp(const DatasetReader& reader) {
  MlcpProblem problem;
  problem.a = reader.vector("a");
  problem.b = reader.vector("b");
  const Eigen::Index n = problem.a.size(), m = problem.b.size();
  const std::string meaning = "after the entries of a and b";
  problem.A = read_matrix(reader, "A", n, n, meaning);
  problem.B = read_matrix(reader, "B", m, m, meaning);
  problem.C = read_matrix(reader, "C", n, m, meaning);
  problem.D = read_matrix(reader, "D", m, n, meaning);
  return {ProblemKind::kMlcp, std::move(problem), {}};
}

void write_lcp(const std::filesystem::path& path, const LcpProblem& problem) {
  write_whole_file(path, [&](Hdf5File& file) {
    write_matrix(file, "M", problem.M);
    write_vector(file, "q", problem.q);
  });
}

void write_mlcp(const std::filesystem::path& path, const MlcpProblem& problem) {
  write_whole_file(path, [&](Hdf5File& file) {
    write_matrix(file, "A", problem.A);
    write_matrix(file, "B", problem.B);
    write_matrix(file, "C", problem.C);
    write_matrix(file, "D", problem.D);
    write_vector(file, "a", problem.a);
    write_vector(file, "b", problem.b);
  });
}

}  // namespace tippe
