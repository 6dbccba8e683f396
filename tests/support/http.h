// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <string>

namespace tippe::test {

struct HttpAnswer {
  int status = 0;
  std::string headers;  // with the first line
  std::string body;

  [[nodiscard]] bool has(const std::string& header) const { return headers.find("\r\n" + header) != std::string::npos; }
};

/// A connection to a port; nothing if nobody listens there.
inline std::optional<int> connect_to(const std::string& address, int port) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, address.c_str(), &place.sin_addr);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return connection;
  close(connection);
  return std::nullopt;
}

/// Sends a request as it is written and reads until the other side closes; status 0 if there is no answer.
inline HttpAnswer ask(int port, const std::string& request) {
  HttpAnswer answer;
  const std::optional<int> connection = connect_to("127.0.0.1", port);
  if (!connection) return answer;
  const timeval patience{5, 0};
  setsockopt(*connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (send(*connection, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) return answer;
  std::string text, piece(65536, '\0');
  for (ssize_t got = 0; (got = recv(*connection, piece.data(), piece.size(), 0)) > 0;)
    text.append(piece, 0, static_cast<size_t>(got));
  close(*connection);
  const size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) return answer;
  return {std::stoi(text.substr(9)), text.substr(0, end + 2), text.substr(end + 4)};
}

inline HttpAnswer get(int port, const std::string& path, const std::string& method = "GET") {
  return ask(port, method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n");
}

}  // namespace tippe::test
