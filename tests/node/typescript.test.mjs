// The declarations accept every example of the documentation and refuse what is wrong, under --strict.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, webnn } from './support.mjs';
import { examples } from './examples.mjs';

let ts = null;
try { ts = createRequire(import.meta.url)('typescript'); } catch { /* npm install brings it */ }
const skip = ts ? false : 'the package typescript is not installed';

/** Messages of the compiler for a source text. */
function compile(source) {
  const folder = mkdtempSync(join(tmpdir(), 'webnn-ts-'));
  const file = join(folder, 'source.ts');
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, lib: ['lib.es2022.d.ts'],
    moduleResolution: ts.ModuleResolutionKind.Bundler, types: [], paths: {
      libwebnn: [join(root, 'node/index.d.ts')], 'libwebnn/global': [join(root, 'node/global.d.ts')], 'libwebnn/onnx': [join(root, 'node/onnx.d.ts')],
    },
  });
  const messages = ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n') +
    (d.file && d.start !== undefined ? ` (line ${d.file.getLineAndCharacterOfPosition(d.start).line + 1})` : ''));
  rmSync(folder, { recursive: true });
  return messages;
}

const types = `import { ml, MLGraphBuilder, MLContext, MLOperand } from 'libwebnn';
declare const console: { log(value: readonly number[]): void };
`;

test('all examples', { skip }, () => {
  const source = types + examples.map(({ given, code }, i) => {
    const parameters = ['builder: MLGraphBuilder', 'context: MLContext', ...Object.entries(given).map(([name, [type]]) => `${name}: ${type}`)];
    return `function example${i}(${parameters.join(', ')}) {\n${code}\n}\n`;
  }).join('\n');
  assert.deepEqual(compile(source), []);
});

test('the objects', { skip }, () => {
  assert.deepEqual(compile(`${types}import 'libwebnn/global';
export async function main() {
  const context: MLContext = await ml.createContext({ powerPreference: 'low-power', accelerated: false });
  const same: MLContext = await navigator.ml.createContext();
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', { dataType: 'float32', shape: [2] });
  const c = builder.constant('int64', 2n ** 63n - 1n);
  const graph = await builder.build({ y: builder.identity(x), z: builder.identity(c) });
  const tensor = await context.createTensor({ dataType: 'float32', shape: new Set([2]), writable: true, readable: true });
  context.writeTensor(tensor, new SharedArrayBuffer(8));
  context.dispatch(graph, { x: tensor }, { y: tensor });
  const buffer: ArrayBuffer = await context.readTensor(tensor);
  const nothing: undefined = await context.readTensor(tensor, new Float32Array(2));
  const { message } = await context.lost;
  const type: 'float32' | 'int8' | string = tensor.dataType;
  new globalThis.MLGraphBuilder(same);
  return [buffer, nothing, message, type, tensor.shape[0]];
}
`), []);
});

test('mistakes are refused', { skip }, () => {
  const wrong = [
    `ml.createContext({ powerPreference: 'fast' })`, `new MLGraphBuilder()`, `builder.conv2d(x)`, `builder.cast(x, 'float64')`,
    `builder.conv2d(x, x, { strides: 2 })`, `builder.conv2d(x, x, { stride: [2, 2] })`, `builder.input('x', { dataType: 'float32' })`,
    `builder.pad(x, [1], [1], { mode: 'symmetric' })`, `x.shape[0] = 3`, `builder.gelu(x).dataType = 'int8'`, `new MLOperand()`,
    `builder.split(x, 2).shape`, `builder.add(x, 1)`,
  ];
  const source = `${types}declare const builder: MLGraphBuilder, x: MLOperand;\n${wrong.map((line) => `${line};`).join('\n')}\n`;
  const first = types.split('\n').length + 1;
  const found = new Set(compile(source).map((message) => Number(message.match(/\(line (\d+)\)$/)?.[1])));
  wrong.forEach((line, i) => assert.ok(found.has(first + i), `accepted: ${line}`));
});

test('every method is declared', { skip }, () => {
  const names = Object.getOwnPropertyNames(webnn.MLGraphBuilder.prototype).filter((name) => name !== 'constructor');
  assert.deepEqual(compile(`${types}declare const builder: MLGraphBuilder;\n${names.map((name) => `builder.${name};`).join('\n')}`), []);
});
