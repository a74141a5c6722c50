// The package: npm pack, installing the tarball offline into an empty project, every entry point, the source build.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './support.mjs';

const binary = join(root, 'node', 'prebuilt', `${process.platform}-${process.arch}.node`);
const skip = existsSync(binary) ? false : 'there is no prebuilt addon (make node)';
const env = { ...process.env, WEBNN_NODE_ADDON: '', npm_config_cache: mkdtempSync(join(tmpdir(), 'webnn-npm-')) };
delete env.WEBNN_NODE_ADDON;
process.on('exit', () => rmSync(env.npm_config_cache, { recursive: true, force: true }));

/** Packs the checkout; gives npm's report. */
function pack(folder) {
  return JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))[0];
}
function run(folder, name, source) {
  writeFileSync(join(folder, name), source);
  const child = spawnSync(process.execPath, [name], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(child.status, 0, child.stderr);
  return child.stdout.trim();
}

const body = `
  const context = await ml.createContext(), builder = new MLGraphBuilder(context), desc = { dataType: 'float32', shape: [2] };
  const graph = await builder.build({ y: builder.add(builder.input('x', desc), builder.constant('float32', 1)) });
  const x = await context.createTensor({ ...desc, writable: true }), y = await context.createTensor({ ...desc, readable: true });
  context.writeTensor(x, new Float32Array([1, 2]));
  context.dispatch(graph, { x }, { y });
  console.log(new Float32Array(await context.readTensor(y)).join());`;

test('the tarball installs offline into an empty project and works', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'webnn-pack-'));
  try {
    const report = pack(folder);
    const addon = report.files.find(({ path }) => path.endsWith('.node'));
    console.log(`# tarball ${(report.size / 1e6).toFixed(2)} MB, unpacked ${(report.unpackedSize / 1e6).toFixed(2)} MB, addon ${(addon.size / 1e6).toFixed(2)} MB`);
    assert.ok(report.unpackedSize < 3e6, `the package has ${report.unpackedSize} bytes`);
    for (const { path } of report.files) assert.ok(!/^(tests|build|tools|node_modules|bench)\//.test(path), path);
    writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true }');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts=false', `./${report.filename}`], { cwd: folder, env, stdio: 'ignore' });
    assert.equal(run(folder, 'a.mjs', `import { ml, MLGraphBuilder } from 'libwebnn';${body}`), '2,3');
    assert.equal(run(folder, 'b.cjs', `const { ml, MLGraphBuilder } = require('libwebnn'); (async () => {${body}})();`), '2,3');
    assert.equal(run(folder, 'c.mjs', `import 'libwebnn/global'; const { ml } = navigator;${body}`), '2,3');
    assert.equal(run(folder, 'd.cjs', `require('libwebnn/global'); const { ml } = navigator; (async () => {${body}})();`), '2,3');
    assert.equal(run(folder, 'e.mjs', `import { loadModel } from 'libwebnn/onnx'; console.log(typeof loadModel);
      await loadModel('none.onnx').catch((e) => console.log(e.name));`), 'function\nNotReadableError');
    assert.equal(run(folder, 'f.mjs', `try { await import('libwebnn/node/load.js'); } catch (e) { console.log(e.code); }`), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
    // Nothing but the C library is needed at run time.
    const needed = spawnSync('ldd', [join(folder, 'node_modules/libwebnn/node/prebuilt', `${process.platform}-${process.arch}.node`)], { encoding: 'utf8' });
    if (needed.status === 0)
      for (const line of needed.stdout.trim().split('\n')) assert.match(line, /linux-vdso|libm\.|libc\.|libpthread|ld-linux/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('only functions of Node-API version 8 are used', { skip }, () => {
  const headers = join(root, 'node_modules/node-api-headers');
  if (!existsSync(headers)) return;
  const { v8 } = JSON.parse(execFileSync(process.execPath, ['-e', `console.log(JSON.stringify(require(${JSON.stringify(headers)}).symbols))`], { encoding: 'utf8' }));
  const known = new Set([...v8.js_native_api_symbols, ...v8.node_api_symbols]);
  const symbols = spawnSync('nm', ['-D', '--undefined-only', binary], { encoding: 'utf8' });
  if (symbols.status !== 0) return;
  for (const [, name] of symbols.stdout.matchAll(/ U (napi_\w+|node_api_\w+)/g)) assert.ok(known.has(name), `${name} is not in version 8`);
});

test('the tarball builds from its sources where the binary does not load', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'webnn-source-'));
  try {
    const report = pack(folder);
    execFileSync('tar', ['xzf', report.filename], { cwd: folder });
    const place = join(folder, 'package/node/prebuilt', `${process.platform}-${process.arch}.node`);
    writeFileSync(place, 'not a binary');
    // The build is the one that a user gets, but for a compiler that does not optimize: a minute instead of several.
    const compiler = join(folder, 'cc');
    writeFileSync(compiler, `#!/bin/sh\nexec ${process.env.CC ?? 'cc'} "$@" -O0\n`, { mode: 0o755 });
    execFileSync(process.execPath, ['node/install.js'], { cwd: join(folder, 'package'), env: { ...env, CC: compiler }, stdio: ['ignore', 'ignore', 'inherit'] });
    assert.ok(readFileSync(place).length > 100000);
    assert.equal(run(join(folder, 'package'), 'try.cjs', `const { ml, MLGraphBuilder } = require('.'); (async () => {${body}})();`), '2,3');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
