// Writes every file that follows from ops/ops.json. With --check: fails when one of them is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadTable } from './gen/table.mjs';
import * as c from './gen/c.mjs';
import { docs } from './gen/docs.mjs';
import { declarations } from './gen/ts.mjs';

const root = new URL('../', import.meta.url);
const table = loadTable(root);
const outputs = {
  'include/webnn/webnn_ops.h': c.header(table),
  'src/graph/op_table.gen.c': c.rows(table),
  'src/graph/infer/infer.gen.h': c.inferHeader(table),
  'src/graph/op_wrappers.gen.c': c.wrappers(table),
  'docs/ops.md': docs(table),
  'node/index.d.ts': declarations(table),
};

let stale = 0;
for (const [path, text] of Object.entries(outputs)) {
  const file = new URL(path, root);
  let old = null;
  try { old = readFileSync(file, 'utf8'); } catch { /* a new output */ }
  if (old === text) continue;
  if (process.argv.includes('--check')) { console.error(`${path} is stale: run node tools/gen.mjs`); stale++; }
  else { writeFileSync(file, text); console.log(`wrote ${path}`); }
}
process.exitCode = stale ? 1 : 0;
