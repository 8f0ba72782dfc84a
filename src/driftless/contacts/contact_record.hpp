// A contact type: what it is called, its fields, and its rows: one for the gap, which is not negative, and, with friction, those
// along which it slips. One file per contact, one line in contacts.def.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/joints/joint_record.hpp"

namespace driftless {

template <int D>
struct ContactRules {
  // Frames on the two bodies: the reaction acts on the second body at the origin of the second, with components along the axes
  // of the first.
  JointFramesOf<D> (*frames)(const Element& contact, const Expansion<D>& model) = nullptr;
  // Rows CONTACT.gap and, if `has_friction`, CONTACT.slip (in space CONTACT.slip_1, CONTACT.slip_2). Gives what the slip is
  // known modulo; 0: it is known.
  double (*expand)(const Element& contact, const JointFramesOf<D>& frames, Expansion<D>& model) = nullptr;
};

struct ContactRecord {
  ElementRecord element;
  ContactRules<2> planar = {};  // no `expand`: not available in models of this kind
  ContactRules<3> spatial = {};
  // What only the contact can see is wrong; `where` is the field. Null: nothing.
  std::vector<Complaint> (*check)(const Element& contact, const Model& model) = nullptr;

  template <int D>
  const ContactRules<D>& rules() const {
    if constexpr (D == 2)
      return planar;
    else
      return spatial;
  }
};

std::span<const ContactRecord* const> contact_records();

// `own` and the fields all contacts have: restitution, impact, friction.
std::vector<FieldSpec> contact_fields(std::vector<FieldSpec> own);
std::vector<Complaint> check_contact(const Element& contact, const Model& model);
bool has_friction(const Element& contact);

// Rows of a contact and what decides of them.
template <int D>
void expand_contact(const Element& contact,
                    const ContactRules<D>& rules,
                    const JointFramesOf<D>& frames,
                    Expansion<D>& model);

}  // namespace driftless
