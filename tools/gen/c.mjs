// Emits the C side of the operation table: public header, rows, wrappers, infer prototypes.
import { snake, upper, optionsStruct } from './table.mjs';

const HEAD = '/* Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. */\n';
const C_TYPE = { bool: 'bool', u32: 'uint32_t', i32: 'int32_t', f64: 'double', number: 'wnn_number', data_type: 'wnn_data_type',
  'u32[]': 'wnn_u32_list', 'f32[]': 'wnn_f32_list', splits: 'wnn_splits' };
const KIND = { bool: 'BOOL', u32: 'U32', i32: 'I32', f64: 'F64', number: 'NUMBER', data_type: 'DATA_TYPE', 'u32[]': 'U32_LIST', 'f32[]': 'F32_LIST',
  splits: 'SPLITS' };

const enumConstant = (type, value) => `WNN_${upper(type)}_${upper(value)}`;
const cType = (type) => C_TYPE[type] ?? (type.endsWith('[]') ? 'wnn_enum_list' : `wnn_${type}`);
const kind = (type) => KIND[type] ?? (type.endsWith('[]') ? 'ENUM_LIST' : 'ENUM');
const argsStruct = (op) => `wnn_${snake(op.signature)}_args`;
const isList = (p) => p.type.endsWith('[]') || p.type === 'splits';
const number = (v) => Number.isInteger(v) ? `${v}.0` : String(v);

function initialiser(p) {
  if (p.type === 'splits' || p.type.endsWith('[]')) return '{NULL, 0}';
  const d = p.default;
  if (p.type === 'number') return d === undefined ? '{WNN_NUMBER_ABSENT, {0}}' : `{WNN_NUMBER_DOUBLE, {${number(d)}}}`;
  if (p.type === 'bool') return d ? 'true' : 'false';
  if (p.type === 'data_type') return `WNN_${(d ?? 'float32').toUpperCase()}`;
  if (p.type === 'f64') return number(d ?? 0);
  if (p.type === 'u32' || p.type === 'i32') return String(d ?? 0);
  return enumConstant(p.type, d);
}

const memberDecl = (m) => m.operand ? `  wnn_operand *${snake(m.name)}; /* ${m.operand.doc} */`
  : `  ${cType(m.param.type)} ${snake(m.name)}; /* ${m.param.doc}${m.param.length ? ` Length ${m.param.length}.` : ''}${
    m.param.default !== undefined && !isList(m.param) ? ` Default ${m.param.default}.` : ''} */`;

function prototype(op) {
  const args = ['wnn_builder *builder'];
  for (const o of op.operands) {
    if (o.in === 'options') continue;
    if (o.variadic) args.push(`wnn_operand *const *${snake(o.name)}`, `size_t ${snake(o.name)}_count`);
    else args.push(`wnn_operand *${snake(o.name)}`);
  }
  for (const p of op.parameters) if (p.positional) args.push(`${cType(p.type)} ${snake(p.name)}`);
  args.push(`const wnn_${optionsStruct(op.optionsType)} *options`);
  if (op.returnsList) args.push('wnn_operand **outputs', 'size_t capacity', 'size_t *count');
  else args.push('wnn_operand **output');
  args.push('wnn_error *error');
  return `wnn_status wnn_${snake(op.name)}(${args.join(', ')})`;
}

export function header(table) {
  const out = [HEAD.trim(), '#ifndef WEBNN_WEBNN_OPS_H', '#define WEBNN_WEBNN_OPS_H', '', '#include <webnn/webnn.h>', '',
    '#ifdef __cplusplus', 'extern "C" {', '#endif', '',
    '/* Operations, in the order of the table. Values are stable: new operations are appended. */', 'typedef enum wnn_op {'];
  table.operations.forEach((op, i) => out.push(`  WNN_OP_${upper(op.name)} = ${i},`));
  out.push(`  WNN_OP_COUNT = ${table.operations.length}`, '} wnn_op;', '', '/* ---- Enumerations ---- */', '');
  for (const [name, e] of Object.entries(table.enums)) {
    if (name === 'power_preference') continue; // declared with the context options
    out.push(`typedef enum wnn_${name} { /* ${e.idl} */`);
    e.values.forEach((v, i) => out.push(`  ${enumConstant(name, v)} = ${i},`));
    out.push(`} wnn_${name};`, '');
  }
  out.push('/* ---- Options. Start from the INIT macro and set what differs; NULL stands for all defaults. ---- */', '');
  for (const [type, members] of table.dictionaries) {
    const name = optionsStruct(type);
    out.push(`typedef struct wnn_${name} { /* ${type} */`, '  const char *label; /* Names the operation in messages; may be NULL. */');
    for (const m of members) out.push(memberDecl(m));
    out.push(`} wnn_${name};`,
      `#define WNN_${name.toUpperCase()}_INIT {${['NULL', ...members.map((m) => m.operand ? 'NULL' : initialiser(m.param))].join(', ')}}`, '');
  }
  out.push('/* ---- Argument structs for wnn_builder_add: positional parameters, then the options. ---- */', '');
  const done = new Set();
  for (const op of table.operations) {
    if (done.has(op.signature)) continue;
    done.add(op.signature);
    out.push(`typedef struct ${argsStruct(op)} {`);
    for (const p of op.parameters) if (p.positional) out.push(`  ${cType(p.type)} ${snake(p.name)}; /* ${p.doc} */`);
    out.push(`  wnn_${optionsStruct(op.optionsType)} options;`, `} ${argsStruct(op)};`, '');
  }
  out.push('/* ---- Operations. Each adds one node and stores the operand that describes its result. ----', ' *',
    ' * Failures: WNN_INVALID_STATE when the builder is spent or its context lost, WNN_TYPE_ERROR for operands of', ' * another builder, data types, ranks, shapes or options that the operation does not take (the message says',
    ' * which), WNN_OUT_OF_MEMORY. */', '');
  for (const op of table.operations) out.push(`/* ${op.doc} ${op.spec} */`, `WNN_API ${prototype(op)};`, '');
  out.push('#ifdef __cplusplus', '}', '#endif', '', '#endif', '');
  return out.join('\n');
}

const mask = (types) => types.map((t) => `WNN_TYPE_BIT(WNN_${t.toUpperCase()})`).join(' | ');
const ranks = (r) => `${r[0]}, ${r[1] ?? 'WNN_MAX_RANK'}, ${r[2]}, ${r[3]}`;
const quote = JSON.stringify;

export function rows(table) {
  const out = [HEAD.trim(), '#include "graph/op_table.h"', '', '#include "graph/infer/infer.gen.h"', '', '/* clang-format off */'];
  for (const [name, e] of Object.entries(table.enums).filter(([n]) => n !== 'power_preference'))
    out.push(`static const char *const values_${name}[] = {${e.values.map(quote).join(', ')}};`,
      `static const wnn_enum_info enum_${name} = {${quote(e.idl)}, values_${name}, ${e.values.length}};`);
  const done = new Set();
  for (const op of table.operations) {
    const s = snake(op.signature), A = argsStruct(op);
    if (done.has(s)) continue;
    done.add(s);
    out.push('', `static const wnn_operand_info operands_${s}[] = {`);
    for (const o of op.operands)
      out.push(`  {${quote(o.name)}, ${quote(o.doc)}, ${mask(o.allowedTypes)}, ${mask(o.requiredTypes)}, ${o.sameAs}, ${ranks(o.ranks)}, ${
        !!o.optional}, ${!!o.variadic}, ${o.in === 'options'}, ${o.in === 'options' ? `offsetof(${A}, options.${snake(o.name)})` : 0}},`);
    out.push('};');
    if (op.parameters.length) {
      out.push(`static const wnn_param_info params_${s}[] = {`);
      for (const p of op.parameters)
        out.push(`  {${quote(p.name)}, ${quote(p.doc)}, WNN_PARAM_${kind(p.type)}, ${!!p.positional}, ${!!p.modulo}, offsetof(${A}, ${
          p.positional ? '' : 'options.'}${snake(p.name)}), ${p.length ?? 0}, ${p.minimum ?? 0}, ${
          table.enums[p.type.replace('[]', '')] ? `&enum_${p.type.replace('[]', '')}` : 'NULL'}},`);
      out.push('};');
    }
    out.push(`static const wnn_output_info outputs_${s}[] = {`);
    for (const o of op.outputs) out.push(`  {${quote(o.name)}, ${mask(o.allowedTypes)}, ${mask(o.requiredTypes)}, ${o.sameAs}, ${ranks(o.ranks)}},`);
    out.push('};');
    if (op.options.length) out.push(`static const int8_t order_${s}[] = {${op.options.map((m) => (m.operand ? ~m.index : m.index)).join(', ')}};`);
    out.push(`static const ${A} defaults_${s} = {${[...op.parameters.filter((p) => p.positional).map(initialiserOrZero(table)),
      `WNN_${optionsStruct(op.optionsType).toUpperCase()}_INIT`].join(', ')}};`);
  }
  out.push('', 'const wnn_op_info wnn_op_rows[WNN_OP_COUNT] = {');
  for (const op of table.operations) {
    const s = snake(op.signature);
    out.push(`  {${[op.name, op.category, op.doc, op.spec, op.optionsType, op.limitsType].map(quote).join(', ')}, operands_${s}, ${
      op.parameters.length ? `params_${s}` : 'NULL'}, outputs_${s}, ${op.options.length ? `order_${s}` : 'NULL'}, ${op.operands.length}, ${
      op.parameters.length}, ${op.outputs.length}, ${op.options.length}, ${op.returnsList}, sizeof(${argsStruct(op)}), offsetof(${
      argsStruct(op)}, options.label), &defaults_${s}},`);
  }
  out.push('};', '', 'wnn_infer_fn *const wnn_op_infer[WNN_OP_COUNT] = {');
  for (const op of table.operations) out.push(`  wnn_infer_${op.infer},`);
  out.push('};', '');
  return out.join('\n');
}

const initialiserOrZero = (table) => (p) => table.enums[p.type] && p.default === undefined ? enumConstant(p.type, table.enums[p.type].values[0]) : initialiser(p);

export function inferHeader(table) {
  const names = [...new Set(table.operations.map((op) => op.infer))];
  return `${HEAD}#ifndef WNN_GRAPH_INFER_GEN_H\n#define WNN_GRAPH_INFER_GEN_H\n\n#include "graph/op_table.h"\n\n${
    names.map((n) => `wnn_status wnn_infer_${n}(wnn_call *call);`).join('\n')}\n\n#endif\n`;
}

export function wrappers(table) {
  const out = [HEAD.trim(), '#include <webnn/webnn.h>', ''];
  for (const op of table.operations) {
    const A = argsStruct(op), O = `wnn_${optionsStruct(op.optionsType)}`;
    const variadic = op.operands.find((o) => o.variadic);
    out.push(`${prototype(op)} {`, `  static const ${O} defaults = WNN_${optionsStruct(op.optionsType).toUpperCase()}_INIT;`,
      `  ${A} args = {${[...op.parameters.filter((p) => p.positional).map((p) => `.${snake(p.name)} = ${snake(p.name)}`),
        '.options = options ? *options : defaults'].join(', ')}};`);
    if (!variadic)
      out.push(`  wnn_operand *const operands[] = {${op.operands.map((o) => (o.in === 'options' ? 'args.options.' : '') + snake(o.name)).join(', ')}};`);
    const list = variadic ? `${snake(variadic.name)}, ${snake(variadic.name)}_count` : `operands, ${op.operands.length}`;
    out.push(`  return wnn_builder_add(builder, WNN_OP_${upper(op.name)}, &args, ${list}, ${
      op.returnsList ? 'outputs, capacity, count' : 'output, 1, NULL'}, error);`, '}', '');
  }
  return out.join('\n');
}
