#!/bin/sh
# Installs the Debian packages that building needs ("setup.sh test": testing, too), or says which ones are missing.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
list=$(grep -v '^#' tools/debian-packages.txt)
[ "${1:-}" != test ] || list="$list $(grep -v '^#' tools/debian-packages-test.txt)"
# A Node.js that did not come from Debian counts as well.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then list="$list nodejs npm"; fi
missing=
for package in $list; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root=sudo
else
  echo "Missing packages; install them first:" >&2
  echo "  apt-get install$missing" >&2
  exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >build/setup.log 2>&1 || { cat build/setup.log >&2; exit 1; }
