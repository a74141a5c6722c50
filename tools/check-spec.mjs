// Compares the table of operations with the facts of the specification in ../shared/spec/webnn-ops.json (WEBNN_SHARED
// overrides ../shared). Every difference has to be listed below with its reason, and every one listed has to exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTable } from './gen/table.mjs';

const root = new URL('../', import.meta.url);
const shared = process.env.WEBNN_SHARED ?? join(fileURLToPath(root), '..', 'shared');
const path = join(shared, 'spec', 'webnn-ops.json');
if (!existsSync(path)) {
  console.log('skipped: ../shared is missing');
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
const spec = JSON.parse(readFileSync(path, 'utf8'));
const table = loadTable(root);

const floatsOnly = 'the steps take float32 and float16 only, the table of limits says any type';
const bothFollow = 'input and zeroPoint share their type, so both require what the input requires';
const scalarResult = 'scalar indices of a vector give a scalar; the table of limits says rank 1 and up';
const deliberate = new Map(Object.entries({
  'isNaN a allowed types': floatsOnly,
  'isInfinite a allowed types': floatsOnly,
  'dequantizeLinear zeroPoint required types': bothFollow,
  'gather output allowed ranks': scalarResult,
  'gather output required ranks': scalarResult,
}));

let passed = 0;
const failures = [];
const met = new Set();
const text = (value) => JSON.stringify(value);
/** Compares one fact; `what` is the key of a deliberate difference. */
function compare(what, ours, theirs) {
  if (text(ours) === text(theirs)) passed++;
  else if (deliberate.has(what)) { met.add(what); passed++; }
  else failures.push(`${what}: the table has ${text(ours)}, the specification ${text(theirs)}`);
}

const sorted = (list) => [...list].sort();
const range = (ranks, at) => ({ min: ranks[at], max: ranks[at + 1] });
const scalarTypes = {
  boolean: 'bool', double: 'f64', MLNumber: 'number', MLOperandDataType: 'data_type', float: 'f32',
  '[EnforceRange] unsigned long': 'u32', '[EnforceRange] long': 'i32', 'unsigned long': 'u32',
};
for (const [name, { idl }] of Object.entries(table.enums)) scalarTypes[idl] = name;

/** The table's name of an IDL type, and whether it is converted modulo 2^32. */
function paramType(idl) {
  const modulo = /\bunsigned long\b/.test(idl) && !idl.includes('[EnforceRange]');
  if (idl.startsWith('(')) return { type: 'splits', modulo };
  const list = /^sequence<(.*)>$/.exec(idl);
  return { type: list ? `${scalarTypes[list[1]]}[]` : scalarTypes[idl], modulo };
}

function compareTensor(where, ours, theirs, sameAs) {
  compare(`${where} allowed types`, sorted(ours.allowedTypes), sorted(theirs.allowedDataTypes));
  compare(`${where} required types`, sorted(ours.requiredTypes), sorted(theirs.requiredDataTypes));
  compare(`${where} allowed ranks`, range(ours.ranks, 0), theirs.allowedRank);
  compare(`${where} required ranks`, range(ours.ranks, 2), theirs.requiredRank);
  compare(`${where} same type as`, ours.sameAs < 0 ? null : sameAs[ours.sameAs].name, theirs.dataTypeSameAs);
}

function compareParam(where, ours, theirs) {
  const { type, modulo } = paramType(theirs.type);
  compare(`${where} type`, ours.type, type);
  compare(`${where} modulo`, Boolean(ours.modulo), modulo);
  compare(`${where} default`, ours.default ?? null, theirs.default ?? null);
}

compare('operations', table.operations.map((op) => op.name), Object.keys(spec.operations));
compare('data types', table.dataTypes, spec.enums.MLOperandDataType);
for (const { idl, values } of Object.values(table.enums)) compare(`enum ${idl}`, values, spec.enums[idl]);
const known = new Set(Object.values(table.enums).map((e) => e.idl).concat('MLOperandDataType'));
for (const idl of Object.keys(spec.enums)) compare(`enum ${idl} is in the table`, known.has(idl), true);

for (const op of table.operations) {
  const theirs = spec.operations[op.name];
  if (!theirs) continue;
  compare(`${op.name} category`, op.category, theirs.category);
  compare(`${op.name} options`, op.optionsType, theirs.optionsType);
  compare(`${op.name} limits`, op.limitsType, theirs.supportLimits.type);
  compare(`${op.name} limit members`, sorted([...op.operands, ...op.outputs].map((o) => o.name)), sorted(theirs.supportLimits.members));
  compare(`${op.name} returns a list`, op.returnsList, theirs.returns !== 'MLOperand');

  compare(`${op.name} operands`, op.operands.map((o) => o.name), theirs.operands.map((o) => o.name));
  theirs.operands.forEach((operand, i) => {
    const ours = op.operands[i];
    if (!ours) return;
    const where = `${op.name} ${operand.name}`;
    compareTensor(where, ours, operand, op.operands);
    compare(`${where} place`, ours.in ?? 'argument', operand.via);
    compare(`${where} required`, !ours.optional, operand.required);
    compare(`${where} variadic`, Boolean(ours.variadic), Boolean(operand.variadic));
  });

  const positional = op.parameters.filter((p) => p.positional), members = op.parameters.filter((p) => !p.positional);
  const options = theirs.options.filter((o) => o.name !== 'label' && !o.isOperand);
  compare(`${op.name} parameters`, positional.map((p) => p.name), theirs.parameters.map((p) => p.name));
  compare(`${op.name} option members`, sorted(members.map((p) => p.name)), sorted(options.map((o) => o.name)));
  for (const p of theirs.parameters) {
    const ours = positional.find((o) => o.name === p.name);
    if (ours) compareParam(`${op.name} ${p.name}`, ours, p);
  }
  for (const o of options) {
    const ours = members.find((m) => m.name === o.name);
    if (ours) compareParam(`${op.name} ${o.name}`, ours, o);
  }

  // Members of the limits dictionary stand for outputs; several outputs of one kind (split) share one.
  const outputs = theirs.outputs.items;
  compare(`${op.name} outputs`, op.outputs.map((o) => o.name), [...new Set(outputs.map((o) => o.limitsMember))]);
  for (const output of outputs) {
    const ours = op.outputs.find((o) => o.name === output.limitsMember);
    if (ours) compareTensor(`${op.name} ${output.limitsMember}`, ours, output, op.operands);
  }
}

for (const [what, reason] of deliberate)
  if (!met.has(what)) failures.push(`${what} is listed as a difference (${reason}), but there is none`);
for (const failure of failures) console.log(`failed: ${failure}`);
for (const what of met) console.log(`differs: ${what}: ${deliberate.get(what)}`);
console.log(`${passed} passed, ${failures.length} failed, 0 skipped`);
process.exitCode = failures.length ? 1 : 0;
