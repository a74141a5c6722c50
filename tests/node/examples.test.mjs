// The documentation's examples run with their documented shapes, printed results and values.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { webnn, compute, decode, encode, shared } from './support.mjs';
import { examples } from './examples.mjs';

const { ml, MLGraphBuilder, MLOperand } = webnn;
const context = await ml.createContext();

function near(actual, expected, what) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < actual.length; i++) {
    const a = Number(actual[i]), e = expected[i];
    if (a !== e && !(Math.abs(a - e) <= 4e-6 * Math.max(1, Math.abs(e)))) assert.fail(`${what}[${i}] is ${a}, expected ${e}`);
  }
}

for (const example of examples) {
  test(example.name, async () => {
    const builder = new MLGraphBuilder(context);
    // Sees what the example builds: results it does not keep, and the inputs it declares.
    const made = [], inputs = {};
    const spy = new Proxy(builder, {
      get(target, key) {
        const value = target[key];
        if (typeof value !== 'function') return value;
        return (...args) => {
          const result = value.apply(target, args);
          if (key === 'input') inputs[args[0]] = args[1];
          made.push({ method: key, result });
          return result;
        };
      },
    });
    const given = Object.entries(example.given).map(([name, [, make]]) => [name, make(spy)]);
    const logs = [];
    const names = [...example.code.matchAll(/^(?:const|let) (?:\[([^\]]+)\]|(\w+))/gm)].flatMap((m) => (m[1] ?? m[2]).split(', '));
    const body = `${example.code}\nreturn { ${names.join(', ')} };`;
    const kept = new Function('builder', 'context', 'console', ...given.map(([name]) => name), body)(
      spy, context, { log: (value) => logs.push(value) }, ...given.map(([, value]) => value));

    assert.deepEqual(logs.map((shape) => [...shape]), example.logs ?? []);
    for (const [name, shape] of Object.entries(example.shapes ?? {})) assert.deepEqual([...kept[name].shape], shape, name);
    for (const [name, type] of Object.entries(example.types ?? {})) assert.equal(kept[name].dataType, type, name);
    for (const [name, value] of Object.entries(example.equal ?? {})) assert.equal(kept[name], value, name);

    const { inputs: data = example.inputs ?? {}, ...expected } = example.values ?? {};
    for (const [method, list] of Object.entries(example.results ?? {})) {
      const results = made.filter((m) => m.method === method);
      assert.equal(results.length, list.length, `calls of ${method}`);
      list.forEach((values, i) => { kept[`${method} ${i}`] = results[i].result; expected[`${method} ${i}`] = values; });
    }
    if (!Object.keys(expected).length) return;
    const outputs = Object.fromEntries(Object.keys(expected).map((name) => [name, kept[name]]));
    for (const operand of Object.values(outputs)) assert.ok(operand instanceof MLOperand);
    const bound = Object.fromEntries(Object.entries(data).map(([name, values]) =>
      [name, { ...inputs[name], data: encode(inputs[name].dataType, values) }]));
    const result = await compute(context, builder, outputs, bound);
    for (const [name, values] of Object.entries(expected)) near(decode(outputs[name].dataType, result[name]), values, name);
  });
}

const seeds = shared('seeds');
test('the examples are those of the documentation', { skip: seeds ? false : '../shared is missing' }, () => {
  const text = readFileSync(join(seeds, readdirSync(seeds).find((name) => name.startsWith('000_'))), 'utf8');
  const lines = new Set(text.split('\n').map((line) => line.trim()));
  for (const { name, code } of examples)
    for (const line of code.split('\n')) assert.ok(lines.has(line.trim()), `${name}: ${line}`);
  // Every line of a program in the documentation that makes or uses something is in an example.
  const mine = new Set(examples.flatMap(({ code }) => code.split('\n').map((line) => line.trim())));
  for (const line of lines)
    if (/^(const|builder\.|console\.)/.test(line)) assert.ok(mine.has(line), `not in an example: ${line}`);
});
