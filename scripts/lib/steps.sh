# The steps of a test run and their counts. Sourced after common.sh. Each step writes its output to
# build/test/<name>.log; only failures are shown. A suite also writes JUnit XML, from which each
# test case is counted. A suite that stops early or runs nothing counts as one failure.

results=$root/build/test
passed=0
failed=0
skipped=0

begin_steps() {
  rm -rf "$results"
  mkdir -p "$results"
}

# run_logged NAME COMMAND...
run_logged() {
  local name=$1 start=$SECONDS code=0
  shift
  printf '%-28s' "$name"
  # A subshell with its own errexit: `set -e` is ignored inside a condition.
  set +e
  (set -e; "$@") >"$results/$name.log" 2>&1 </dev/null
  code=$?
  set -e
  [ $code = 0 ] && printf 'ok' || printf 'FAILED (exit code %d)' $code
  printf '  %d s' $((SECONDS - start))
  return $code
}

show_log() {
  printf '\n---- last lines of build/test/%s.log\n' "$1"
  tail -n 60 "$results/$1.log" | cut -c 1-300
  echo ----
}

# build NAME COMMAND...: counts only as a failure; its return value says whether to go on.
build() {
  if run_logged "$@"; then
    echo
  else
    failed=$((failed + 1))
    show_log "$1"
    return 1
  fi
}

# check NAME COMMAND...: a step that is one test.
check() {
  if build "$@"; then
    passed=$((passed + 1))
  fi
}

# suite NAME COMMAND...: a step whose cases are counted from build/test/NAME.xml.
suite() {
  local name=$1 code=0 counts
  run_logged "$@" || code=$?
  if [ $code = 77 ]; then
    tail -n 1 "$results/$name.log"
    skipped=$((skipped + 1))
    return
  fi
  counts=$(count_cases "$results/$name.xml")
  # shellcheck disable=SC2086
  set -- $counts
  if [ $(($1 + $2 + $3)) = 0 ] || { [ $code != 0 ] && [ "$2" = 0 ]; }; then
    set -- "$1" $(($2 + 1)) "$3"
    code=1
  fi
  printf '  %d passed, %d failed, %d skipped\n' "$1" "$2" "$3"
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
  [ $code = 0 ] && [ "$2" = 0 ] || show_log "$name"
}

# count_cases FILE: "passed failed skipped" of a JUnit file of GoogleTest or vitest.
count_cases() {
  [ -f "$1" ] || { echo 0 0 0; return; }
  awk '
    function close_case() {
      if (open) { if (bad) failed++; else if (skip) skipped++; else passed++ }
      open = 0
    }
    /^ *<testcase / { close_case(); open = 1; bad = 0; skip = /status="notrun"/ }
    /^ *<(failure|error)[ >]/ { bad = 1 }
    /^ *<skipped/ { skip = 1 }
    END { close_case(); print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# end_steps: the closing line, and the exit code of the command.
end_steps() {
  local line="$passed passed, $failed failed"
  [ $skipped = 0 ] || line="$line, $skipped skipped"
  printf '\n%s\n' "$line"
  [ $failed = 0 ] && [ $passed != 0 ]
}
