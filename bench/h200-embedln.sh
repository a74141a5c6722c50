#!/bin/sh
# EmbedLayerNormalization on a GPU, against the GPU's own copy rate and PyTorch's eager composition in the same run.
#   bench/h200-embedln.sh prepare [build folder]   here: gathers what the GPU machine needs into build/h200
#   bench/h200-embedln.sh run                      there, with build/h200 carried along
# The program is the webnn command; the WebGPU library and the Vulkan loader travel with it.
set -eu
cd "$(dirname "$0")/.."
place=build/h200
case ${1:-} in
prepare)
  binary=${2:-build}/webnn
  [ -x "$binary" ] || { echo "$binary is not built: cmake --build ${2:-build} --target webnn_command" >&2; exit 1; }
  library=${WEBNN_WEBGPU_LIB:-}
  for try in "$library" node_modules/bun-webgpu-linux-x64/libwebgpu_wrapper.so build/webgpu/node_modules/bun-webgpu-linux-x64/libwebgpu_wrapper.so; do
    [ -n "$try" ] && [ -e "$try" ] && { library=$try; break; }
  done
  [ -e "$library" ] || { echo "no WebGPU library: run tests/packs/setup.sh or set WEBNN_WEBGPU_LIB" >&2; exit 1; }
  loader=$(ldconfig -p | sed -n 's/.*libvulkan\.so\.1 .*=> //p' | head -1)
  [ -n "$loader" ] || { echo "no Vulkan loader: install libvulkan1" >&2; exit 1; }
  rm -rf "$place"
  mkdir -p "$place/lib"
  cp "$binary" "$place/webnn"
  strip "$place/webnn"
  cp "$library" "$place/libwebgpu_wrapper.so"
  cp -L "$loader" "$place/lib/libvulkan.so.1"
  # every library but the C library's own: a bare machine may lack it
  ldd "$place/webnn" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
    while read -r one; do cp -L "$one" "$place/lib/"; done
  # what the vendor's driver opens beside the loader
  mkdir -p "$place/deb"
  (cd "$place/deb" && apt-get -qq download libegl1 libglvnd0 libopengl0 libgl1 libglx0 libgles2 libvulkan1)
  du -sh "$place"
  ;;
run)
  for one in "$place"/deb/*.deb; do dpkg -x "$one" /; done
  ldconfig
  export LD_LIBRARY_PATH="$PWD/$place/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" WEBNN_WEBGPU_LIB="$PWD/$place/libwebgpu_wrapper.so"
  export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"
  for icd in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/share/vulkan/icd.d/nvidia_icd.json /etc/vulkan/icd.d/nvidia_icd.json; do
    [ -e "$icd" ] && { export VK_DRIVER_FILES="$icd" VK_ICD_FILENAMES="$icd"; break; }
  done
  pack=packs/com.microsoft.EmbedLayerNormalization
  "$place/webnn" kernel test "$pack" --device webgpu | tail -3
  "$place/webnn" kernel bench "$pack" --device webgpu --rounds 60
  command -v python3 >/dev/null && python3 - <<'EOF'
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    raise SystemExit("no PyTorch here")
copy_from = torch.randn(1 << 28, device="cuda")
copy_to = torch.empty_like(copy_from)
def best(run, rounds=50):
    for _ in range(10): run()
    least = 1e9
    for _ in range(rounds):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record(); run(); end.record(); torch.cuda.synchronize()
        least = min(least, begin.elapsed_time(end) * 1e3)
    return least
rate = 2 * copy_from.numel() * 4 / best(lambda: copy_to.copy_(copy_from)) / 1e3
print(f"PyTorch {torch.__version__}: copying {rate:.0f} GB/s")
for hidden in (768, 1024):
    batch, sequence = 32, 512
    word, place, kind = (torch.randn(n, hidden, device="cuda") for n in (30522, 512, 2))
    gamma, beta = torch.randn(hidden, device="cuda"), torch.randn(hidden, device="cuda")
    ids = torch.randint(0, 30522, (batch, sequence), device="cuda")
    kinds = torch.randint(0, 2, (batch, sequence), device="cuda")
    places = torch.arange(sequence, device="cuda").expand(batch, sequence)
    eager = lambda: F.layer_norm(F.embedding(ids, word) + F.embedding(places, place) + F.embedding(kinds, kind), (hidden,), gamma, beta, 1e-12)
    time = best(eager)
    least = 2 * batch * sequence * hidden * 4
    print(f"PyTorch eager, {batch} x {sequence} x {hidden}: {time:.1f} us, {least / time / 1e3:.0f} GB/s")
EOF
  ;;
*)
  sed -n '2,5s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
