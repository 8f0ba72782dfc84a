// Where the records of `run` go: into its result file while it is under way, and into memory if a page is made of them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driftless/io/result_file.hpp"
#include "driftless/results/record_sink.hpp"

namespace driftless {

class RunRecords : public RecordSink {
 public:
  struct Wishes {
    std::optional<std::string> out;  // none: no file
    bool keep = false;               // all records in memory, too
    double checkpoint_every = 0;     // seconds; 0: when it suits
    std::function<void(Results&)>
        complete;  // with what the run itself does not know: names, command, drawing
  };
  explicit RunRecords(Wishes wishes);

  void begin(Results& so_far) override;
  bool add(const Trajectory& block) override;
  bool update(Results& so_far) override;
  bool is_due() override;

  // The end: the file is complete, and `results` have all records if they were to be kept.
  void finish(Results& results);
  // The same where the run was cut off: the file stays NAME.part, on the disk itself, and NAME is left alone.
  void leave(Results& results);

  long records() const { return records_; }
  const std::string& trouble() const { return trouble_; }  // why the file is not; empty: nothing went wrong
  std::string kept() const;  // "; r.h5.part holds the results up to t = 1 s", empty if there is no such file

 private:
  using Clock = std::chrono::steady_clock;

  void take(const Trajectory& block);
  void give_back(Results& results);  // all records, if they were to be kept
  template <class Work>
  bool attempt(Work work);

  Wishes wishes_;
  std::unique_ptr<ResultFile> file_;
  Trajectory all_;  // if it is kept
  long records_ = 0;
  double t_written_ = 0;
  Clock::time_point due_, checkpoint_due_, rest_until_;
  std::string trouble_;
};

}  // namespace driftless
