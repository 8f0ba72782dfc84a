// Texts of models and what the reader says of them; elements of the small catalogue.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/io/model_json.hpp"

#include "../model/small_catalogue.hpp"

namespace driftless::test {

inline Model parse(const std::string& text) { return parse_model(text, "test.json", small_catalogue()); }

// The complaints a text earns; fails the test if it is accepted.
inline std::vector<Complaint> complaints_of(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "test.json");
    EXPECT_THAT(error.what(), ::testing::HasSubstr("test.json: "));
    return error.complaints();
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return {};
}

// The only complaint.
inline Complaint complaint_of(const std::string& text) {
  const auto complaints = complaints_of(text);
  EXPECT_EQ(complaints.size(), 1U) << all_text(complaints);
  return complaints.empty() ? Complaint() : complaints[0];
}

inline const std::string kBody =
    R"({ "name": "bar", "mass": 1, "inertia": 0.1, "points": { "A": [-1, 0], "B": [1, 0] } })";

// A sound model with more keys: ', "joints": […]'.
inline std::string model_with(const std::string& more) {
  return R"({ "driftless": 1, "ground": { "points": { "O": [0, 0] } }, "bodies": [)" + kBody + "]" + more +
         " }";
}

// A body with more keys.
inline std::string body_with(const std::string& more) {
  return R"({ "driftless": 1, "bodies": [{ "name": "bar", "mass": 1, "inertia": 0.1)" + more + "}] }";
}

inline std::string driver_with(const std::string& function) {
  return model_with(
      R"(, "drivers": [{ "name": "motor", "type": "angle", "a": "ground", "b": "bar", "function": )" +
      function + "}]");
}

// The same in space.
inline std::string spatial_body_with(const std::string& more) {
  return R"({ "driftless": 1, "space": "spatial", "bodies": [{ "name": "arm", "mass": 1, "inertia": [0.1, 0.2, 0.2])" +
         more + "}] }";
}

inline std::string spatial_model_with(const std::string& more) {
  return R"({ "driftless": 1, "space": "spatial", "ground": { "points": { "O": [0, 0, 0] }, "axes": { "up": [0, 0, 1] } },
    "bodies": [{ "name": "arm", "mass": 1, "inertia": [0.1, 0.2, 0.2], "points": { "A": [-1, 0, 0] } }])" +
         more + " }";
}

}  // namespace driftless::test
