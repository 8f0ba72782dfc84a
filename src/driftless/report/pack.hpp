// Arrays of a page, one after the other in one block of bytes that is compressed as a whole. The page's JSON refers to
// them: { "at": byte offset, "n": values, "type": "u16" | "log16" | "f64" | "f32" | "u32", "min", "max" }.
//
//   u16     code = round(65534 (x − min)/(max − min)), 65535 where x is not a number                                (1)
//           stored as differences mod 65536 to the code before, all low bytes first, then all high bytes: smooth
//           curves compress to about a byte a value
//   log16   the same of log10 x; what is not positive counts as the smallest positive value                          (2)
//   f64, f32, u32   little-endian, as they are
// Equal values: min = max, all codes 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "driftless/core/json/json_value.hpp"

namespace driftless {

class Packer {
 public:
  struct Quantised {
    JsonValue array;
    double error = 0;  // largest |x − decoded x|, found by decoding; log16: of log10 x
  };
  // `step`: how coarse it may be; codes are then multiples of a power of two, which compresses better.
  Quantised u16(std::span<const double> values, double step = 0);
  Quantised log16(std::span<const double> values);
  JsonValue f64(std::span<const double> values);
  JsonValue f32(std::span<const float> values);
  JsonValue u32(std::span<const std::uint32_t> values);

  size_t bytes() const { return bytes_.size(); }
  // The block as base64 of a zlib stream (RFC 1950).
  std::string compressed() const;

 private:
  JsonValue::Object start(const char* type, size_t count);
  template <class T>
  JsonValue raw(const char* type, std::span<const T> values);

  std::string bytes_;
};

}  // namespace driftless
