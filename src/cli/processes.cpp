// SPDX-License-Identifier: Apache-2.0
#include "cli/processes.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/failure.h"

namespace tippe::cli {
namespace {

namespace fs = std::filesystem;

/// What started this process as one of several.
struct Launch {
  const char* launcher;
  int rank = 0, size = 1;
};

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  int number = otherwise;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  return error == std::errc() && rest == end ? number : otherwise;
}

/// By what launchers leave in the environment. Of a Slurm job only its steps count, which srun starts: the script of a job runs once, with the number of the job's
/// tasks in SLURM_NTASKS.
Launch find_launch() {
  struct Variables {
    const char *launcher, *rank, *size;
  };
  for (const Variables& variables :
       {Variables{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Variables{"mpiexec", "PMI_RANK", "PMI_SIZE"},
        Variables{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
    if (std::getenv(variables.size) != nullptr)
      return {variables.launcher, number_in(variables.rank, 0), number_in(variables.size, 1)};
  }
  const int rank = number_in("PMIX_RANK", 0);  // which does not tell how many there are
  return {"mpirun", rank, rank + 1};
}

/// Whether processes that srun has started can find each other: it tells nothing about the others unless it is asked for it.
bool knows_others() {
  for (const char* const variable : {"PMIX_RANK", "PMI_RANK", "PMI_FD", "PMI_JOBID", "PALS_RANKID"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

/// Beside the program where it was built, else where it was installed.
fs::path find_module() {
  std::error_code trouble;
  const fs::path folder = fs::read_symlink("/proc/self/exe", trouble).parent_path();
  if (trouble) return {};
  for (const fs::path& place : {folder / TIPPE_MPI_MODULE, folder / TIPPE_MODULES_FROM_PROGRAM / TIPPE_MPI_MODULE}) {
    if (fs::exists(place, trouble)) return place.lexically_normal();
  }
  return {};
}

/// One process speaks for all. A launcher ends all when one ends, so the others wait until it has spoken.
[[noreturn]] void refuse(const Launch& launch, const std::string& message) {
  if (launch.rank > 0) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    std::_Exit(kBadInput);
  }
  throw Failure{kBadInput, {}, message};
}

}  // namespace

std::unique_ptr<MessagePort> join_processes() {
  const Launch launch = find_launch();
  if (launch.size < 2) return nullptr;
  const fs::path module = find_module();
  if (module.empty()) {
    refuse(launch, fmt::format("{} started several processes, and this program was built without MPI: it runs as one "
                               "process with threads (--jobs), or "
                               "build it again where MPI is installed (Debian: libopenmpi-dev openmpi-bin)",
                               launch.launcher));
  }
  if (launch.launcher == std::string("srun") && !knows_others())
    refuse(launch, fmt::format("srun started {} processes that know nothing of each other: srun --mpi=pmix, or mpirun",
                               launch.size));
  // Global: MPI loads parts of its own, which look for it among what is loaded.
  void* const library = dlopen(module.c_str(), RTLD_NOW | RTLD_GLOBAL);
  using Make = MessagePort* (*)();
  const auto make = library != nullptr ? reinterpret_cast<Make>(dlsym(library, "tippe_make_message_port")) : nullptr;
  if (make == nullptr) {
    const char* const reason = dlerror();
    refuse(launch, fmt::format("{} cannot be loaded: {}", module.string(),
                               reason != nullptr ? reason : "it is no module of this program"));
  }
  std::unique_ptr<MessagePort> port(make());
  if (port->size() < launch.size) {
    refuse(launch, fmt::format("{0} started {1} processes, and they do not find each other: {0} belongs to another MPI than "
                               "the one that this program was "
                               "built with",
                               launch.launcher, launch.size));
  }
  return port;
}

}  // namespace tippe::cli
