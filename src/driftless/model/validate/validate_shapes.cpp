#include "driftless/model/validate/validate_shapes.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

class ShapeCheck {
 public:
  ShapeCheck(std::string path,
             const Shape& shape,
             const std::vector<NamedPoint>& points,
             Complaints& complaints)
      : path_(std::move(path)), shape_(shape), points_(points), complaints_(complaints) {}

  void all() {
    color();
    for (size_t i = 0; i < shape_.points.size(); ++i) place(i);
    switch (shape_.kind) {
      case ShapeKind::box:
        if (!shape_.size.allFinite() || !(shape_.size.minCoeff() > 0))
          complaints_.add(at("size"), "three numbers > 0",
                          fmt::format("[{}, {}, {}]", shape_.size.x(), shape_.size.y(), shape_.size.z()));
        break;
      case ShapeKind::cylinder:
      case ShapeKind::capsule:
        number("radius", shape_.radius, true);
        ends();
        break;
      case ShapeKind::sphere:
        number("radius", shape_.radius, true);
        break;
      case ShapeKind::line:
        number("radius", shape_.radius, false);
        at_least(2);
        break;
      case ShapeKind::polygon:
        number("thickness", shape_.thickness, false);
        if (!std::isfinite(shape_.z))
          complaints_.add(at("z"), "a finite number", fmt::format("{}", shape_.z));
        at_least(3);
        break;
      case ShapeKind::mesh:
        number("scale", shape_.scale, true);
        break;
    }
  }

 private:
  std::string at(std::string_view key) const { return path_below(path_, key); }

  void number(const char* key, double value, bool positive) {
    if (!std::isfinite(value) || value < 0 || (positive && value == 0))
      complaints_.add(at(key), positive ? "a number > 0" : "a number >= 0", fmt::format("{}", value));
  }

  void color() {
    const std::string& text = shape_.color;
    const bool good =
        text.size() == 7 && text[0] == '#' &&
        std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (!text.empty() && !good)
      complaints_.add(at("color"), "a color \"#rrggbb\"", quoted(text), "for instance \"#d04020\"");
  }

  std::string where(size_t i) const {
    switch (shape_.kind) {
      case ShapeKind::cylinder:
      case ShapeKind::capsule:
        return at(i == 0 ? "from" : "to");
      case ShapeKind::line:
      case ShapeKind::polygon:
        return path_below(at("points"), i);
      default:
        return at("position");
    }
  }

  void place(size_t i) {
    const ShapePoint& point = shape_.points[i];
    if (point.name.empty()) {
      if (!point.at.allFinite()) complaints_.add(where(i), "finite numbers", "others");
      return;
    }
    std::vector<std::string> names;
    for (const NamedPoint& known : points_) names.push_back(known.name);
    if (std::find(names.begin(), names.end(), point.name) != names.end()) return;
    const std::string near = did_you_mean(point.name, names);
    complaints_.add(where(i), "the name of a point of this body", quoted(point.name),
                    !near.empty()   ? near
                    : names.empty() ? "it has none"
                                    : "it has " + quoted_list(names));
  }

  Vec3 resolved(const ShapePoint& point) const {
    for (const NamedPoint& known : points_)
      if (known.name == point.name) return known.at;
    return point.at;
  }

  void ends() {
    if (shape_.points.size() != 2)
      complaints_.add(path_, "two ends", fmt::format("{}", shape_.points.size()));
    else if (resolved(shape_.points[0]) == resolved(shape_.points[1]))
      complaints_.add(at("to"), "another point than \"from\"", "the same");
  }

  void at_least(size_t count) {
    if (shape_.points.size() < count)
      complaints_.add(at("points"), fmt::format("at least {} points", count),
                      fmt::format("{}", shape_.points.size()));
  }

  std::string path_;
  const Shape& shape_;
  const std::vector<NamedPoint>& points_;
  Complaints& complaints_;
};

}  // namespace

void validate_shapes(const std::string& path,
                     const std::vector<Shape>& shapes,
                     const std::vector<NamedPoint>& points,
                     Complaints& complaints) {
  for (size_t i = 0; i < shapes.size() && !complaints.full(); ++i)
    ShapeCheck(path_below(path, i), shapes[i], points, complaints).all();
}

}  // namespace driftless
