// Recomputes the digests in a pack's metadata.json, and adds or drops files that came or went.
//   node tools/pack-digest.mjs [--check] <pack folder>...
// --check writes nothing and fails when a digest is wrong.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const check = process.argv.includes('--check');
const folders = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const covered = /^(manifest|test|bench)\.json$|\.wgsl(\.jinja)?$/;
let wrong = 0;

for (const folder of folders) {
  const path = join(folder, 'metadata.json');
  const metadata = JSON.parse(readFileSync(path, 'utf8'));
  const files = {};
  for (const name of readdirSync(folder).filter((file) => covered.test(file)).sort()) {
    files[name] = createHash('sha256').update(readFileSync(join(folder, name))).digest('base64');
  }
  const listed = metadata.digest.files;
  for (const name of new Set([...Object.keys(files), ...Object.keys(listed)])) {
    if (files[name] === listed[name]) continue;
    wrong++;
    console.log(`${join(folder, name)}: ${listed[name] ? (files[name] ? 'digest differs' : 'is gone') : 'is not listed'}`);
  }
  if (!check) {
    metadata.digest.files = files;
    writeFileSync(path, JSON.stringify(metadata, null, 2) + '\n');
  }
}
if (check && wrong) process.exit(1);
console.log(`${folders.length} packs, ${wrong} ${check ? 'wrong' : 'changed'}`);
