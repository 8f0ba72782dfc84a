#include "driftless/io/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(
      fmt::format("{}: cannot be written: {}", path, std::generic_category().message(error)));
}

std::string resolved(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

// Makes what was written durable. Some file systems cannot synchronise directories (EINVAL): nothing is lost then.
int synchronise(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error == EINVAL ? 0 : error;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : target_(resolved(path)) {
  const fs::path target(target_);
  const std::string first =
      (target.parent_path() / fmt::format(".{}.tmp-{}", target.filename().string(), ::getpid())).string();
  // The name may be taken: by a program that died here under the same process number, or by another thread.
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = attempt == 0 ? first : fmt::format("{}-{}", first, attempt);
    const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return;
    }
    if (errno != EEXIST) fail(path, errno);
  }
  fail(path, EEXIST);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit() {
  if (const int error = synchronise(temporary_, O_WRONLY)) fail(target_, error);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, errno);
  committed_ = true;
  const fs::path folder = fs::path(target_).parent_path();
  synchronise(folder.empty() ? "." : folder.string(),
              O_RDONLY | O_DIRECTORY);  // the rename itself; best effort
}

}  // namespace driftless
