#!/bin/sh
# Builds the fuzz targets with clang, address and undefined-behaviour sanitizers, and runs each for a while.
#   tools/fuzz.sh [SECONDS]      corpora grow in build/fuzz/corpus; findings stop the run
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
generator=
command -v ninja >/dev/null && generator='-G Ninja'
# shellcheck disable=SC2086
cmake -S . -B build/fuzz $generator -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DWEBNN_FUZZ=ON -DWEBNN_TOOLS=OFF -DWEBNN_SANITIZE=address,undefined -DCMAKE_C_FLAGS=-fsanitize=fuzzer-no-link >/dev/null
cmake --build build/fuzz -j "$(nproc)"
passed=0
for target in build/fuzz/tests/fuzz/fuzz_*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  corpus=build/fuzz/corpus/$(basename "$target")
  mkdir -p "$corpus"
  seeds=tests/fuzz/seeds/$(basename "$target")
  [ -d "$seeds" ] || seeds=
  # shellcheck disable=SC2086
  "$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -max_len=8192 -artifact_prefix=build/fuzz/ "$corpus" $seeds
  passed=$((passed + 1))
done
echo "$passed passed, 0 failed, 0 skipped"
