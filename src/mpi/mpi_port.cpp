// SPDX-License-Identifier: Apache-2.0
// The one part that knows MPI: a module of its own, which the program loads where it is started as one of several processes.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include "tippe/sweep/message_port.h"

namespace tippe {
namespace {

class MpiPort final : public MessagePort {
 public:
  MpiPort() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiPort() override { MPI_Finalize(); }
  MpiPort(const MpiPort&) = delete;
  MpiPort& operator=(const MpiPort&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void send(int to, std::string_view message) override {
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }

  bool receive(int& from, std::string& message) override {
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return false;
    from = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_BYTE, &size);
    message.resize(static_cast<size_t>(size));
    MPI_Recv(message.data(), size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace tippe

extern "C" tippe::MessagePort* tippe_make_message_port() {
  return new tippe::MpiPort;
}
