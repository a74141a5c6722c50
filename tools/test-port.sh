#!/bin/sh
# Other platforms: builds the core library with musl and for aarch64, and runs the conformance vectors with both, the
# vectors as one flat file and the program linked statically. Closes with "N passed, N failed, N skipped".
#   tools/test-port.sh [BUILD] [musl|aarch64]...
# Compilers and emulator: tools/debian-packages-port.txt. What is missing is skipped with a message.
set -u
cd "$(dirname "$0")/.."
build=${1:-build}/port
[ $# -gt 0 ] && shift
vectors=${WEBNN_SHARED:-../shared}/wpt
passed=0 failed=0 skipped=0
mkdir -p "$build"

skip() {
  echo "skipped: $1"
  skipped=$((skipped + 1))
}

# port NAME COMPILER RUNNER CMAKE-ARGUMENT...: RUNNER may be empty.
port() {
  name=$1 compiler=$2 runner=$3
  shift 3
  for tool in $compiler $runner; do
    command -v "$tool" >/dev/null || { skip "$name: $tool is missing"; return; }
  done
  here=$build/$name log=$build/$name.log
  # No C++ is compiled here; the host's compiler satisfies the project's declaration.
  if ! { cmake -S . -B "$here" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER=c++ \
           -DWEBNN_ONNX=OFF -DWEBNN_PACKS=OFF -DWEBNN_TOOLS=OFF -DWEBNN_TESTS=OFF "$@" &&
         cmake --build "$here" --parallel "$(nproc)" --target webnn &&
         $compiler -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wshadow -Werror -Iinclude -static tests/port/*.c \
           "$here/libwebnn.a" -lm -lpthread -o "$here/flat"; } >"$log" 2>&1; then
    tail -n 30 "$log"
    echo "failed: $name: the build; see $log"
    failed=$((failed + 1))
    return
  fi
  # shellcheck disable=SC2086
  $runner "$here/flat" "$build/vectors.bin" >"$log" 2>&1 || grep -E '^failed|^no ' "$log" | head -n 40
  last=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ -z "$last" ]; then
    tail -n 5 "$log"
    last='0 passed, 1 failed, 0 skipped'
  fi
  echo "$name: $last"
  # shellcheck disable=SC2086
  set -- $last
  passed=$((passed + $1)) failed=$((failed + $3))
}

if [ ! -d "$vectors" ]; then
  skip '../shared is missing'
elif ! node tests/port/flatten.mjs "$vectors" "$build/vectors.bin"; then
  echo 'failed: the vectors cannot be turned into a flat file'
  failed=$((failed + 1))
else
  for one in ${*:-musl aarch64}; do
    case $one in
    musl) port musl musl-gcc '' ;;
    aarch64) port aarch64 aarch64-linux-gnu-gcc qemu-aarch64-static -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 ;;
    *) echo "failed: no port $one"; failed=$((failed + 1)) ;;
    esac
  done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
