// The program, run again and again from one warm process: for tools/fuzz with sanitizers, where starting takes longer than most
// runs. Every run is a child of its own, so that nothing of one is left for the next.
// Requests come on stdin: words that end in a zero byte, their number first: "N", folder, seconds, N − 2 arguments. The answers,
// a line each on stdout: "exit STATUS" or "signal NUMBER"; what the run said is in FOLDER/stdout and FOLDER/stderr.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "driftless/cli/program.hpp"

namespace {

void redirect(const char* path, int to, int how) {
  const int file = open(path, how, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(125);
  close(file);
}

[[noreturn]] void run(const std::vector<std::string>& words) {
  if (chdir(words[0].c_str()) != 0) _exit(125);
  redirect("/dev/null", STDIN_FILENO, O_RDONLY);
  redirect("stdout", STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  redirect("stderr", STDERR_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  std::string name = "driftless";
  std::vector<std::string> kept(words.begin() + 2, words.end());
  std::vector<char*> arguments = {name.data()};
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  alarm(static_cast<unsigned>(std::atoi(words[1].c_str())));  // ends the run by SIGALRM
  const int status = driftless::cli::program(static_cast<int>(arguments.size()) - 1, arguments.data());
  std::cout.flush();
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

int main() {
  std::string count;
  while (std::getline(std::cin, count, '\0')) {
    std::vector<std::string> words(static_cast<size_t>(std::atoi(count.c_str())));
    for (std::string& word : words) std::getline(std::cin, word, '\0');
    if (!std::cin || words.size() < 2) return 2;
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) run(words);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status))
      std::printf("signal %d\n", WTERMSIG(status));
    else
      std::printf("exit %d\n", WEXITSTATUS(status));
    std::fflush(stdout);
  }
  return 0;
}
