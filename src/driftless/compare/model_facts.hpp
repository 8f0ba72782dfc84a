// What advise() looks at before it tries methods.
#pragma once

#include "driftless/compare/advise.hpp"

namespace driftless {

ModelFacts find_facts(const AdviseRequest& request);

}  // namespace driftless
