// All kinds of compiled force elements, one line each: what systems evaluate, one batch a kind. Output channels number
// forces by this order.
#pragma once

#include <tuple>
#include <vector>

#include "driftless/forces/follower_force.hpp"
#include "driftless/forces/point_force.hpp"
#include "driftless/forces/springs/bending.hpp"
#include "driftless/forces/springs/bushing.hpp"
#include "driftless/forces/springs/rsda.hpp"
#include "driftless/forces/springs/truss.hpp"
#include "driftless/forces/springs/tsda.hpp"
#include "driftless/forces/torque.hpp"
#include "driftless/forces/tyre.hpp"

namespace driftless {

template <int D>
using Forces = std::tuple<std::vector<Tsda<D>>,
                          std::vector<Rsda<D>>,
                          std::vector<PointForce<D>>,
                          std::vector<FollowerForce<D>>,
                          std::vector<Torque<D>>,
                          std::vector<Bushing<D>>,
                          std::vector<Tyre<D>>,
                          std::vector<Truss<D>>,
                          std::vector<BendingSpring<D>>>;

template <class Kind, class List>
void add_force(const Kind& element, List& forces) {
  std::get<std::vector<Kind>>(forces).push_back(element);
}

}  // namespace driftless
