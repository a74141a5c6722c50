// Checks the arrows between folders over #include lines: which folder may know which.
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

// A layer is the longest folder named here that holds the file. All may include the public headers and their own.
const layers = {
  'src/base': [],
  'src/kernels': ['src/base'],
  'src/graph': ['src/base'],
  'src/compile': ['src/base', 'src/graph'],
  'src/backend': ['src/base', 'src/graph'],
  'src/backend/cpu': ['src/base', 'src/graph', 'src/compile', 'src/kernels', 'src/backend'],
  'src/backend/webgpu': ['src/base'],
  'src/runtime': ['src/base', 'src/graph', 'src/backend'],
  'src/onnx': [],
  'src/packs': ['src/base', 'src/kernels', 'src/backend/webgpu'],
  cli: [],
  node: [],
  examples: [],
  bench: [],
};
// Headers below a layer's own folder that its neighbours may include: the face of that part, or a whole shared folder.
const faces = ['src/kernels/ref/ref.h', 'examples/common/'];

function files(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'build', 'deps'].includes(entry.name) ? [] : files(name);
    return /\.(c|cc|h)$/.test(entry.name) ? [name] : [];
  });
}

const layerOf = (file) => Object.keys(layers).filter((l) => file.startsWith(`${l}/`)).sort((a, b) => b.length - a.length)[0];

/** The project file that an include line names, or null for headers from elsewhere. */
function resolve(file, name) {
  for (const base of [posix.dirname(file), 'src', 'include', 'tests', 'cli', 'node']) {
    const candidate = posix.normalize(`${base}/${name}`);
    if (existsSync(join(root, candidate))) return candidate;
  }
  return null;
}

let passed = 0;
const failures = [];
const all = Object.keys(layers).filter((l) => !l.slice(4).includes('/')).flatMap(files);
for (const file of all) {
  const layer = layerOf(file);
  if (!layer) { failures.push(`${file} is in no layer; name its folder in tools/check-deps.mjs`); continue; }
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  lines.forEach((line, number) => {
    const include = /^\s*#\s*include\s*(["<])([^">]+)[">]/.exec(line);
    if (!include) return;
    const where = `${file}:${number + 1}`;
    const [, mark, name] = include;
    if (mark === '<') { // the public headers and the system's
      if (existsSync(join(root, 'src', name))) failures.push(`${where}: <${name}> is a header of ours; use quotes`);
      else passed++;
      return;
    }
    const target = resolve(file, name);
    if (!target) { failures.push(`${where}: there is no ${name}`); return; }
    if (target.startsWith('include/')) { failures.push(`${where}: public headers go in angle brackets`); return; }
    const other = layerOf(target);
    if (other !== layer && !layers[layer].includes(other)) {
      failures.push(`${where}: ${layer} must not know ${other ?? target}`);
      return;
    }
    // Private: headers of a folder below the layer's own are for that folder and those above it.
    const home = posix.dirname(target);
    const inside = `${posix.dirname(file)}/`.startsWith(`${home}/`) || `${home}/`.startsWith(`${posix.dirname(file)}/`);
    if (home !== other && !faces.some((face) => target.startsWith(face)) && (other !== layer || !inside)) failures.push(`${where}: ${target} is private to ${home}`);
    else passed++;
  });
}

for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed, 0 skipped`);
process.exitCode = failures.length ? 1 : 0;
