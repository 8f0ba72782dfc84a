// What a worker process hands back, as bytes and again.
#pragma once

#include <cstring>
#include <string>

#include "driftless/compare/work_precision.hpp"

namespace driftless {

class ByteWriter {
 public:
  void add(const std::string& text) {
    add(static_cast<double>(text.size()));
    bytes += text;
  }
  void add(double value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const Vec& values) {
    add(static_cast<double>(values.size()));
    for (const double value : values) add(value);
  }
  std::string bytes;
};

class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  double number() {
    double value = 0;
    if (at_ + sizeof value > bytes_.size()) {
      good_ = false;
      return 0;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::size_t count() { return static_cast<std::size_t>(number()); }
  std::string text() {
    const std::size_t size = count();
    if (at_ + size > bytes_.size()) {
      good_ = false;
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  Vec vector() {
    Vec out(static_cast<Eigen::Index>(count()));
    for (double& value : out) value = number();
    return out;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

inline std::string to_bytes(const Ending& ending) {
  ByteWriter out;
  out.add(static_cast<double>(ending.q_names.size()));
  for (const std::string& name : ending.q_names) out.add(name);
  out.add(ending.q);
  out.add(ending.q_scale);
  out.add(ending.length);
  out.add(static_cast<double>(ending.poses.size()));
  for (const Pose& pose : ending.poses) {
    out.add(Vec(pose.position));
    out.add(Vec(pose.quaternion));
  }
  return out.bytes;
}

inline bool from_bytes(const std::string& bytes, Ending& out) {
  if (bytes.empty()) return false;
  ByteReader in(bytes);
  out.q_names.resize(in.count());
  for (std::string& name : out.q_names) name = in.text();
  out.q = in.vector();
  out.q_scale = in.vector();
  out.length = in.number();
  out.poses.resize(in.count());
  for (Pose& pose : out.poses) {
    pose.position = in.vector();
    pose.quaternion = in.vector();
  }
  return in.good();
}

inline std::string to_bytes(const ComparedRun& run) {
  ByteWriter out;
  out.add(run.status);
  out.add(run.message);
  out.add(run.drift.position_row);
  out.add(run.drift.velocity_row);
  for (const double value : {double(run.good), run.error, run.drift.position_max, run.drift.velocity_max,
                             run.energy_error.value_or(0), double(run.energy_error.has_value())})
    out.add(value);
  for_each_statistic(run.statistics, [&](const char*, auto value) { out.add(static_cast<double>(value)); });
  return out.bytes;
}

inline bool from_bytes(const std::string& bytes, ComparedRun& run) {
  ByteReader in(bytes);
  run.status = in.text();
  run.message = in.text();
  run.drift.position_row = in.text();
  run.drift.velocity_row = in.text();
  run.good = in.number() > 0;
  run.error = in.number();
  run.drift.position_max = in.number();
  run.drift.velocity_max = in.number();
  const double energy = in.number();
  if (in.number() > 0) run.energy_error = energy;
  for_each_statistic(run.statistics, [&](const char*, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(in.number());
  });
  return in.good();
}

}  // namespace driftless
