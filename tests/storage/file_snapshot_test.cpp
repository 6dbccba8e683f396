// SPDX-License-Identifier: Apache-2.0
#include "tippe/storage/file_snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/temporary_folder.h"
#include "tippe/core/error.h"

namespace tippe::storage_file_snapshot_test {

using namespace std::chrono_literals;

constexpr size_t kSize = 16 << 20;   // bytes: takes about as long to read as to write
constexpr size_t kPiece = 64 << 10;  // bytes

/// Writes as a run does: into the file that does not have the name, piece by piece, and then the two exchange their names. All bytes of
/// a state are the same.
void write_states(const std::filesystem::path& path, const std::atomic<bool>& stop) {
  const std::string next = path.string() + ".next", last = path.string() + ".last";
  const int files[2] = {open(path.c_str(), O_WRONLY), open(next.c_str(), O_WRONLY | O_CREAT, 0600)};
  for (unsigned char state = 1; !stop; ++state) {
    const std::string piece(kPiece, static_cast<char>(state));
    for (size_t place = 0; place < kSize; place += kPiece)
      ASSERT_EQ(pwrite(files[state % 2], piece.data(), kPiece, static_cast<off_t>(place)), static_cast<ssize_t>(kPiece));
    ASSERT_EQ(link(path.c_str(), last.c_str()), 0);
    std::filesystem::rename(next, path);
    std::filesystem::rename(last, next);
  }
  for (const int file : files) close(file);
}

TEST(FileSnapshot, IsOneStateOfAFileThatIsWritten) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "file";
  std::ofstream(path) << std::string(kSize, '\0');
  std::atomic<bool> stop = false;
  std::thread writer([&] { write_states(path, stop); });
  const auto deadline = std::chrono::steady_clock::now() + 30s;  // for a machine that has other work to do
  int snapshots = 0, torn = 0, changes = 0;
  char last = 0;
  while ((snapshots < 50 || changes < 10) && std::chrono::steady_clock::now() < deadline) {
    const FileSnapshot snapshot(path);
    const std::span<const char> bytes = snapshot.bytes();
    const char first = bytes.empty() ? '\0' : bytes.front();
    if (bytes.size() != kSize || std::any_of(bytes.begin(), bytes.end(), [&](char byte) { return byte != first; })) ++torn;
    ++snapshots;
    if (first != last) ++changes;
    last = first;
  }
  stop = true;
  writer.join();
  EXPECT_EQ(torn, 0) << "of " << snapshots;
  EXPECT_GE(snapshots, 50);
  EXPECT_GE(changes, 10);
}

TEST(FileSnapshot, HasTheStampOfTheFile) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "file";
  EXPECT_EQ(file_stamp(path), "");
  EXPECT_THROW(FileSnapshot{path}, FileError);
  EXPECT_THROW(FileSnapshot{folder.path()}, FileError);
  std::ofstream(path) << "one";
  const FileSnapshot one(path);
  EXPECT_EQ(std::string(one.bytes().begin(), one.bytes().end()), "one");
  EXPECT_EQ(file_stamp(path), one.stamp());
  std::ofstream(path) << "two";  // of the same size
  EXPECT_NE(file_stamp(path), one.stamp());
  std::ofstream(path) << "";
  EXPECT_TRUE(FileSnapshot(path).bytes().empty());
}

}  // namespace tippe::storage_file_snapshot_test
