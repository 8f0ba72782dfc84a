#include "driftless/io/model/function_json.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

namespace tf = time_function;  // not all its names: files are compiled together

std::string expected_function(const std::string& variable) {
  return fmt::format("a function of {}: a number, an expression in {}, or an object with \"type\"",
                     variable == "t" ? "time" : variable, variable);
}

// The keys of one object form, read into a function; `good` falls when something is missing or wrong.
class FormReader {
 public:
  FormReader(const JsonReader& reader, const FunctionForm& form) : reader_(reader) {
    std::vector<std::string> known = {"type"};
    for (const auto& key : form.keys) known.push_back(key.name);
    reader_.only(known, fmt::format("a function of type '{}'", form.type));
    for (const auto& key : form.keys)
      if (key.required && !reader_.required(key.name, key.help)) good_ = false;
  }

  bool good() const { return good_; }

  double number(std::string_view key) {
    return take(key, 0.0, [](const JsonReader& r) { return r.number(); });
  }

  std::string text(std::string_view key) {
    return take(key, std::string(), [](const JsonReader& r) { return r.text("an expression in t"); });
  }

  std::vector<double> numbers(std::string_view key) {
    return take(key, std::vector<double>(), [](const JsonReader& r) -> std::optional<std::vector<double>> {
      std::vector<double> out;
      const auto list = r.elements("a list of numbers");
      for (const auto& entry : list)
        if (const auto number = entry.number()) out.push_back(*number);
      if (r.value().array() == nullptr || out.size() != list.size()) return {};
      return out;
    });
  }

  tf::Table table() {
    tf::Table out;
    const auto points =
        take("points", Points(), [](const JsonReader& r) { return r.pairs("a list of pairs [t, y]"); });
    for (const auto& [t, y] : points) {
      out.times.push_back(t);
      out.values.push_back(y);
    }
    out.interpolation = take("interpolation", tf::Interpolation::linear, read_interpolation);
    return out;
  }

 private:
  using Points = std::vector<std::pair<double, double>>;

  static std::optional<tf::Interpolation> read_interpolation(const JsonReader& reader) {
    const std::string* word = reader.value().string();
    if (word != nullptr && *word == "linear") return tf::Interpolation::linear;
    if (word != nullptr && *word == "cubic") return tf::Interpolation::cubic;
    reader.complain("'linear' or 'cubic'");
    return {};
  }

  template <class T, class Read>
  T take(std::string_view key, T fallback, Read read) {
    const auto member = reader_.member(key);
    if (!member) return fallback;
    const std::optional<T> value = read(*member);
    if (!value) good_ = false;
    return value.value_or(fallback);
  }

  const JsonReader& reader_;
  bool good_ = true;
};

TimeFunction::Variant read_form(FormReader& form, const std::string& type) {
  if (type == "constant") return tf::Constant{form.number("value")};
  if (type == "polynomial") return tf::Polynomial{form.numbers("coefficients")};
  if (type == "harmonic")
    return tf::Harmonic{form.number("amplitude"), form.number("frequency"), form.number("phase"),
                        form.number("offset")};
  if (type == "table") return form.table();
  if (type == "step")
    return tf::Step{form.number("time"), form.number("before"), form.number("after"),
                    form.number("duration")};
  if (type == "ramp")
    return tf::Ramp{form.number("start"), form.number("end_time"), form.number("from"), form.number("to")};
  if (type == "pulse")
    return tf::Pulse{form.number("start"), form.number("duration"), form.number("height"),
                     form.number("rise")};
  return tf::ExpressionText{form.text("text"), "t"};
}

// "duration = -1: must be finite and >= 0" is about the key "duration"; a table's times and values are its
// points.
void complain_of(const JsonReader& reader, const std::string& message) {
  const auto equals = message.find(" = "), must = message.find(": must be ");
  if (equals == std::string::npos || must == std::string::npos || equals > must)
    return reader.complain("a sound function of time", message);
  std::string key = message.substr(0, equals);
  for (const std::string part : {"times", "values"})
    if (key.compare(0, part.size(), part) == 0) key = "points" + key.substr(part.size());
  const std::string found = message.substr(equals + 3, must - equals - 3), rule = message.substr(must + 10);
  const bool counts = found.find("entries") != std::string::npos;
  reader.complaints().add(reader.path() + "." + key, counts ? rule + " entries" : "a value " + rule, found);
}

std::optional<TimeFunction> make(const JsonReader& reader, TimeFunction::Variant data) {
  try {
    return TimeFunction(std::move(data));
  } catch (const std::invalid_argument& error) {
    complain_of(reader, error.what());
    return {};
  }
}

// Not through make(): the message says where in the text the trouble is. A law of parameters alone is a constant.
std::optional<TimeFunction> make_expression(const JsonReader& reader,
                                            const std::string& text,
                                            const std::string& variable,
                                            Signals signals) {
  const auto law = reader.law({variable}, "an expression in " + variable);
  if (!law) return {};
  try {
    std::vector<std::string> read;
    if (signals == Signals::allowed) read = signals_in(*law, std::vector{variable});
    const TimeFunction function(tf::ExpressionText{*law, variable, std::move(read)});
    if (*law != text && function.is_constant()) return TimeFunction(function(0));
    return function;
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    const auto column = message.find("': ");
    reader.complaints().add(reader.path(), "an expression in " + variable, driftless::quoted(text),
                            column == std::string::npos ? message : message.substr(column + 3));
    return {};
  }
}

// An object of the numbers that are not 0 or must be there.
JsonValue write_numbers(const FunctionForm& form, std::initializer_list<double> values) {
  JsonValue::Object out = {{"type", form.type}};
  auto key = form.keys.begin();
  for (const double value : values) {
    if (key->required || value != 0) out.push_back({key->name, value});
    ++key;
  }
  return out;
}

const FunctionForm& form_of(const std::string& type) {
  const auto& forms = function_forms();
  return *std::find_if(forms.begin(), forms.end(),
                       [&](const FunctionForm& form) { return form.type == type; });
}

}  // namespace

const std::vector<FunctionForm>& function_forms() {
  using enum FunctionKeyKind;
  static const std::vector<FunctionForm> forms = {
      {"constant", "The same value at all times.", {{"value", number, true, "the value"}}},
      {"polynomial",
       "c0 + c1 t + c2 t² + …",
       {{"coefficients", numbers, true, "the coefficients [c0, c1, …], at least one"}}},
      {"harmonic",
       "offset + amplitude sin(frequency t + phase)",
       {{"amplitude", number, true, "the amplitude"},
        {"frequency", number, true, "the angular frequency, rad/s"},
        {"phase", number, false, "the phase, rad"},
        {"offset", number, false, "the mean value"}}},
      {"table",
       "Interpolated between points, constant outside them.",
       {{"points", pairs, true, "pairs [t, y], t increasing, at least two"},
        {"interpolation", interpolation, false, "linear (default), or cubic: the natural spline"}}},
      {"step",
       "From one value to another, in a jump or a smooth rise.",
       {{"time", number, true, "when it starts, s"},
        {"before", number, false, "the value before"},
        {"after", number, true, "the value after"},
        {"duration", number, false, "how long the rise takes, s; 0: a jump"}}},
      {"ramp",
       "Linear between two instants, constant outside them.",
       {{"start", number, true, "when it starts, s"},
        {"end_time", number, true, "when it ends, s"},
        {"from", number, false, "the value before"},
        {"to", number, true, "the value after"}}},
      {"pulse",
       "A height for some time, 0 before and after.",
       {{"start", number, true, "when it starts, s"},
        {"duration", number, true, "how long it lasts, flanks included, s"},
        {"height", number, true, "the height"},
        {"rise", number, false, "how long each flank takes, s; 0: rectangular"}}},
      {"expression",
       "An arithmetic expression in t.",
       {{"text", text, true, "the expression, such as \"2*pi*t\""}}}};
  return forms;
}

std::optional<TimeFunction> read_function(const JsonReader& reader,
                                          const std::string& variable,
                                          Signals signals) {
  if (const double* number = reader.value().number()) return make(reader, tf::Constant{*number});
  if (const std::string* text = reader.value().string())
    return make_expression(reader, *text, variable, signals);
  if (!reader.is_object(expected_function(variable))) return {};
  const auto type = reader.required("type", "a type of function: " + quoted_list(TimeFunction::kinds()));
  if (!type) return {};
  const auto word = type->text("a type of function");
  if (!word) return {};
  const auto& forms = function_forms();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const FunctionForm& f) { return f.type == *word; });
  if (form == forms.end()) {
    const auto kinds = TimeFunction::kinds();
    type->complain("a type of function: " + quoted_list(kinds), did_you_mean(*word, kinds));
    return {};
  }
  FormReader keys(reader, *form);
  const TimeFunction::Variant data = read_form(keys, *word);
  if (!keys.good()) return {};
  if (const auto* expression = std::get_if<tf::ExpressionText>(&data))
    return make_expression(*reader.member("text"), expression->text, variable, signals);
  return make(reader, data);
}

JsonValue write_function(const TimeFunction& function) {
  struct Writer {
    JsonValue operator()(const tf::Constant& f) const { return f.value; }
    JsonValue operator()(const tf::ExpressionText& f) const { return f.text; }
    JsonValue operator()(const tf::Polynomial& f) const {
      JsonValue::Array coefficients(f.coefficients.begin(), f.coefficients.end());
      return JsonValue::Object{{"type", "polynomial"}, {"coefficients", std::move(coefficients)}};
    }
    JsonValue operator()(const tf::Table& f) const {
      JsonValue::Array points;
      for (std::size_t i = 0; i < f.times.size(); ++i)
        points.push_back(JsonValue::Array{f.times[i], f.values[i]});
      JsonValue::Object out = {{"type", "table"}, {"points", std::move(points)}};
      if (f.interpolation == tf::Interpolation::cubic) out.push_back({"interpolation", "cubic"});
      return out;
    }
    JsonValue operator()(const tf::Harmonic& f) const {
      return write_numbers(form_of("harmonic"), {f.amplitude, f.frequency, f.phase, f.offset});
    }
    JsonValue operator()(const tf::Step& f) const {
      return write_numbers(form_of("step"), {f.time, f.before, f.after, f.duration});
    }
    JsonValue operator()(const tf::Ramp& f) const {
      return write_numbers(form_of("ramp"), {f.start, f.end_time, f.from, f.to});
    }
    JsonValue operator()(const tf::Pulse& f) const {
      return write_numbers(form_of("pulse"), {f.start, f.duration, f.height, f.rise});
    }
  };
  return std::visit(Writer(), function.data());
}

}  // namespace driftless
