// SPDX-License-Identifier: Apache-2.0
#include "tippe/storage/file_snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "tippe/core/error.h"

namespace tippe {
namespace {

std::string describe(const struct stat& file) {
  return fmt::format("{}-{}-{}-{}-{}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

/// Whether a change of the file that follows might not show in its time, because that would be the same: the clock of files ticks only
/// every few milliseconds.
bool changed_in_this_tick(const struct stat& file) {
#ifdef CLOCK_REALTIME_COARSE
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return file.st_mtim.tv_sec == now.tv_sec && file.st_mtim.tv_nsec == now.tv_nsec;
#else
  return false;
#endif
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return file_; }

 private:
  int file_;
};

/// How many bytes there were, at most `size`.
size_t read_bytes(int file, char* bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(file, bytes + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace

std::string file_stamp(const std::filesystem::path& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 ? describe(file) : std::string();
}

FileSnapshot::FileSnapshot(const std::filesystem::path& path) {
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  for (;;) {
    const Descriptor file(path);
    struct stat begin {
    }, end{};
    if (file.get() < 0 || fstat(file.get(), &begin) != 0)
      throw FileError(fmt::format("{}: cannot be read ({})", path.string(), std::strerror(errno)));
    if (!S_ISREG(begin.st_mode)) throw FileError(path.string() + ": is not a file");
    stamp_ = describe(begin);
    if (!changed_in_this_tick(begin) && file_stamp(path) == stamp_) {  // it has the name: it is whole
      size_ = static_cast<size_t>(begin.st_size);
      bytes_ = std::make_unique_for_overwrite<char[]>(size_);
      const bool all = read_bytes(file.get(), bytes_.get(), size_) == size_;
      if (all && fstat(file.get(), &end) == 0 && describe(end) == stamp_) return;
    }
    if (std::chrono::steady_clock::now() > deadline) throw FileError(path.string() + ": changes faster than it can be read");
    std::this_thread::sleep_for(1ms);
  }
}

}  // namespace tippe
