// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "tippe/report/served_report.h"

namespace httplib {
class Server;
}

namespace tippe::cli {

/// Serves a report to browsers of this machine: it listens at 127.0.0.1 alone and answers GET and HEAD of the page, of its data and of
/// their state, nothing else. A page of another site can reach a server on the reader's machine, if only by a name of its own that it
/// lets point there: who asks by another name than that of this machine gets nothing, and no answer may be read by other sites.
class ViewServer {
 public:
  /// `port` 0: one that is free. Throws InputError if the port cannot be had.
  ViewServer(ServedReport& report, int port);
  /// Ends all connections; waits for those under way, some seconds at most.
  ~ViewServer();

  /// Begins to answer; does so when it returns.
  void start();
  [[nodiscard]] std::string address() const;  // http://127.0.0.1:40123/

 private:
  void refuse_others();
  void offer_report();
  void bind(int port);

  ServedReport& report_;
  std::unique_ptr<httplib::Server> server_;
  int port_ = 0;
  std::string page_;
  std::atomic<bool> ended_ = false;  // no longer listening
  std::thread thread_;
};

}  // namespace tippe::cli
