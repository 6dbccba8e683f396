// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/event_list.h"

#include "support/page.h"
#include "tippe/report/report.h"

namespace tippe::report_event_list_test {

using enum ContactMode;

const std::vector<std::string> kLaws = {"beak", "sleeve"};

Event event(double t, EventKind kind, std::vector<int> laws, std::vector<ContactMode> before,
            std::vector<ContactMode> after) {
  Event event;
  event.t = t;
  event.kind = kind;
  event.laws = std::move(laws);
  event.before = std::move(before);
  event.after = std::move(after);
  event.alternatives = 0;
  return event;
}

std::vector<Event> some_events() {
  std::vector<Event> events = {
      event(0.0, EventKind::kStart, {}, {kOpen, kStick}, {kOpen, kStick}),
      event(0.021649270167, EventKind::kStickToSlip, {1}, {kOpen, kStick}, {kOpen, kSlideBackward}),
      event(0.5, EventKind::kImpact, {0, 1}, {kOpen, kSlideBackward}, {kOpen, kOpen}),
      event(0.5, EventKind::kTouch, {0}, {kOpen, kOpen}, {kClosed, kOpen}),
      event(2.0, EventKind::kLiftOff, {0}, {kClosed, kOpen}, {kOpen, kOpen}),
  };
  events[2].impulse = Eigen::Vector4d(1.0, 0.0, 2.0, -0.5);
  events[2].lost = 0.25;
  events[2].alternatives = 2;
  events[2].note = "the one that loses least";
  events[3].alternatives = 1;
  events[4].alternatives.reset();
  return events;
}

TEST(EventList, TellsEveryEventInARow) {
  const TextTable table = tabulate_events(some_events(), kLaws);
  using Row = std::vector<std::string>;
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rows[0], (Row{"0.000000000000", "start", "", "beak: open, sleeve: stick", "", ""}));
  EXPECT_EQ(table.rows[1], (Row{"0.021649270167", "stick to slip", "sleeve", "sleeve: stick -> slide-", "", ""}));
  EXPECT_EQ(table.rows[2], (Row{"0.500000000000", "impact", "beak, sleeve", "beak: open as before, sleeve: slide- -> open",
                                "0.25", "2 other modes were consistent too; the one that loses least"}));
  EXPECT_EQ(table.rows[3][5], "another mode was consistent too");
  EXPECT_EQ(table.rows[4],
            (Row{"2.000000000000", "lift-off", "beak", "beak: closed -> open", "", "not checked for other modes"}));
}

// Nobody chooses whether forces are unique: that has changed with a mode, which has an event of its own.
TEST(EventList, AChangeOfRedundancyIsNoChoice) {
  Event change = event(2.0, EventKind::kRedundancyChange, {}, {kClosed, kOpen}, {kClosed, kOpen});
  change.alternatives.reset();
  change.note = "forces are unique";
  EXPECT_EQ(tabulate_events(std::vector{change}, kLaws).rows[0][5], "forces are unique");
}

TEST(EventList, CountsKinds) {
  EventCounts counts;
  for (const Event& event : some_events()) ++counts[event.kind];
  EXPECT_EQ(describe_counts(counts), "5 (start 1, impact 1, touch 1, lift-off 1, stick to slip 1)");
}

// Of several events at one instant the last decides; what does not change a law's mode is no change of its band.
TEST(EventList, AModeLastsUntilTheNextChange) {
  const std::vector<Event> events = some_events();
  const ModeHistory beak = mode_history(events, 0), sleeve = mode_history(events, 1);
  EXPECT_EQ(beak.times, (std::vector<double>{0.0, 0.5, 2.0}));
  EXPECT_EQ(beak.modes, (std::vector{kOpen, kClosed, kOpen}));
  EXPECT_EQ(sleeve.times, (std::vector<double>{0.0, 0.021649270167, 0.5}));
  EXPECT_EQ(sleeve.modes, (std::vector{kStick, kSlideBackward, kOpen}));
  EXPECT_TRUE(mode_history({}, 0).times.empty());
  // Open, closed and open again at one instant is open all the time.
  const std::vector<Event> through = {event(0.0, EventKind::kStart, {}, {kOpen}, {kOpen}),
                                      event(1.0, EventKind::kImpact, {0}, {kOpen}, {kClosed}),
                                      event(1.0, EventKind::kLiftOff, {0}, {kClosed}, {kOpen})};
  EXPECT_EQ(mode_history(through, 0).times, std::vector<double>{0.0});
}

TEST(EventList, IsOnThePage) {
  RecordedRun run;
  run.integrator = "event-driven";
  run.status = RunStatus::kOk;
  run.time = {0.0, 2.0};
  run.q = {{"x"}, {1, 2}};
  run.u = {{"x'"}, {3, 4}};
  run.energy = {{"kinetic"}, {5, 6}};
  run.laws = kLaws;
  const auto ids = [](const nlohmann::json& data) {
    std::vector<std::string> list;
    for (const auto& panel : data["panels"]) list.push_back(panel["id"]);
    return list;
  };
  const nlohmann::json without = test::data_of_page(make_report(run, {}));
  EXPECT_TRUE(without["events"].is_null());
  EXPECT_EQ(ids(without), (std::vector<std::string>{"q", "u", "phase", "energy", "residual"}));
  run.events = some_events();
  const nlohmann::json data = test::data_of_page(make_report(run, {}));
  EXPECT_EQ(ids(data), (std::vector<std::string>{"q", "u", "modes", "phase", "energy", "residual"}));
  const nlohmann::json& bands = data["panels"][2]["bands"];
  EXPECT_EQ(bands[1]["label"], "sleeve");
  EXPECT_EQ(test::decode(bands[1]["times"]), (std::vector<double>{0.0, 0.021649270167, 0.5}));
  EXPECT_EQ(bands[1]["modes"], (nlohmann::json{"stick", "slide-", "open"}));
  EXPECT_EQ(data["events"]["rows"].size(), 5u);
  EXPECT_EQ(data["events"]["rows"][1][0], "0.021649270167");
  EXPECT_EQ(data["events"]["note"], "");
  run.events.insert(run.events.end(), 3000, run.events.back());
  const nlohmann::json many = test::data_of_page(make_report(run, {}));
  EXPECT_EQ(many["events"]["rows"].size(), 2000u);
  EXPECT_NE(many["events"]["note"].get<std::string>().find("the first 2000 of 3005"), std::string::npos);
}

}  // namespace tippe::report_event_list_test
