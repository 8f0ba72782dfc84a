// Two spheres that keep outside one another: round_contact.hpp.
#include "driftless/contacts/round_contact.hpp"

namespace driftless {

extern const ContactRecord sphere_sphere_contact;
const ContactRecord sphere_sphere_contact = {
    .element = {"sphere-sphere", "two spheres that keep outside one another; without friction",
                round_contact::fields(), Spaces::spatial},
    .spatial = {.frames = round_contact::frames, .expand = round_contact::rows},
    .check = &check_contact,
};

}  // namespace driftless
