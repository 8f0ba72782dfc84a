// Which member of the results stands where in a file: what writer and reader of HDF5 share. For src/driftless/io only.
#pragma once

#include "driftless/results/trajectory.hpp"

namespace driftless::hdf5_layout {

inline constexpr const char* kFormat = "driftless-results";
inline constexpr long kFormatVersion = 1;
inline constexpr const char* kOptionPrefix = "option.";
inline constexpr const char* kReactionComponents =
    "fx,fy,fz,tx,ty,tz,fx_joint,fy_joint,fz_joint,tx_joint,ty_joint,tz_joint";
inline constexpr const char* kPoseComponents = "x,y,z,qw,qx,qy,qz";
inline constexpr const char* kReactionUnits = "N,N,N,N m,N m,N m,N,N,N,N m,N m,N m";

template <class Trajectory_, class Visit>
void for_each_table(Trajectory_& trajectory, Visit visit) {
  visit("q", trajectory.q);
  visit("v", trajectory.v);
  visit("vdot", trajectory.vdot);
  visit("lambda", trajectory.lambda);
  visit("quantities", trajectory.quantities);
  visit("energy", trajectory.energy);
  visit("drift", trajectory.drift);
  if (trajectory.modes.columns() > 0) visit("modes", trajectory.modes);  // of systems that switch
}

template <class Provenance_, class Visit>
void for_each_text(Provenance_& provenance, Visit visit) {
  visit("problem", provenance.problem);
  visit("source", provenance.source);
  visit("coordinates", provenance.coordinates);
  visit("formulation", provenance.formulation);
  visit("integrator", provenance.integrator);
  visit("stabilization", provenance.stabilization);
  visit("command", provenance.command);
}

template <class Results_, class Visit>
void for_each_figure(Results_& results, Visit visit) {
  for_each_statistic(results.statistics, [&](const char* name, auto& value) {
    visit((std::string("statistics.") + name).c_str(), value);
  });
  visit("drift.position_max", results.drift.position_max);
  visit("drift.velocity_max", results.drift.velocity_max);
  visit("drift.position_row", results.drift.position_row);
  visit("drift.velocity_row", results.drift.velocity_row);
}

template <class Energy, class Visit>
void for_each_energy(Energy& energy, Visit visit) {
  visit("energy.initial", energy.initial);
  visit("energy.final", energy.final);
  visit("energy.work", energy.work);
  visit("energy.max_relative_error", energy.max_relative_error);
}

}  // namespace driftless::hdf5_layout
