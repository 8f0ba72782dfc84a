// The sub-commands: what the command line gave, as text, in; exit status out (0 ok, 1 the simulation failed, 2 bad
// input). InputErrors and other exceptions are turned into messages by main.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace driftless {
struct Advice;
struct RunSettings;
}  // namespace driftless

namespace driftless::cli {

enum ExitStatus { kOk = 0, kFailed = 1, kBadInput = 2 };

struct RunArguments {
  std::string target;                                          // model or problem
  std::map<std::string, std::optional<std::string>> settings;  // by the names of model/setting_table.hpp
  std::optional<std::string> method;                           // "auto", or in one word
  std::vector<std::string> options;                            // "name=value"
  std::vector<std::string> set;                                // parameters and inputs, "name=value"
  std::optional<std::string> from, out, checkpoint_every, report, png;
  bool record_scheme = false, json = false, quiet = false;
};

struct ViewArguments {
  std::vector<std::string> files;  // *.h5, at least one
  std::optional<std::string> out, png, at, frames;
  std::optional<int> frame_count;
  bool json = false, quiet = false;
};

struct CompareArguments {
  std::string target;
  std::optional<std::string> methods, rtol, step;  // lists
  std::optional<std::string> t_end, coordinates, csv, report, png;
  std::optional<int> jobs;
  std::optional<double> time_limit;  // s of each case
  std::vector<std::string> options;  // of the problem or the coordinate set, "name=value"
  std::vector<std::string> set;      // parameters, "name=value"
  bool json = false;
};

struct AdviseArguments {
  std::string target;
  std::optional<std::string> t_end, coordinates;
  std::optional<double> error;       // at the end
  std::vector<std::string> options;  // of the problem or the coordinate set, "name=value"
  std::vector<std::string> set;      // parameters, "name=value"
  bool json = false;
};

struct SweepArguments {
  std::vector<std::string> targets;   // a model; or "merge" and files
  std::vector<std::string> set;       // "k=500:5000:20"
  std::vector<std::string> measures;  // "max(strut)"
  std::optional<std::string> random, seed, jobs, shard, shards, slurm, out, report;
  RunArguments run;  // settings of every run
  bool json = false, quiet = false;
};

struct CheckArguments {
  std::string target;
  std::optional<std::string> coordinates;
  std::vector<std::string> options;  // "name=value"
  std::vector<std::string> set;      // parameters, "name=value"
  bool json = false;
};

struct ReproduceArguments {
  std::vector<std::string> tables;  // none: all
  std::optional<std::string> report, markdown;
  std::optional<int> jobs;
  bool list = false, json = false;
};

struct ListArguments {
  bool json = false;
  bool markdown = false;  // the page of the documents
};

int run(const RunArguments& arguments);
int view(const ViewArguments& arguments);
int compare(const CompareArguments& arguments);
int advise(const AdviseArguments& arguments);
Advice advice_for(const AdviseArguments& arguments, const RunSettings& settings);  // with a line of progress
std::string advice_options(const Advice& advice);  // " --formulation lagrange …"
int sweep(const SweepArguments& arguments);
int check(const CheckArguments& arguments);
int methods(const ListArguments& arguments);
int problems(const ListArguments& arguments);
int reproduce(const ReproduceArguments& arguments);

}  // namespace driftless::cli
