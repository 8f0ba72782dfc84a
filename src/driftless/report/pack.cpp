#include "driftless/report/pack.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>
#include <zlib.h>

namespace driftless {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays of a page are little-endian");

constexpr double kCodes = 65534;
constexpr std::uint16_t kNotANumber = 65535;

std::string base64(const std::string& bytes) {
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t k) -> unsigned {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
    };
    const unsigned group = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (unsigned k = 0; k < 4; ++k)
      out += k > 0 && i + k - 1 >= bytes.size() ? '=' : kLetters[group >> (18 - 6 * k) & 63U];
  }
  return out;
}

}  // namespace

JsonValue::Object Packer::start(const char* type, size_t count) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8);  // readers may want numbers aligned
  return {{"at", static_cast<double>(bytes_.size())}, {"n", static_cast<double>(count)}, {"type", type}};
}

template <class T>
JsonValue Packer::raw(const char* type, std::span<const T> values) {
  JsonValue::Object out = start(type, values.size());
  bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return out;
}

JsonValue Packer::f64(std::span<const double> values) { return raw("f64", values); }
JsonValue Packer::f32(std::span<const float> values) { return raw("f32", values); }
JsonValue Packer::u32(std::span<const std::uint32_t> values) { return raw("u32", values); }

Packer::Quantised Packer::u16(std::span<const double> values, double step) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double x : values)
    if (std::isfinite(x)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (!(low <= high)) low = high = 0;
  const double range = high - low;
  if (!std::isfinite(range)) return {f64(values), 0};
  unsigned quantum = 1;  // in codes
  while (quantum < 32768 && 2 * quantum * range / kCodes <= step) quantum *= 2;
  Quantised out;
  JsonValue::Object array = start("u16", values.size());
  const size_t begin = bytes_.size();
  bytes_.resize(begin + 2 * values.size());
  std::uint16_t before = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    std::uint16_t code = kNotANumber;
    if (std::isfinite(values[i])) {
      const double exact = range > 0 ? kCodes * ((values[i] - low) / range) : 0;  // (1)
      code = static_cast<std::uint16_t>(
          std::min<long>(std::lround(exact / quantum) * quantum, static_cast<long>(kCodes)));
      out.error = std::max(out.error, std::abs(low + code / kCodes * range - values[i]));
    }
    const auto difference = static_cast<std::uint16_t>(code - before);
    before = code;
    bytes_[begin + i] = static_cast<char>(difference & 0xffU);
    bytes_[begin + values.size() + i] = static_cast<char>(difference >> 8U);
  }
  array.push_back({"min", low});
  array.push_back({"max", high});
  out.array = std::move(array);
  return out;
}

Packer::Quantised Packer::log16(std::span<const double> values) {
  double floor = HUGE_VAL;
  for (const double x : values)
    if (std::isfinite(x) && x > 0) floor = std::min(floor, x);
  if (floor == HUGE_VAL) floor = 1;
  std::vector<double> logs;
  for (const double x : values)
    logs.push_back(std::isfinite(x) ? std::log10(std::max(x, floor)) : std::nan(""));  // (2)
  Quantised out = u16(logs);
  for (JsonMember& entry : std::get<JsonValue::Object>(out.array.data))
    if (entry.key == "type") entry.value = "log16";
  return out;
}

std::string Packer::compressed() const {
  uLongf size = compressBound(bytes_.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes_.data()), bytes_.size(), 6);
  if (status != Z_OK) throw std::runtime_error("the arrays of the page cannot be compressed");
  out.resize(size);
  return base64(out);
}

}  // namespace driftless
