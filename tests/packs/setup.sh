#!/bin/sh
# Installs what the tests on WebGPU need, and prints the environment that selects it:
#   eval "$(sh tests/packs/setup.sh)"
# A WebGPU library from npm, and lavapipe, Mesa's software driver for Vulkan: Debian 12's own is too old for the
# library, so the newer one of bookworm-backports is unpacked beside the system.
set -eu
cd "$(dirname "$0")/../.."
place=$PWD/build/webgpu
mkdir -p "$place"
library=$place/node_modules/bun-webgpu-linux-x64/libwebgpu_wrapper.so
[ -e "$library" ] || npm install --silent --no-save --prefix "$place" bun-webgpu-linux-x64@0.1.7 >&2
driver=$place/mesa/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so
if [ ! -e "$driver" ]; then
  [ "$(id -u)" = 0 ] || { echo "Run once as root: packages are installed." >&2; exit 1; }
  export DEBIAN_FRONTEND=noninteractive
  list=/etc/apt/sources.list.d/webnn-backports.list
  trap 'rm -f "$list"' EXIT
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v -e security -e backports | head -n 1)
  echo "deb $mirror bookworm-backports main" >"$list"
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends libvulkan1 mesa-vulkan-drivers >&2
  (cd "$place" && apt-get download -qq -t bookworm-backports mesa-vulkan-drivers >&2 && dpkg -x mesa-vulkan-drivers_*.deb mesa && rm mesa-vulkan-drivers_*.deb)
fi
cat >"$place/lavapipe.json" <<EOF
{ "file_format_version": "1.0.0", "ICD": { "api_version": "1.4.305", "library_path": "$driver" } }
EOF
echo "export WEBNN_WEBGPU_LIB=$library VK_ICD_FILENAMES=$place/lavapipe.json XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}"
