// Install step: nothing when the packaged addon loads, else a build from the sources in the package's archive.
// It downloads nothing. Needs a C compiler, CMake (which unpacks the archive too) and Node's headers then.
'use strict';
const { spawnSync } = require('node:child_process');
const { copyFileSync, existsSync, mkdirSync, rmSync } = require('node:fs');
const { cpus } = require('node:os');
const { dirname, join } = require('node:path');

const root = join(__dirname, '..');
const sources = join(__dirname, 'prebuilt', 'source.tar.xz');
const target = join(__dirname, 'prebuilt', `${process.platform}-${process.arch}.node`);

function loads() {
  // In its own process: a binary of another platform must not take this one down.
  return existsSync(target) && spawnSync(process.execPath, ['-e', `require(${JSON.stringify(target)})`]).status === 0;
}

function run(folder, command, ...args) {
  console.log([command, ...args].join(' '));
  return spawnSync(command, args, { cwd: folder, stdio: 'inherit' }).status === 0;
}

function build() {
  const folder = join(root, 'build');
  const headers = join(dirname(dirname(process.execPath)), 'include', 'node');
  const common = ['-S', '.', '-B', 'build', '-DCMAKE_BUILD_TYPE=Release', '-DWEBNN_TESTS=OFF', '-DWEBNN_TOOLS=OFF', '-DWEBNN_WERROR=OFF',
    ...(existsSync(join(headers, 'node_api.h')) ? [`-DNODE_API_INCLUDE=${headers}`] : [])];
  // Models and kernel packs need libraries that may be missing; the API itself does not.
  const variants = [[], ['-DWEBNN_ONNX=OFF', '-DWEBNN_PACKS=OFF']];
  try {
    for (const options of variants) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      if (!run(folder, 'cmake', '-E', 'tar', 'xf', sources) || !run(folder, 'cmake', ...common, ...options) ||
        !run(folder, 'cmake', '--build', 'build', '--target', 'webnn_node', '--parallel', String(cpus().length))) continue;
      copyFileSync(join(folder, 'build', 'node', 'webnn.node'), target);
      return loads();
    }
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (existsSync(join(root, 'tests'))) {
  console.log('libwebnn: this is a checkout; build the addon with "make node".');
} else if (!loads() && !build()) {
  console.error('libwebnn: the addon for this platform could not be built. Needed: a C compiler, cmake, node_api.h of Node.js.');
  process.exitCode = 1;
}
