// SPDX-License-Identifier: Apache-2.0
// The server of `tippe view`, asked as a browser asks, and as somebody would who should not.
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "support/http.h"
#include "support/page.h"
#include "support/program.h"
#include "support/scenes.h"
#include "tippe/record/recorded_run.h"
#include "tippe/report/packed_document.h"

namespace tippe::cli_view_test {

using Json = nlohmann::json;
using namespace std::chrono_literals;

/// Waits until something holds, some seconds at most.
bool eventually(const std::function<bool()>& holds) {
  for (int k = 0; k < 1000; ++k) {
    if (holds()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

/// `tippe view`, running.
class View {
 public:
  View(const std::filesystem::path& folder, std::vector<std::string> recordings)
      : program_(arguments(std::move(recordings)), folder) {
    const std::regex address("http://127\\.0\\.0\\.1:([0-9]+)/\n");
    EXPECT_TRUE(eventually([&] {
      const std::string output = program_.output();
      std::smatch match;
      if (!std::regex_search(output, match, address)) return false;
      port_ = std::stoi(match[1]);
      return true;
    }));
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] test::HttpAnswer get(const std::string& path) const { return test::get(port_, path); }
  [[nodiscard]] Json state() const { return Json::parse(get("/state.json").body); }
  test::ProgramResult end(int signal) {
    kill(program_.pid(), signal);
    return program_.wait();
  }

 private:
  static std::vector<std::string> arguments(std::vector<std::string> recordings) {
    recordings.insert(recordings.begin(), {"view", "--no-browser"});
    return recordings;
  }

  test::RunningProgram program_;
  int port_ = 0;
};

class OneRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    ASSERT_EQ(test::run_program({"run", test::scene_path("bouncing_ball"), "--quiet"}, folder_->path()).exit_code, 0);
  }
  static void TearDownTestSuite() { delete folder_; }
  static const std::filesystem::path& folder() { return folder_->path(); }

  static inline test::TemporaryFolder* folder_ = nullptr;
};

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// What is served is what the report of the run holds, to the byte; there it is packed.
TEST_F(OneRun, IsServedAsItsReportShowsIt) {
  const View view(folder(), {"bouncing_ball.h5"});
  const std::string report = text_of(folder() / "bouncing_ball.html");
  const test::HttpAnswer data = view.get("/data.json");
  EXPECT_EQ(data.status, 200);
  EXPECT_TRUE(data.has("Content-Type: application/json\r\n"));
  const Json document = Json::parse(data.body);
  EXPECT_EQ(Json::parse(pack_document(data.body)), test::data_of_page(report));

  const test::HttpAnswer page = view.get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.has("Content-Type: text/html; charset=utf-8\r\n"));
  EXPECT_EQ(test::data_of_page(page.body), (Json{{"format", "tippe-served"}, {"version", 1}}));
  // But for its data it is the page of the report.
  const auto without_data = [](std::string text) {
    const size_t begin = text.find("<script id=\"tippe-data\"");
    return text.erase(begin, text.find("</script>", begin) - begin);
  };
  EXPECT_EQ(without_data(page.body), without_data(report));

  const Json state = view.state();
  const std::vector<double> times = test::decode(document["axes"]["samples"]);
  EXPECT_EQ(state["status"], "ok");
  EXPECT_EQ(state["samples"], times.size());
  EXPECT_EQ(state["t"], times.back());
  EXPECT_EQ(state["message"], "");
  EXPECT_EQ(view.state(), state);  // nothing has changed
}

TEST_F(OneRun, NothingElseIsServed) {
  const View view(folder(), {"bouncing_ball.h5"});
  for (const char* path : {"/bouncing_ball.h5", "/../bouncing_ball.h5", "/%2e%2e/bouncing_ball.h5", "//etc/passwd",
                           "/data.jsonx", "/data.json/", "/index.html", "*"}) {
    const test::HttpAnswer answer = view.get(path);
    EXPECT_TRUE(answer.status == 404 || answer.status == 400) << path << ": " << answer.status;
    EXPECT_LT(answer.body.size(), 100u) << path;
  }
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    for (const char* path : {"/", "/data.json", "/nothing"}) {
      const test::HttpAnswer answer = test::get(view.port(), path, method);
      EXPECT_EQ(answer.status, 405) << method << path;
      EXPECT_TRUE(answer.has("Allow: GET, HEAD\r\n"));
    }
  }
  EXPECT_EQ(view.get("/favicon.ico").status, 204);
  const test::HttpAnswer head = test::get(view.port(), "/data.json", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_TRUE(head.has("Content-Length: " + std::to_string(view.get("/data.json").body.size()) + "\r\n"));
}

// A part of an answer is nobody's need, and where it ends nobody checks.
TEST_F(OneRun, PartsAreNotServed) {
  const View view(folder(), {"bouncing_ball.h5"});
  for (const char* range : {"0-9", "0-9999999", "9999999999-", "-5", "0-1,3-4", "5-2", "nonsense"}) {
    for (const char* path : {"/", "/data.json", "/state.json", "/nothing"}) {
      const test::HttpAnswer answer = test::ask(
          view.port(),
          fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nRange: bytes={}\r\n\r\n", path, view.port(), range));
      EXPECT_EQ(answer.status, 416) << path << " " << range;
      EXPECT_EQ(answer.body, "") << path << " " << range;
    }
  }
}

// A browser keeps what it gets to the page itself: nothing is stored, no other site may read or frame it, the page asks nobody else.
TEST_F(OneRun, AnswersAreForThePageAlone) {
  const View view(folder(), {"bouncing_ball.h5"});
  for (const char* path : {"/", "/data.json", "/state.json", "/nothing"}) {
    const test::HttpAnswer answer =
        test::ask(view.port(), fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nOrigin: http://other.example\r\n"
                                           "Accept-Encoding: gzip, br\r\n\r\n",
                                           path, view.port()));
    EXPECT_TRUE(answer.has("Cache-Control: no-store\r\n"));
    EXPECT_TRUE(answer.has("Content-Security-Policy: default-src 'none'; "));
    EXPECT_TRUE(answer.has("Cross-Origin-Resource-Policy: same-origin\r\n"));
    EXPECT_FALSE(answer.has("Access-Control-"));
  }
  EXPECT_FALSE(test::ask(view.port(),
                         fmt::format("GET /data.json HTTP/1.1\r\nHost: localhost:{}\r\nAccept-Encoding: gzip, br\r\n\r\n",
                                     view.port()))
                   .has("Content-Encoding: "));
}

// A site whose name its owner lets point to 127.0.0.1 (DNS rebinding) sends that name.
TEST_F(OneRun, AnswersOnlyToNamesOfThisMachine) {
  const View view(folder(), {"bouncing_ball.h5"});
  const auto status = [&](const std::string& host) {
    return test::ask(view.port(), "GET /data.json HTTP/1.1\r\n" + host + "\r\n").status;
  };
  const std::string port = std::to_string(view.port());
  for (const char* name : {"127.0.0.1:", "localhost:", "[::1]:"})
    EXPECT_EQ(status("Host: " + (name + port) + "\r\n"), 200) << name;
  for (const std::string& host : {"other.example:" + port, std::string("127.0.0.1"), "127.0.0.1:1" + port,
                                  "localhost.other.example:" + port, "other.example@localhost:" + port, std::string()})
    EXPECT_EQ(status("Host: " + host + "\r\n"), 403) << host;
  EXPECT_EQ(status(""), 403);
  EXPECT_EQ(status("Host: localhost:" + port + "\r\nHost: other.example\r\n"), 403);
}

TEST_F(OneRun, IsReachedFromThisMachineAlone) {
  const View view(folder(), {"bouncing_ball.h5"});
  EXPECT_TRUE(test::connect_to("127.0.0.1", view.port()));
  EXPECT_FALSE(test::connect_to("127.0.0.2", view.port()));
  // The addresses that others reach this machine by.
  ifaddrs* addresses = nullptr;
  ASSERT_EQ(getifaddrs(&addresses), 0);
  for (const ifaddrs* entry = addresses; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET || (entry->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    char text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
    EXPECT_FALSE(test::connect_to(text, view.port())) << text;
  }
  freeifaddrs(addresses);
}

TEST_F(OneRun, CtrlCEndsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    View view(folder(), {"bouncing_ball.h5"});
    EXPECT_EQ(view.get("/state.json").status, 200);
    const auto begin = std::chrono::steady_clock::now();
    const test::ProgramResult result = view.end(signal);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.errors, "");
    EXPECT_NE(result.output.find("the page is no longer served\n"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  }
}

TEST_F(OneRun, SilentClientsKeepNobodyWaiting) {
  const View view(folder(), {"bouncing_ball.h5"});
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  std::vector<int> silent;
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < 1000; ++k) {
    silent.push_back(test::connect_to("127.0.0.1", view.port()).value());
    EXPECT_EQ(send(silent.back(), "GET /", 5, MSG_NOSIGNAL), 5);
  }
  EXPECT_EQ(view.get("/state.json").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);  // one by one, or some at a time, they would take longer
  for (const int connection : silent) close(connection);
}

TEST_F(OneRun, CtrlCEndsItFromTheFirstMomentOn) {
  for (int k = 0; k < 20; ++k) {
    View view(folder(), {"bouncing_ball.h5"});
    EXPECT_EQ(view.end(SIGINT).exit_code, 0) << k;
  }
}

// Where there is a desktop it is asked to show the address, and nothing is left of that.
TEST_F(OneRun, OpensTheBrowser) {
  const test::TemporaryFolder desktop;
  const std::filesystem::path asked = desktop.path() / "asked";
  std::ofstream(desktop.path() / "xdg-open")
      << "#!/bin/sh\necho \"$1\" > " << asked.string() << ".new\nmv " << asked.string() << ".new " << asked.string() << "\n";
  std::filesystem::permissions(desktop.path() / "xdg-open", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  const char* display = std::getenv("DISPLAY");
  const std::string display_before = display ? display : "";
  setenv("PATH", (desktop.path().string() + ":" + path).c_str(), 1);
  setenv("DISPLAY", ":0", 1);
  test::RunningProgram program({"view", "bouncing_ball.h5"}, folder());
  setenv("PATH", path.c_str(), 1);
  display ? setenv("DISPLAY", display_before.c_str(), 1) : unsetenv("DISPLAY");
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(asked); }));
  const std::string address = text_of(asked);
  EXPECT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
  EXPECT_NE(program.output().find(address), std::string::npos);
  const std::string children = fmt::format("/proc/{0}/task/{0}/children", program.pid());
  EXPECT_TRUE(eventually([&] { return text_of(children).empty(); })) << text_of(children);
}

TEST_F(OneRun, APortIsServedByOneAlone) {
  const View view(folder(), {"bouncing_ball.h5"});
  const auto second =
      test::run_program({"view", "bouncing_ball.h5", "--no-browser", "--port", std::to_string(view.port())}, folder());
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.errors.find(fmt::format("--port: {} cannot be had", view.port())), std::string::npos) << second.errors;
  EXPECT_EQ(test::run_program({"view", "bouncing_ball.h5", "--port", "70000"}, folder()).exit_code, 2);
}

TEST_F(OneRun, WhatIsNoRecordingIsRefusedInTheWordsOfShow) {
  std::ofstream(folder() / "text.h5") << "no recording\n";
  std::ofstream(folder() / "empty.h5");
  std::ofstream(folder() / "cut.h5") << text_of(folder() / "bouncing_ball.h5").substr(0, 3000);
  const std::string problem = std::string(TIPPE_SOURCE_DIR) + "/problems/stack.hdf5";
  for (const std::string& file : {std::string("missing.h5"), std::string("text.h5"), std::string("empty.h5"),
                                  std::string("cut.h5"), std::string("."), problem, test::scene_path("bouncing_ball")}) {
    const auto show = test::run_program({"show", file}, folder());
    const auto view = test::run_program({"view", file, "--no-browser"}, folder());
    EXPECT_EQ(view.exit_code, show.exit_code) << file;
    EXPECT_EQ(view.exit_code, 4) << file;
    EXPECT_EQ(view.errors, show.errors);
    EXPECT_EQ(view.output, "");
  }
}

/// All series of the panels on the axis of the samples have as many values as it.
void expect_whole(const Json& document) {
  const size_t samples = test::decode(document["axes"]["samples"]).size();
  for (const Json& panel : document["panels"]) {
    if (panel["kind"] != "time" || panel["axis"] != "samples") continue;
    for (const Json& series : panel["series"]) EXPECT_EQ(test::decode(series["values"]).size(), samples) << panel["id"];
  }
}

TEST(View, GrowsWithItsRunAndOutlivesTheFile) {
  const test::TemporaryFolder folder;
  test::RunningProgram run(
      {"run", test::scene_path("woodpecker"), "--until", "1000", "--no-report", "--quiet", "--flush", "0.02"},
      folder.path());
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(folder.path() / "woodpecker.h5"); }));
  kill(run.pid(), SIGSTOP);
  const View view(folder.path(), {"woodpecker.h5"});
  Json before = view.state();
  EXPECT_EQ(before["status"], "running");
  for (int k = 0; k < 3; ++k) {
    // Stopped anywhere, perhaps in the midst of a flush.
    kill(run.pid(), SIGCONT);
    const std::string stamp = recording_stamp(folder.path() / "woodpecker.h5");
    ASSERT_TRUE(eventually([&] { return recording_stamp(folder.path() / "woodpecker.h5") != stamp; }));
    std::this_thread::sleep_for(50ms);
    kill(run.pid(), SIGSTOP);
    ASSERT_TRUE(eventually([&] { return view.state()["stamp"] != before["stamp"]; }));
    const Json now = view.state();
    EXPECT_EQ(now["status"], "running");
    EXPECT_GT(now["samples"], before["samples"]);
    EXPECT_GT(now["t"], before["t"]);
    const Json document = Json::parse(view.get("/data.json").body);
    EXPECT_EQ(document["status"], "running");
    EXPECT_EQ(test::decode(document["axes"]["samples"]).back(), now["t"].get<double>());
    expect_whole(document);
    before = now;
  }
  // The other commands need no copy either.
  EXPECT_NE(test::run_program({"show", "woodpecker.h5"}, folder.path()).output.find("status                  running\n"),
            std::string::npos);
  EXPECT_EQ(test::run_program({"export", "woodpecker.h5", "--columns", "time"}, folder.path()).output.find("time\n0\n"), 0u);

  kill(run.pid(), SIGINT);
  kill(run.pid(), SIGCONT);
  EXPECT_EQ(run.wait().exit_code, 130);
  EXPECT_TRUE(eventually([&] { return view.state()["status"] == "interrupted"; }));
  const std::string last = view.get("/data.json").body;
  EXPECT_EQ(Json::parse(last)["status"], "interrupted");

  std::filesystem::rename(folder.path() / "woodpecker.h5", folder.path() / "moved.h5");
  EXPECT_TRUE(eventually([&] { return view.state()["status"] == "gone"; }));
  EXPECT_EQ(view.state()["message"], "woodpecker.h5: no such file");
  EXPECT_EQ(view.get("/data.json").body, last);
  std::filesystem::rename(folder.path() / "moved.h5", folder.path() / "woodpecker.h5");
  EXPECT_TRUE(eventually([&] { return view.state()["status"] == "interrupted"; }));
}

/// Runs of the bouncing ball in folders of their own.
class SeveralRuns : public testing::Test {
 protected:
  void run(const std::string& name, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"run", test::scene_path("bouncing_ball"), "--no-report", "--quiet", "--out", name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(test::run_program(arguments, folder_.path()).exit_code, 0);
  }
  static std::string file(const std::string& name) { return name + "/bouncing_ball.h5"; }

  /// y of a recording at the times that `times` has too, by looking for equal numbers.
  std::vector<double> heights_at(const std::string& name, const std::vector<double>& times) {
    const RecordedRun run = read_recording(folder_.path() / file(name));
    std::vector<double> heights;
    for (const double time : times) {
      double found = std::nan("");
      for (size_t k = 0; k < run.time.size(); ++k) {
        if (std::abs(run.time[k] - time) < 1e-9) found = run.q.values[k];  // y is the only coordinate
      }
      heights.push_back(found);
    }
    return heights;
  }

  test::TemporaryFolder folder_;
};

TEST_F(SeveralRuns, LieOverEachOtherAtTheTimesTheyHaveInCommon) {
  run("a", {"--dt", "1e-3"});
  run("b", {"--dt", "2e-3", "--integrator", "moreau-jean"});
  const View view(folder_.path(), {file("a"), file("b")});
  const Json document = Json::parse(view.get("/data.json").body);
  ASSERT_EQ(document["runs"].size(), 2u);
  EXPECT_EQ(document["runs"][0]["label"], "moreau, dt = 0.001");
  EXPECT_EQ(document["runs"][1]["label"], "moreau-jean, dt = 0.002");
  EXPECT_EQ(document["status"], "ok");
  const std::vector<double> times = test::decode(document["axes"]["samples"]);
  EXPECT_GT(times.size(), 200u);
  const Json& panels = document["panels"];
  const auto panel = std::find_if(panels.begin(), panels.end(), [](const Json& entry) { return entry["id"] == "q y"; });
  ASSERT_NE(panel, panels.end());
  for (const auto& [run, name] : {std::pair{0, "a"}, std::pair{1, "b"}}) {
    const std::vector<double> shown = test::decode((*panel)["series"][run]["values"]), recorded = heights_at(name, times);
    ASSERT_EQ(shown.size(), recorded.size());
    size_t known = 0;
    for (size_t k = 0; k < shown.size(); ++k) {
      EXPECT_TRUE(shown[k] == recorded[k] || (std::isnan(shown[k]) && std::isnan(recorded[k]))) << name << " " << times[k];
      known += std::isnan(shown[k]) ? 0 : 1;
    }
    EXPECT_EQ(known, shown.size()) << name;
  }
  const Json state = view.state();
  EXPECT_EQ(state["status"], "ok");
  EXPECT_EQ(state["t"], times.back());
}

// Runs that differ by a parameter alone are told apart by their files.
TEST_F(SeveralRuns, OfTheSameIntegratorAreCalledByTheirFiles) {
  run("a", {"--set", "epsilon=0.5"});
  run("b", {"--set", "epsilon=0.9"});
  const View view(folder_.path(), {file("a"), file("b")});
  const Json document = Json::parse(view.get("/data.json").body);
  EXPECT_EQ(document["runs"][0]["label"], file("a"));
  EXPECT_EQ(document["table"]["rows"][1][0], file("b"));
  const Json setting = {{"label", "setting"}, {"value", file("b") + ": epsilon=0.9"}};
  EXPECT_NE(std::find(document["summary"].begin(), document["summary"].end(), setting), document["summary"].end());
}

TEST_F(SeveralRuns, OfDifferentSystemsAreRefused) {
  run("a", {});
  ASSERT_EQ(test::run_program({"run", test::scene_path("incline"), "--no-report", "--quiet"}, folder_.path()).exit_code, 0);
  const auto result = test::run_program({"view", "--no-browser", file("a"), "incline.h5"}, folder_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("incline.h5: error: a recording of another system than a/bouncing_ball.h5"),
            std::string::npos)
      << result.errors;
}

TEST_F(SeveralRuns, WithoutCommonTimesAreRefused) {
  run("a", {"--dt", "1e-3"});
  run("b", {"--dt", "7e-4"});
  const auto result = test::run_program({"view", "--no-browser", file("a"), file("b")}, folder_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("its samples are not at the times of the others"), std::string::npos) << result.errors;
}

}  // namespace tippe::cli_view_test
