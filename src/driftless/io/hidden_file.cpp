#include "driftless/io/hidden_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::string path_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;
  if (::access(path_of(descriptor).c_str(), F_OK) == 0)
    return descriptor;  // without /proc it can get no name
  ::close(descriptor);
#endif
  return -1;
}

// What is there now may have been made private, or writable by a group: that is kept.
void adopt_mode(int descriptor, const struct stat& old) {
  struct stat now {};
  if (::fstat(descriptor, &now) != 0) return;
  if (now.st_uid != old.st_uid || now.st_gid != old.st_gid)
    if (::fchown(descriptor, old.st_uid, old.st_gid) != 0 && now.st_gid != old.st_gid)
      static_cast<void>(::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0);
  static_cast<void>(::fchmod(descriptor, old.st_mode & 0777) == 0);
}

}  // namespace

std::string link_target(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system counts them; opening a ring of links tells what is wrong
  std::error_code missing, unreadable;
  fs::path target(path);
  for (int i = 0; i < kMostLinks && !unreadable && fs::is_symlink(target, missing); ++i)
    target = target.parent_path() / fs::read_symlink(target, unreadable);
  return unreadable ? path : target.string();
}

HiddenFile::HiddenFile(std::string shown, const std::string& target) : shown_(std::move(shown)) {
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  descriptor_ = open_nameless(folder_of(target));
  // The name may be taken: by a program that died here under the same process number, or by another thread.
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = free_name(target);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == 100)) fail(errno);
  }
  if (exists) adopt_mode(descriptor_, old);
}

HiddenFile::~HiddenFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(descriptor_);
}

std::string HiddenFile::free_name(const std::string& target) const {
  const fs::path path(target);
  const std::string first =
      (path.parent_path() / fmt::format(".{}.tmp-{}", path.filename().string(), ::getpid())).string();
  std::string name = first;
  for (int i = 1; ::access(name.c_str(), F_OK) == 0; ++i) name = fmt::format("{}-{}", first, i);
  return name;
}

void HiddenFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

std::string HiddenFile::read_at(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : EIO);
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

void HiddenFile::set_size(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
}

void HiddenFile::synchronise() {
  // Some file systems cannot (EINVAL): nothing is lost then.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
}

void HiddenFile::appear_as(const std::string& name) {
  if (temporary_.empty()) {
    const std::string self = path_of(descriptor_);
    const auto link = [&](const std::string& as) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, as.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link(name)) return;
    if (errno != EEXIST) fail(errno);
    const std::string between = free_name(name);  // a link replaces nothing, a rename does
    if (!link(between)) fail(errno);
    temporary_ = between;
  }
  if (std::rename(temporary_.c_str(), name.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void HiddenFile::fail(int error) const {
  throw std::runtime_error(
      fmt::format("{}: cannot be written: {}", shown_, std::generic_category().message(error)));
}

void synchronise_folder_of(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace driftless
