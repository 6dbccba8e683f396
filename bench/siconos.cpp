// SPDX-License-Identifier: Apache-2.0
#include "siconos.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "processor_time.h"
#include "tippe/core/error.h"
#include "tippe/problem/residual.h"

#ifdef TIPPE_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#endif

namespace tippe::bench {

using Storage = SiconosSolver::Storage;

const char* name_of(Storage storage) {
  return storage == Storage::kBlocks ? "blocks" : storage == Storage::kSparse ? "sparse" : "dense";
}

#ifdef TIPPE_HAS_SICONOS

namespace {

constexpr int kMany = 10'000'000;  // the processor time is the limit

template <class T>
T* allocate(size_t count) {  // Siconos frees by free()
  return static_cast<T*>(std::calloc(std::max<size_t>(1, count), sizeof(T)));
}

/// Visits all entries of G: visit(row, column, value).
template <class Visit>
void for_each_entry(const BlockSparseMatrix& G, Visit&& visit) {
  for (int i = 0; i < G.blocks(); ++i) {
    for (int e = G.entry_start[i]; e < G.entry_start[i + 1]; ++e) {
      const auto& [j, offset] = G.entry[e];
      const int width = G.block_size(j);
      for (int r = 0; r < G.block_size(i); ++r) {
        for (int c = 0; c < width; ++c) visit(G.row[i] + r, G.row[j] + c, G.value[offset + r * width + c]);
      }
    }
  }
}

NumericsMatrix* make_dense(const BlockSparseMatrix& G) {
  NumericsMatrix* M = NM_create(NM_DENSE, G.rows(), G.rows());
  std::fill(M->matrix0, M->matrix0 + static_cast<size_t>(G.rows()) * G.rows(), 0.0);
  for_each_entry(G, [&](int r, int c, double value) { M->matrix0[r + static_cast<size_t>(c) * G.rows()] = value; });
  return M;
}

NumericsMatrix* make_sparse(const BlockSparseMatrix& G) {
  NumericsMatrix* M = NM_create(NM_SPARSE, G.rows(), G.rows());
  NM_triplet_alloc(M, static_cast<CS_INT>(G.value.size()));
  M->matrix2->origin = NSM_TRIPLET;
  for_each_entry(G, [&](int r, int c, double value) {
    if (value != 0.0) NM_entry(M, r, c, value);
  });
  NM_csc(M);  // the conversion is not counted
  return M;
}

NumericsMatrix* make_blocks(const BlockSparseMatrix& G) {
  const auto n = static_cast<size_t>(G.blocks());
  SparseBlockStructuredMatrix* blocks = SBM_new();
  blocks->nbblocks = static_cast<unsigned>(G.entry.size());
  blocks->blocknumber0 = blocks->blocknumber1 = static_cast<unsigned>(n);
  blocks->blocksize0 = allocate<unsigned>(n);
  blocks->blocksize1 = allocate<unsigned>(n);
  blocks->index1_data = allocate<size_t>(n + 1);
  blocks->index2_data = allocate<size_t>(G.entry.size());
  blocks->block = allocate<double*>(G.entry.size());
  blocks->filled1 = n + 1;
  blocks->filled2 = G.entry.size();
  for (size_t i = 0; i < n; ++i) {
    blocks->blocksize0[i] = blocks->blocksize1[i] = static_cast<unsigned>(G.row[i + 1]);
    blocks->index1_data[i + 1] = static_cast<size_t>(G.entry_start[i + 1]);
    const int size = G.block_size(static_cast<int>(i));
    for (int e = G.entry_start[i]; e < G.entry_start[i + 1]; ++e) {
      const auto& [j, offset] = G.entry[e];
      const int width = G.block_size(j);
      double* block = blocks->block[e] = allocate<double>(static_cast<size_t>(size) * width);
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < width; ++c) block[r + c * size] = G.value[offset + r * width + c];  // by columns
      }
      blocks->index2_data[e] = static_cast<size_t>(j);
    }
  }
  return NM_new_SBM(G.rows(), G.rows(), blocks);
}

FrictionContactProblem* make_problem(const InclusionProblem& problem, Storage storage) {
  const BlockSparseMatrix& G = problem.G.blocks;
  auto* q = allocate<double>(static_cast<size_t>(G.rows()));
  auto* mu = allocate<double>(problem.laws.size());
  std::copy(problem.c.begin(), problem.c.end(), q);
  for (size_t i = 0; i < problem.laws.size(); ++i) mu[i] = std::get<CoulombContact>(problem.laws[i]).mu1;
  NumericsMatrix* M = storage == Storage::kBlocks   ? make_blocks(G)
                      : storage == Storage::kSparse ? make_sparse(G)
                                                    : make_dense(G);
  return frictionContactProblem_new_with_data(G.block_size(0), G.blocks(), M, q, mu);
}

/// What the child sends back, followed by the reaction.
struct Answer {
  double seconds;
  int iterations;
};

/// The work of the child; never returns.
[[noreturn]] void call_driver(const InclusionProblem& problem, const SiconosSolver& solver, Storage storage,
                              double tolerance, int max_iterations, double limit, int pipe) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const auto seconds = static_cast<rlim_t>(std::ceil(processor_time() + limit));
  const rlimit processor = {seconds, seconds}, core = {0, 0};
  setrlimit(RLIMIT_CPU, &processor);
  setrlimit(RLIMIT_CORE, &core);
  alarm(60 + 10 * static_cast<unsigned>(limit));  // should it wait for something without using the processor
  numerics_set_verbose(0);

  const auto n = static_cast<size_t>(problem.rows());
  std::vector<double> reaction(n), velocity(n);
  std::vector<FrictionContactProblem*> friction;
  Answer answer{};
  const auto driver = problem.G.blocks.block_size(0) == 3 ? fc3d_driver : fc2d_driver;
  answer.seconds = mean_processor_time(
      [&](int count) {  // fresh ones: the solvers keep work in the matrix
        for (FrictionContactProblem* used : friction) frictionContactProblem_free(used);
        friction.clear();
        for (int k = 0; k < count; ++k) friction.push_back(make_problem(problem, storage));
      },
      [&](int k) {
        std::fill(reaction.begin(), reaction.end(), 0.0);
        std::fill(velocity.begin(), velocity.end(), 0.0);
        SolverOptions* options = solver_options_create(solver.id);
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
        driver(friction[k], reaction.data(), velocity.data(), options);
        answer.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
        solver_options_delete(options);
      });
  bool sent = write(pipe, &answer, sizeof answer) == sizeof answer;
  for (size_t done = 0; sent && done < n;) {
    const ssize_t written = write(pipe, reaction.data() + done, std::min<size_t>(n - done, 512) * sizeof(double));
    sent = written > 0;
    done += static_cast<size_t>(std::max<ssize_t>(0, written)) / sizeof(double);
  }
  _exit(0);
}

bool read_fully(int pipe, void* data, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(pipe, static_cast<char*>(data) + done, size - done);
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

const std::vector<SiconosSolver>& siconos_solvers(int dimension) {
  static const std::vector<SiconosSolver> kSpace = {
      {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 2000, {Storage::kSparse, Storage::kDense}},
      {"NSGS", SICONOS_FRICTION_3D_NSGS, kMany, {Storage::kBlocks, Storage::kDense}},
      {"ADMM", SICONOS_FRICTION_3D_ADMM, kMany, {Storage::kSparse}},
      {"PROX", SICONOS_FRICTION_3D_PROX, 10'000, {Storage::kSparse, Storage::kDense}},
  };
  static const std::vector<SiconosSolver> kPlane = {
      {"NSGS", SICONOS_FRICTION_2D_NSGS, kMany, {Storage::kBlocks, Storage::kDense}},
      {"CPG", SICONOS_FRICTION_2D_CPG, kMany, {Storage::kDense}},
      {"LEMKE", SICONOS_FRICTION_2D_LEMKE, 100'000, {Storage::kDense}},
      {"ENUM", SICONOS_FRICTION_2D_ENUM, kMany, {Storage::kDense}},
  };
  return dimension == 3 ? kSpace : kPlane;
}

SiconosAttempt attempt_siconos(const InclusionProblem& problem, const SiconosSolver& solver, Storage storage,
                               double tolerance, int max_iterations, double limit) {
  SiconosAttempt attempt;
  int ends[2];
  if (pipe(ends) != 0) throw FileError("siconos: no pipe");
  const pid_t child = fork();
  if (child < 0) throw FileError("siconos: no process");
  if (child == 0) {
    close(ends[0]);
    call_driver(problem, solver, storage, tolerance, max_iterations, limit, ends[1]);
  }
  close(ends[1]);
  Answer answer{};
  attempt.reaction.resize(problem.rows());
  attempt.returned = read_fully(ends[0], &answer, sizeof answer) &&
                     read_fully(ends[0], attempt.reaction.data(), static_cast<size_t>(problem.rows()) * sizeof(double));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (attempt.returned) {
    attempt.seconds = answer.seconds;
    attempt.iterations = answer.iterations;
  }
  return attempt;
}

#else

const std::vector<SiconosSolver>& siconos_solvers(int) {
  static const std::vector<SiconosSolver> kNone;
  return kNone;
}

SiconosAttempt attempt_siconos(const InclusionProblem&, const SiconosSolver&, Storage, double, int, double) {
  return {};
}

#endif

SiconosResult solve_by_siconos(const InclusionProblem& problem, const SiconosSolver& solver, double target,
                               double first_tolerance, double budget) {
  constexpr double kLastTolerance = 1e-16;
  constexpr int kLargestDense = 1000;  // rows; beyond, a dense matrix only loses time
  SiconosResult best;
  best.budget = budget;
  ResidualWork work;
  std::vector<Storage> storages = solver.storages;
  if (problem.rows() > kLargestDense && storages.size() > 1) std::erase(storages, Storage::kDense);
  for (const Storage storage : storages) {
    double left = budget / static_cast<double>(storages.size());
    for (double tolerance = first_tolerance; tolerance > 0.5 * kLastTolerance && left > 0.0; tolerance *= 0.1) {
      const SiconosAttempt attempt = attempt_siconos(problem, solver, storage, tolerance, solver.max_iterations, left);
      if (!attempt.returned) break;
      left -= attempt.seconds;
      const double eta = evaluate_residual(problem, attempt.reaction, work).relative;
      const bool solved = eta <= target;
      const bool better =
          solved ? !best.solved() || attempt.seconds < best.seconds : !best.solved() && (best.eta < 0.0 || eta < best.eta);
      if (better) best = {solved ? attempt.seconds : -1.0, eta, tolerance, attempt.iterations, name_of(storage), budget};
      if (solved) break;
    }
  }
  return best;
}

}  // namespace tippe::bench
