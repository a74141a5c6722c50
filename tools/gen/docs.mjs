// Emits docs/ops.md: every operation with operands, options, data types and ranks.
import { snake } from './table.mjs';

const cell = (text) => String(text).replace(/\|/g, '\\|');
const rank = (lo, hi) => (lo === hi ? String(lo) : `${lo} … ${hi ?? 8}`);

export function docs(table) {
  const out = ['<!-- Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. -->', '# Operations', '',
    `All ${table.operations.length} operations of MLGraphBuilder. "Data types" are those the specification allows, all of which this library`,
    'computes; the ones every implementation must have are in bold. Ranks end at 8.', ''];
  let category = '';
  for (const op of table.operations) {
    if (op.category !== category) out.push(`## ${(category = op.category)}`, '');
    const positional = [...op.operands.filter((o) => o.in !== 'options').map((o) => o.name), ...op.parameters.filter((p) => p.positional).map((p) => p.name)];
    out.push(`### ${op.name}`, '', op.doc, '', `\`${op.name}(${positional.join(', ')}, options)\`, in C \`wnn_${snake(op.name)}\`. Specification: \`${op.spec}\`.`, '',
      '| operand | data types | ranks | |', '| --- | --- | --- | --- |');
    for (const o of [...op.operands, ...op.outputs.map((o) => ({ ...o, output: true }))]) {
      const types = o.as ? `as ${o.as}` : o.allowedTypes.map((t) => (o.requiredTypes.includes(t) ? `**${t}**` : t)).join(', ');
      const how = o.output ? 'output' : `${o.in === 'options' ? 'options member, ' : ''}${o.optional ? 'optional. ' : ''}${o.doc}`;
      out.push(`| ${o.output ? `*${o.name}*` : o.name} | ${types} | ${rank(o.ranks[0], o.ranks[1])} | ${cell(how)} |`);
    }
    out.push('');
    if (op.parameters.length) {
      out.push('| parameter | type | default | |', '| --- | --- | --- | --- |');
      for (const p of op.parameters)
        out.push(`| ${p.name} | ${cell(table.enums[p.type.replace('[]', '')]?.values.join(' \\| ') ?? p.type)}${p.type.endsWith('[]') ? ' list' : ''} | ${
          p.positional ? 'required' : p.default ?? 'absent'} | ${cell(p.doc)} |`);
      out.push('');
    }
  }
  return out.join('\n');
}
