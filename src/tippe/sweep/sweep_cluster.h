// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/sweep/message_port.h"
#include "tippe/sweep/sweep_pool.h"

namespace tippe {

/// A sweep by many processes. The first one hands out points and takes what the others compute.
class SweepCluster {
 public:
  /// Of process 0.
  explicit SweepCluster(MessagePort& port) : port_(port) {}
  /// Lets the others go, and waits for them.
  ~SweepCluster();
  SweepCluster(const SweepCluster&) = delete;
  SweepCluster& operator=(const SweepCluster&) = delete;

  /// As the function of the same name in sweep_pool.h, to the bit; there must be other processes. Once.
  void compute_points(const SweepPlan& plan, const PointRange& range, const std::atomic<bool>* stop,
                      const std::function<void(std::vector<SweepRow>& rows)>& take);

 private:
  MessagePort& port_;
};

/// Of the other processes: computes with so many threads what the first one hands out, until that lets it go. `interrupt`: from outside; the first one is told.
void serve_sweep(MessagePort& port, int jobs, const std::atomic<bool>* interrupt);

}  // namespace tippe
