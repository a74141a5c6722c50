#!/bin/sh
# Runs the test suites of a build folder and closes with "N passed, N failed, N skipped".
#   tools/test.sh BUILD short   the release build
#   tools/test.sh BUILD full    also Node.js, the sanitizer builds, clang
set -u
cd "$(dirname "$0")/.."
build=$1
kind=${2:-short}
jobs=$(nproc)
passed=0 failed=0 skipped=0
logs=$build/logs
mkdir -p "$logs"

# suite NAME COMMAND...: counts come from the last line of the form "N passed, N failed[, N skipped]", or from the
# closing lines of node's test runner; a command that fails without counting a failure counts as one.
suite() {
  name=$1
  shift
  start=$(date +%s)
  "$@" >"$logs/$name.log" 2>&1
  status=$?
  counts=$(awk '
    { sub(/^[0-9]+: /, "") } # ctest -V
    /^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3; s = NF >= 6 ? $5 : 0; seen = 1 }
    /^(#|ℹ) pass [0-9]+$/ { p = $NF; seen = 1 }
    /^(#|ℹ) fail [0-9]+$/ { f = $NF }
    /^(#|ℹ) (skipped|todo) [0-9]+$/ { s += $NF }
    END { print p + 0, f + 0, s + 0, seen + 0 }' "$logs/$name.log")
  # shellcheck disable=SC2086
  set -- $counts
  p=$1 f=$2 s=$3
  if [ "$4" = 0 ]; then
    # No counts: the command is one test.
    if [ $status = 0 ]; then p=1; else f=1; fi
  elif [ $status != 0 ] && [ "$f" = 0 ]; then
    f=1
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  printf '%-28s %6d passed %4d failed %4d skipped  %4d s\n' "$name" "$p" "$f" "$s" $(($(date +%s) - start))
  if [ "$f" != 0 ]; then tail -n 40 "$logs/$name.log" | sed 's/^/    /'; fi
}

# build_into FOLDER CMAKE-OPTIONS...
build_into() {
  folder=$1
  shift
  generator=
  [ -e "$folder/CMakeCache.txt" ] || { command -v ninja >/dev/null && generator='-G Ninja'; }
  # shellcheck disable=SC2086
  cmake -S . -B "$folder" $generator "$@" && cmake --build "$folder" -j "$jobs"
}

# Every program that tests/CMakeLists.txt registers, one suite each; the third argument is a pattern of names.
programs() {
  folder=$1 prefix=$2
  ctest --test-dir "$folder" -N -R "^(${3:-.*})\$" | sed -n 's/^ *Test *#[0-9]*: //p' >"$logs/$prefix-list"
  while read -r test; do
    suite "$prefix-$test" ctest --test-dir "$folder" -R "^$test\$" -V --output-on-failure </dev/null
  done <"$logs/$prefix-list"
}

if [ "$kind" = full ]; then
  # Kernel packs run on WebGPU too where the library and the software driver can be had.
  if gpu=$(sh tests/packs/setup.sh 2>"$logs/webgpu.log"); then eval "$gpu"
  else echo "skipped: no WebGPU, see $logs/webgpu.log"; fi
fi
programs "$build" release

if [ "$kind" = full ]; then
  suite node npm test --silent
  unset WEBNN_WEBGPU_LIB # once is enough, instrumented builds would take minutes
  suite node-versions node tests/node/versions.mjs 18 22 24 -- idl vectors objects examples lifetime

  suite build-asan build_into "$build/asan" -DCMAKE_BUILD_TYPE=Debug -DWEBNN_SANITIZE=address,undefined
  export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
  # Whole networks by plain loops would take minutes here; the vectors run those.
  export WEBNN_GOLDEN_FAST=1
  programs "$build/asan" asan
  # The addon within Node.js, whose own allocations are none of ours; a few vectors of each operation.
  suite build-node-asan cmake --build "$build/asan" -j "$jobs" --target webnn_node
  suite node-asan env ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 WEBNN_NODE_ADDON="$PWD/$build/asan/node/webnn.node" \
    WEBNN_VECTORS='-001$' LD_PRELOAD="$(cc -print-file-name=libasan.so):$(cc -print-file-name=libubsan.so)" \
    node tests/node/run.mjs idl objects examples kernels lifetime vectors
  suite build-tsan build_into "$build/tsan" -DCMAKE_BUILD_TYPE=Debug -DWEBNN_SANITIZE=thread
  unset WEBNN_GOLDEN_FAST
  export DIFF_COUNT=300
  programs "$build/tsan" tsan "pool|recurrent|quantized|saved|objects|timeline|threads|memory|graphs|schedule|concat|diff|cases"
  unset DIFF_COUNT

  suite build-clang build_into "$build/clang" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
  programs "$build/clang" clang
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
