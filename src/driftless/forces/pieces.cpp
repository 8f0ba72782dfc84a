#include "driftless/forces/pieces.hpp"

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {

void describe_switches(const Expression& expression, Switch like, std::vector<Switch>& out) {
  constexpr size_t kLongest = 60;
  for (size_t k = 0; k < expression.switch_count(); ++k) {
    Switch one = like;
    one.what = fmt::format("{} of '{}'", expression.switch_text(k), printable(expression.text(), kLongest));
    std::tie(one.first, one.modes) = expression.switch_states(k);
    out.push_back(std::move(one));
  }
}

void Profile::describe(Switch like, std::vector<Switch>& out) const {
  if (expression_ != nullptr) return describe_switches(*expression_, std::move(like), out);
  if (knots_.empty()) return;
  like.what = fmt::format("{} of {} knots of the {}", like.what, knots_.size(), f_.kind());
  like.quiet = true;
  out.push_back(std::move(like));
}

}  // namespace driftless
