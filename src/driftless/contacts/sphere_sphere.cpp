// Two spheres that keep outside one another: round_contact.hpp.
#include "driftless/contacts/round_contact.hpp"

namespace driftless {

extern const ContactRecord sphere_sphere_contact;
const ContactRecord sphere_sphere_contact = {
    .element = {"sphere-sphere", "two spheres that keep outside one another", round_contact::fields(),
                Spaces::spatial, round_contact::traits()},
    .spatial = {.frames = round_contact::frames, .expand = round_contact::rows},
    .check = &check_contact,
};

}  // namespace driftless
