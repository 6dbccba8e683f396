// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "tippe/core/error.h"
#include "tippe/exchange/formats.h"

namespace tippe {
namespace {

using Eigen::VectorXd;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr int kRowsCompressed = -2;  // the least value of nz; -1: compressed columns; others: that many triplets

bool all_below(const std::vector<int>& indices, int count, int bound) {
  return std::all_of(indices.begin(), indices.begin() + count, [&](int index) { return index >= 0 && index < bound; });
}

/// Entries of a matrix whose rows, or columns, are compressed.
Triplets read_compressed(const DatasetReader& reader, const std::string& group, int rows, int columns, bool by_rows) {
  const int outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
  reader.require_length(group + "/p", static_cast<long long>(outer) + 1,
                        fmt::format("one more than {}", by_rows ? "rows" : "columns"));
  const std::vector<int> p = reader.integers(group + "/p");
  if (p[0] != 0) reader.refuse(group + "/p", fmt::format("entry 0 is {}; it must be 0", p[0]));
  for (size_t k = 1; k < p.size(); ++k) {
    if (p[k] < p[k - 1])
      reader.refuse(group + "/p",
                    fmt::format("entry {} is {}; it must not be less than the one before, {}", k, p[k], p[k - 1]));
  }
  const int entries = p.back();
  for (const char* name : {"/i", "/x"}) {
    if (const int length = reader.length(group + name); length < entries)
      reader.refuse(group + name, fmt::format("has {} entries; p says that there are {}", length, entries));
  }
  std::vector<int> i = reader.integers(group + "/i");
  i.resize(static_cast<size_t>(entries));
  reader.check_entries(
      group + "/i", i, [&](int index) { return index >= 0 && index < inner; },
      fmt::format("it must be a {} from 0 to {}", by_rows ? "column" : "row", inner - 1));
  const VectorXd x = reader.vector(group + "/x");
  Triplets triplets;
  triplets.reserve(static_cast<size_t>(entries));
  for (int k = 0; k < outer; ++k) {
    for (int e = p[k]; e < p[k + 1]; ++e) triplets.emplace_back(by_rows ? k : i[e], by_rows ? i[e] : k, x[e]);
  }
  return triplets;
}

/// Entries one by one. FCLIB's header says that p holds rows and i columns; the files found in practice have it as CSparse does,
/// p = column and i = row. That is assumed unless only the other fits the sizes.
Triplets read_triplets(const DatasetReader& reader, const std::string& group, int rows, int columns, int entries) {
  for (const char* name : {"/p", "/i", "/x"}) {
    if (const int length = reader.length(group + name); length < entries)
      reader.refuse(group + name, fmt::format("has {} entries; nz says that there are {}", length, entries));
  }
  const std::vector<int> p = reader.integers(group + "/p"), i = reader.integers(group + "/i");
  const bool p_is_column = all_below(p, entries, columns) && all_below(i, entries, rows);
  if (!p_is_column && !(all_below(p, entries, rows) && all_below(i, entries, columns)))
    reader.refuse(group, fmt::format("p and i hold an index outside of a {} x {} matrix", rows, columns));
  const VectorXd x = reader.vector(group + "/x");
  Triplets triplets;
  triplets.reserve(static_cast<size_t>(entries));
  for (int e = 0; e < entries; ++e) triplets.emplace_back(p_is_column ? i[e] : p[e], p_is_column ? p[e] : i[e], x[e]);
  return triplets;
}

/// Entries that occur several times are summed.
SparseRows read_sparse(const DatasetReader& reader, const std::string& group, int rows, int columns,
                       const std::string& meaning) {
  const int m = reader.integer(group + "/m"), n = reader.integer(group + "/n");
  if (m != rows || n != columns)
    reader.refuse(group, fmt::format("is a {} x {} matrix; it must be {} x {}, {}", m, n, rows, columns, meaning));
  const int nz = reader.integer(group + "/nz");
  if (nz < kRowsCompressed) {
    reader.refuse(group + "/nz", fmt::format("is {}; it must be -2 (compressed rows), -1 (compressed columns) or the number "
                                             "of triplets",
                                             nz));
  }
  const Triplets triplets = nz >= 0 ? read_triplets(reader, group, rows, columns, nz)
                                    : read_compressed(reader, group, rows, columns, nz == kRowsCompressed);
  SparseRows matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

/// The blocks of a matrix; those of the diagonal always, the others where there is an entry.
BlockSparseMatrix blocks_from(const DatasetReader& reader, const SparseRows& W, int size) {
  BlockSparseMatrix blocks;
  const int count = static_cast<int>(W.rows()) / size;
  for (int i = 0; i < count; ++i) blocks.declare_row(size);
  std::vector<int> columns;
  std::vector<int> offset(static_cast<size_t>(count));  // of the block in this row
  for (int i = 0; i < count; ++i) {
    columns.assign(1, i);
    for (int row = size * i; row < size * (i + 1); ++row) {
      for (SparseRows::InnerIterator entry(W, row); entry; ++entry) columns.push_back(static_cast<int>(entry.col()) / size);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    if (blocks.value.size() + columns.size() * 9 > static_cast<size_t>(std::numeric_limits<int>::max()))
      reader.refuse("fclib_local/W", "has too many entries");
    for (const int column : columns) offset[column] = static_cast<int>(blocks.add_block(column) - blocks.value.data());
    for (int r = 0; r < size; ++r) {
      for (SparseRows::InnerIterator entry(W, size * i + r); entry; ++entry) {
        const int column = static_cast<int>(entry.col());
        blocks.value[offset[column / size] + r * size + column % size] = entry.value();
      }
    }
    blocks.finish_row();
  }
  return blocks;
}

int read_spacedim(const DatasetReader& reader, const std::string& group) {
  const int spacedim = reader.integer(group + "/spacedim");
  if (spacedim != 2 && spacedim != 3) reader.refuse(group + "/spacedim", fmt::format("is {}; it must be 2 or 3", spacedim));
  return spacedim;
}

VectorXd read_mu(const DatasetReader& reader, const std::string& group, int spacedim, int rows,
                 const std::string& rows_from) {
  const std::string name = group + "/vectors/mu";
  if (rows % spacedim != 0) {
    reader.refuse(group + "/vectors/" + rows_from,
                  fmt::format("has {} entries; it must have {} for each contact", rows, spacedim));
  }
  reader.require_length(name, rows / spacedim, fmt::format("one per contact, since {} has {}", rows_from, rows));
  VectorXd mu = reader.vector(name);
  reader.check_entries(
      name, mu, [](double value) { return value >= 0.0; }, "a coefficient of friction must not be negative");
  return mu;
}

void refuse_equalities(const DatasetReader& reader, std::initializer_list<const char*> datasets) {
  for (const char* name : datasets) {
    if (reader.has(name)) reader.refuse(name, "equality constraints beside the contacts are not supported");
  }
}

void write_rows(Hdf5File& file, const std::string& group, int rows, int columns, const std::vector<int>& p,
                const std::vector<int>& i, std::span<const double> x) {
  file.make_group(group);
  write_integer(file, group + "/m", rows);
  write_integer(file, group + "/n", columns);
  write_integer(file, group + "/nzmax", static_cast<int>(i.size()));
  write_integer(file, group + "/nz", kRowsCompressed);
  write_integers(file, group + "/p", p);
  write_integers(file, group + "/i", i);
  file.write_numbers(group + "/x", x);
}

void write_rows(Hdf5File& file, const std::string& group, const SparseRows& matrix) {
  const int *p = matrix.outerIndexPtr(), *i = matrix.innerIndexPtr();
  write_rows(file, group, static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()),
             std::vector<int>(p, p + matrix.rows() + 1), std::vector<int>(i, i + matrix.nonZeros()),
             {matrix.valuePtr(), static_cast<size_t>(matrix.nonZeros())});
}

/// Every entry of every block, zeros too, so that the same blocks come back.
void write_rows(Hdf5File& file, const std::string& group, const BlockSparseMatrix& W) {
  std::vector<int> p = {0}, i;
  std::vector<double> x;
  for (int b = 0; b < W.blocks(); ++b) {
    for (int r = 0; r < W.block_size(b); ++r) {
      for (int e = W.entry_start[b]; e < W.entry_start[b + 1]; ++e) {
        const auto& [column, offset] = W.entry[e];
        const int width = W.block_size(column);
        for (int c = 0; c < width; ++c) {
          i.push_back(W.row[column] + c);
          x.push_back(W.value[offset + r * width + c]);
        }
      }
      p.push_back(static_cast<int>(i.size()));
    }
  }
  write_rows(file, group, W.rows(), W.rows(), p, i, x);
}

void write_info(Hdf5File& file, const std::string& group, const std::string& title, const std::string& math) {
  file.make_group(group + "/info");
  file.write_text(group + "/info/title", title);
  file.write_text(group + "/info/description", "written by Tippe");
  file.write_text(group + "/info/math_info", math);
}

/// G = Y'Y as blocks.
BlockSparseMatrix explicit_blocks(const InclusionProblem& problem) {
  return delassus_from_dense(dense(problem.G), std::vector<int>(problem.laws.size(), problem.G.blocks.block_size(0))).blocks;
}

}  // namespace

StoredProblem read_fclib_local(const DatasetReader& reader) {
  const std::string group = "fclib_local";
  refuse_equalities(reader, {"fclib_local/V", "fclib_local/R", "fclib_local/vectors/s"});
  const int spacedim = read_spacedim(reader, group);
  const int rows = reader.length(group + "/vectors/q");
  const VectorXd mu = read_mu(reader, group, spacedim, rows, "q");
  InclusionProblem problem;
  problem.c = reader.vector(group + "/vectors/q");
  for (const double value : mu) problem.laws.push_back(CoulombContact{value, value});
  const SparseRows W = read_sparse(reader, group + "/W", rows, rows, "as many rows and columns as q has entries");
  problem.G.blocks = blocks_from(reader, W, spacedim);
  return {spacedim == 3 ? ProblemKind::kFc3d : ProblemKind::kFc2d, std::move(problem), {}};
}

StoredProblem read_fclib_global(const DatasetReader& reader) {
  const std::string group = "fclib_global";
  refuse_equalities(reader, {"fclib_global/G", "fclib_global/vectors/b"});
  GlobalFrictionProblem global;
  global.spacedim = read_spacedim(reader, group);
  const int dofs = reader.length(group + "/vectors/f"), rows = reader.length(group + "/vectors/w");
  global.mu = read_mu(reader, group, global.spacedim, rows, "w");
  global.f = reader.vector(group + "/vectors/f");
  global.w = reader.vector(group + "/vectors/w");
  global.M = read_sparse(reader, group + "/M", dofs, dofs, "as many rows and columns as f has entries");
  global.H = read_sparse(reader, group + "/H", dofs, rows, "a row for each entry of f, a column for each of w");
  StoredProblem result;
  result.kind = global.spacedim == 3 ? ProblemKind::kGfc3d : ProblemKind::kGfc2d;
  try {
    result.problem = condense(global);
  } catch (const InputError& error) {
    throw InputError({reader.file().name(), 0, 0}, fmt::format("{}/{}", group, error.what()));
  }
  result.global = std::move(global);
  return result;
}

bool fits_fclib_local(const InclusionProblem& problem) {
  constexpr int kMostFactoredRows = 3000;
  if (problem.laws.empty() || (problem.G.factored && problem.rows() > kMostFactoredRows)) return false;
  const int size = problem.G.blocks.block_size(0);
  for (size_t i = 0; i < problem.laws.size(); ++i) {
    const auto* contact = std::get_if<CoulombContact>(&problem.laws[i]);
    if (contact == nullptr || contact->extra_normal != 0.0 || problem.G.blocks.block_size(static_cast<int>(i)) != size)
      return false;
    if (size == 3 && !contact->isotropic()) return false;
  }
  return true;
}

void write_fclib_local(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title) {
  assert(fits_fclib_local(problem));
  write_whole_file(path, [&](Hdf5File& file) {
    VectorXd mu(static_cast<Eigen::Index>(problem.laws.size()));
    for (Eigen::Index i = 0; i < mu.size(); ++i) mu[i] = std::get<CoulombContact>(problem.laws[static_cast<size_t>(i)]).mu1;
    file.make_group("fclib_local");
    write_integer(file, "fclib_local/spacedim", problem.G.blocks.block_size(0));
    write_rows(file, "fclib_local/W", problem.G.factored ? explicit_blocks(problem) : problem.G.blocks);
    file.make_group("fclib_local/vectors");
    write_vector(file, "fclib_local/vectors/q", problem.c);
    write_vector(file, "fclib_local/vectors/mu", mu);
    write_info(file, "fclib_local", title, "u = W r + q, Coulomb's law between r and u");
  });
}

void write_fclib_global(const std::filesystem::path& path, const GlobalFrictionProblem& problem, const std::string& title) {
  write_whole_file(path, [&](Hdf5File& file) {
    file.make_group("fclib_global");
    write_integer(file, "fclib_global/spacedim", problem.spacedim);
    write_rows(file, "fclib_global/M", SparseRows(problem.M));
    write_rows(file, "fclib_global/H", SparseRows(problem.H));
    file.make_group("fclib_global/vectors");
    write_vector(file, "fclib_global/vectors/f", problem.f);
    write_vector(file, "fclib_global/vectors/w", problem.w);
    write_vector(file, "fclib_global/vectors/mu", problem.mu);
    write_info(file, "fclib_global", title, "M v = H r + f, u = H'v + w, Coulomb's law between r and u");
  });
}

}  // namespace tippe
