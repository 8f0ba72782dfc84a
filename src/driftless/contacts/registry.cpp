#include "driftless/contacts/contact_record.hpp"

namespace driftless {

#define CONTACT(name) extern const ContactRecord name##_contact;
#include "driftless/contacts/contacts.def"
#undef CONTACT

std::span<const ContactRecord* const> contact_records() {
  static const ContactRecord* const records[] = {
#define CONTACT(name) &name##_contact,
#include "driftless/contacts/contacts.def"
#undef CONTACT
  };
  return records;
}

std::vector<FieldSpec> contact_fields(std::vector<FieldSpec> own) {
  own.push_back({"restitution",
                 FieldKind::non_negative,
                 false,
                 FieldValue(0.0),
                 "",
                 "speed after an impact against the speed before",
                 {}});
  own.push_back(impact_field("impact"));
  own.push_back({"friction.coefficient",
                 FieldKind::non_negative,
                 false,
                 {},
                 "",
                 "limit of the force along the contact as a fraction of that across it",
                 {}});
  own.push_back({"friction.static",
                 FieldKind::non_negative,
                 false,
                 {},
                 "",
                 "the same at rest; default: coefficient",
                 {}});
  return own;
}

bool has_friction(const Element& contact) {
  return contact.has("friction.coefficient") &&
         (contact.get<double>("friction.coefficient") > 0 || contact.number("friction.static", 0) > 0);
}

std::vector<Complaint> check_contact(const Element& contact, const Model&) {
  std::vector<Complaint> complaints = check_restitution(contact, "restitution");
  for (Complaint& c : check_friction(contact, "friction.coefficient", "friction.static"))
    complaints.push_back(std::move(c));
  return complaints;
}

template <int D>
void expand_contact(const Element& contact,
                    const ContactRules<D>& rules,
                    const JointFramesOf<D>& frames,
                    Expansion<D>& model) {
  const double period = rules.expand(contact, frames, model);
  UnilateralSpec gap{contact.name, "contact", "", contact.name + ".gap"};
  gap.restitution = contact.number("restitution", 0);
  if (contact.has("impact") && contact.get<std::string>("impact") == "poisson") gap.law = ImpactLaw::poisson;
  model.switched.unilaterals.push_back(gap);
  if (!has_friction(contact)) return;
  FrictionSpec slip{contact.name, "contact", contact.name + (D == 2 ? ".slip" : ".slip_1")};
  if (D == 3) slip.row_2 = contact.name + ".slip_2";
  slip.given = false;
  slip.coefficient = contact.get<double>("friction.coefficient");
  slip.resting_coefficient = contact.number("friction.static", slip.coefficient);
  slip.normal = gap.row;
  slip.period = period;
  model.switched.frictions.push_back(slip);
}
template void expand_contact<2>(const Element&,
                                const ContactRules<2>&,
                                const JointFramesOf<2>&,
                                Expansion<2>&);
template void expand_contact<3>(const Element&,
                                const ContactRules<3>&,
                                const JointFramesOf<3>&,
                                Expansion<3>&);

}  // namespace driftless
