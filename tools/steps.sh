# For ./check and tools/run-full-tests, which source it: steps with logs, and a summary. Wants $logs, a folder.
summary=()
failures=0
mkdir -p "$logs"

count_cpu() { # cpu = user and system time of all that was run so far, in seconds
  times >"$logs/times.txt" # a pipe would run it in another shell, which has run nothing
  cpu=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%.0f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' "$logs/times.txt")
}

# step NAME COMMAND...: runs the command, its output in a log; on failure shows what matters of it.
step() {
  local name=$1 log="$logs/${1// /-}.log" started=$SECONDS cpu before verdict=Passed
  count_cpu
  before=$cpu
  shift
  printf '%-28s ... ' "$name"
  if ! "$@" >"$log" 2>&1; then
    verdict='***Failed'
    failures=$((failures + 1))
  fi
  count_cpu
  summary+=("$(printf '%-28s %-10s %5d s  %5d s CPU' "$name" "$verdict" $((SECONDS - started)) $((cpu - before)))")
  printf '%s  %d s' "$verdict" $((SECONDS - started))
  grep -oE '^[0-9]+% tests passed.*' "$log" | sed 's/^/   /' | tr -d '\n'
  echo
  [ "$verdict" = Passed ] && return 0
  grep -vE '^ +Start +[0-9]+: | +Passed +[0-9.]+ sec$|^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" | tail -n 150
  echo "(all of it: $log)"
  return 1
}
skip() { summary+=("$(printf '%-28s %-10s' "$1" 'Not run')"); }

# conclude WHAT: the summary, printed and kept in $logs/summary.txt; status 1 if a step failed.
conclude() {
  local cpu
  count_cpu
  {
    printf 'Summary (%s, %s)\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" \
      "$(git describe --always --dirty 2>/dev/null || echo 'no commit')"
    printf '  %s\n' "${summary[@]}"
    if [ $failures -gt 0 ]; then
      printf '\n%d steps failed (%d s, %d.%d CPU minutes)\n' $failures $SECONDS $((cpu / 60)) $((cpu % 60 / 6))
    else
      printf '\n%s passed (%d s, %d.%d CPU minutes)\n' "$1" $SECONDS $((cpu / 60)) $((cpu % 60 / 6))
    fi
  } >"$logs/summary.txt"
  echo
  cat "$logs/summary.txt"
  [ $failures -eq 0 ]
}
