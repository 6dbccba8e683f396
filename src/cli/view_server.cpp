// SPDX-License-Identifier: Apache-2.0
#include "cli/view_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "tippe/core/error.h"

namespace tippe::cli {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

/// The page consists of inline script and style, and asks nobody but us.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

bool is_this_machine(const std::string& host, int port) {
  for (const char* name : {kLoopback, "localhost", "[::1]"}) {
    if (host == fmt::format("{}:{}", name, port)) return true;
    if (port == 80 && host == name) return true;
  }
  return false;
}

void refuse(httplib::Response& response, int status, const char* words) {
  response.status = status;
  response.set_content(fmt::format("{}\n", words), "text/plain; charset=utf-8");
}

/// By pieces, from memory that is shared: no copy for each reader, and no compression, which would take longer than it spares.
void send(httplib::Response& response, std::shared_ptr<const std::string> text, const char* type) {
  const size_t size = text->size();
  response.set_content_provider(size, type, [text = std::move(text)](size_t offset, size_t length, httplib::DataSink& sink) {
    return offset <= text->size() && sink.write(text->data() + offset, std::min(length, text->size() - offset));
  });
}

/// A thread for each connection, made when it is needed: one that says nothing keeps nobody waiting.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> connection) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(connection));
    if (idle_ < waiting_.size() && threads_.size() < kMost) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // no more threads can be had: those that are there will come to it
        if (threads_.empty()) throw;
      }
    }
    changed_.notify_one();
  }
  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  static constexpr size_t kMost = 4096;

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      changed_.wait(lock, [&] { return !waiting_.empty() || ended_; });
      --idle_;
      if (waiting_.empty()) return;
      const std::function<void()> connection = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      connection();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool ended_ = false;
};

/// Each connection is an open file, of which the default limit allows 1024.
void allow_many_connections() {
  constexpr rlim_t kWanted = 8192;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kWanted) return;
  files.rlim_cur = std::min(kWanted, files.rlim_max);
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

ViewServer::ViewServer(ServedReport& report, int port)
    : report_(report), server_(std::make_unique<httplib::Server>()), page_(ServedReport::page()) {
  allow_many_connections();
  server_->new_task_queue = [] { return new ConnectionThreads; };
  server_->set_read_timeout(2);  // s
  server_->set_keep_alive_max_count(1);
  server_->set_keep_alive_timeout(1);  // s   browsers open connections in advance
  server_->set_default_headers({{"Cache-Control", "no-store"},
                                {"Content-Security-Policy", kPolicy},
                                {"Cross-Origin-Resource-Policy", "same-origin"},
                                {"Referrer-Policy", "no-referrer"},
                                {"X-Content-Type-Options", "nosniff"}});
  refuse_others();
  offer_report();
  bind(port);
}

/// What is not asked of this machine by its name, or not with GET or HEAD, is refused before anything else looks at it.
void ViewServer::refuse_others() {
  server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    using Next = httplib::Server::HandlerResponse;
    if (request.get_header_value_count("Host") != 1 || !is_this_machine(request.get_header_value("Host"), port_)) {
      refuse(response, 403, "This server answers only to 127.0.0.1 and localhost.");
      return Next::Handled;
    }
    if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      refuse(response, 405, "Only GET and HEAD.");
      return Next::Handled;
    }
    if (request.has_header("Range")) {  // httplib would not check where it ends
      response.status = 416;
      return Next::Handled;
    }
    return Next::Unhandled;
  });
}

void ViewServer::offer_report() {
  server_->Get("/", [this](const httplib::Request&, httplib::Response& response) {
    send(response, std::shared_ptr<const std::string>(std::shared_ptr<void>(), &page_), "text/html; charset=utf-8");
  });
  server_->Get("/data.json", [this](const httplib::Request&, httplib::Response& response) {
    send(response, report_.document(), "application/json");
  });
  server_->Get("/state.json", [this](const httplib::Request&, httplib::Response& response) {
    response.set_content(report_.state(), "application/json");
  });
  server_->Get("/favicon.ico",
               [](const httplib::Request&, httplib::Response& response) { response.status = 204; });  // the page has none
  server_->set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.status == 404) refuse(response, 404, "There is nothing of that name here.");
  });
}

void ViewServer::bind(int port) {
  // Not SO_REUSEPORT, with which a second server could share the port of the first.
  socket_t listener = INVALID_SOCKET;
  server_->set_socket_options([&listener](socket_t socket) {
    listener = socket;
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  if (port == 0) {
    port_ = server_->bind_to_any_port(kLoopback);
    if (port_ <= 0) throw InputError({}, "no port of 127.0.0.1 can be had");
  } else {
    if (!server_->bind_to_port(kLoopback, port)) {
      throw InputError(
          {},
          fmt::format("--port: {} cannot be had; another program uses it, or only root may. Without --port a free one is "
                      "taken",
                      port));
    }
    port_ = port;
  }
  server_->set_socket_options([](socket_t) {});
  listen(listener, SOMAXCONN);  // httplib lets five wait: the next ones would try again after a second
}

ViewServer::~ViewServer() {
  server_->stop();
  if (thread_.joinable()) thread_.join();
}

void ViewServer::start() {
  thread_ = std::thread([this] {
    server_->listen_after_bind();
    ended_ = true;
  });
  // Until then stop() would do nothing, and whoever comes would wait.
  while (!server_->is_running() && !ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string ViewServer::address() const {
  return fmt::format("http://{}:{}/", kLoopback, port_);
}

}  // namespace tippe::cli
