// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tippe {

/// What processes of one job, numbered from 0, send to each other. Messages between two of them arrive in the order in which they were sent. One thread uses it.
class MessagePort {
 public:
  virtual ~MessagePort() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// May wait until the other one receives.
  virtual void send(int to, std::string_view message) = 0;
  /// False if none has come yet.
  [[nodiscard]] virtual bool receive(int& from, std::string& message) = 0;
};

}  // namespace tippe
