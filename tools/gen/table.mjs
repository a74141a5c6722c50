// Reads ops/ops.json and resolves signatures, defaults and names for the emitters.
import { readFileSync } from 'node:fs';

export const snake = (name) => name.replace('NaN', 'Nan').replace(/ND$/, 'Nd')
  .replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
export const upper = (name) => snake(name).toUpperCase().replace(/-/g, '_');

/** 'MLConv2dOptions' -> 'conv2d_options' */
export const optionsStruct = (type) => snake(type.slice(2));

export function loadTable(root) {
  const table = JSON.parse(readFileSync(new URL('ops/ops.json', root), 'utf8'));
  const typeSet = (name, where) => table.dataTypeSets[name] ?? fail(`${where}: unknown data type set ${name}`);
  const fail = (message) => { throw new Error(`ops.json: ${message}`); };
  const seen = new Set();
  table.operations = table.operations.map((row) => {
    const signature = row.signature ? table.signatures[row.signature] ?? fail(`${row.name}: no signature ${row.signature}`) : row;
    const op = { returnsList: false, ...signature, ...row, signature: row.signature ?? row.name };
    if (seen.has(op.name)) fail(`${op.name} appears twice`);
    seen.add(op.name);
    const index = new Map(op.operands.map((o, i) => [o.name, i]));
    const same = (o) => o.as === undefined ? -1 : index.get(o.as) ?? fail(`${op.name}: ${o.name} is as unknown ${o.as}`);
    for (const o of [...op.operands, ...op.outputs]) {
      o.sameAs = same(o);
      o.allowedTypes = typeSet(o.allowed, op.name);
      o.requiredTypes = typeSet(o.required, op.name);
      if (o.ranks?.length !== 4) fail(`${op.name}: ${o.name} needs four rank bounds`);
    }
    for (const p of op.parameters) {
      const base = p.type.replace('[]', '');
      if (!['bool', 'u32', 'i32', 'f64', 'f32', 'number', 'data_type', 'splits'].includes(base) && !table.enums[base])
        fail(`${op.name}: ${p.name} has unknown type ${p.type}`);
    }
    op.options = [
      ...op.operands.map((o, i) => ({ name: o.name, operand: o, index: i })).filter((m) => m.operand.in === 'options'),
      ...op.parameters.map((p, i) => ({ name: p.name, param: p, index: i })).filter((m) => !m.param.positional),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
    return op;
  });
  // One dictionary type has one set of members wherever it is used.
  table.dictionaries = new Map();
  for (const op of table.operations) {
    const members = op.options.map(({ name, param, operand }) => ({ name, param, operand }));
    const known = table.dictionaries.get(op.optionsType);
    const shape = (m) => m.map((x) => `${x.name}:${x.param?.type ?? 'operand'}:${x.param?.default ?? ''}`).join();
    if (known && shape(known) !== shape(members)) fail(`${op.optionsType} differs between operations`);
    if (!known) table.dictionaries.set(op.optionsType, members);
  }
  return table;
}
