// No stabilisation: the drift of the formulation and the integrator shows as it is.
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

extern const StabilizationRecord none_stabilization;
const StabilizationRecord none_stabilization = {
    .method = {"none",
               "leave the step as it is: drift accumulates unless the formulation holds the constraints",
               "Chin 1995, section 2.2",
               {}},
    .make = [](const DescriptorSystem&,
               const Options&,
               std::unique_ptr<MotionSolver>) -> std::unique_ptr<Stabilization> { return nullptr; },
};

}  // namespace driftless
