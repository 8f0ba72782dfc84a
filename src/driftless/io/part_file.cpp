#include "driftless/io/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless {
namespace {

// A lock of the open file: HDF5 looks for another kind when it opens one, so reading goes on.
[[maybe_unused]] struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

std::string part_name(const std::string& path) { return link_target(path) + ".part"; }

bool is_being_written(const std::string& path) {
#ifdef F_OFD_GETLK
  const int descriptor = ::open(part_name(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = whole_file();
  const bool locked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  return locked;
#else
  static_cast<void>(path);
  return false;
#endif
}

PartFile::PartFile(const std::string& path)
    : target_(link_target(path)), name_(part_name(path)), file_(path, target_) {
  struct stat there {};
  if (::lstat(name_.c_str(), &there) != 0 && errno != ENOENT)
    file_.fail(errno);  // the longer name must do, too
}

void PartFile::show() {
#ifdef F_OFD_SETLK
  const struct flock lock = whole_file();
  static_cast<void>(::fcntl(file_.descriptor(), F_OFD_SETLK, &lock));  // some file systems know none
#endif
  file_.appear_as(name_);
  shown_ = true;
}

bool PartFile::is_still_there() const {
  struct stat mine {
  }, there{};
  return ::fstat(file_.descriptor(), &mine) == 0 && ::lstat(name_.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

void PartFile::finish() {
  file_.synchronise();
  if (!shown_) {
    file_.appear_as(target_);
    remove_old();
  } else {
    if (!is_still_there())
      throw std::runtime_error(fmt::format("{}: another program has removed or replaced it", name_));
    if (std::rename(name_.c_str(), target_.c_str()) != 0) file_.fail(errno);
  }
  synchronise_folder_of(target_);
}

void PartFile::remove() {
  if (!shown_)
    remove_old();
  else if (is_still_there())
    ::unlink(name_.c_str());
}

// What an earlier run left that was killed: there is a complete file now.
void PartFile::remove_old() const {
  struct stat there {};
  if (::lstat(name_.c_str(), &there) == 0 && S_ISREG(there.st_mode)) ::unlink(name_.c_str());
}

}  // namespace driftless
