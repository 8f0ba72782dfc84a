// Two circles that keep outside one another: round_contact.hpp.
#include "driftless/contacts/round_contact.hpp"

namespace driftless {

extern const ContactRecord circle_circle_contact;
const ContactRecord circle_circle_contact = {
    .element = {"circle-circle", "two circles that keep outside one another", round_contact::fields(),
                Spaces::planar, round_contact::traits()},
    .planar = {.frames = round_contact::frames, .expand = round_contact::rows},
    .check = &check_contact,
};

}  // namespace driftless
