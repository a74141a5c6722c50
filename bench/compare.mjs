// Compares the outputs of two engines, as dumped files.
import { readFileSync } from 'node:fs';

// The largest difference relative to the largest magnitude of an output. Outputs whose bytes cannot be floats (integers,
// or other sizes) are compared byte by byte: the share that differs.
export function compare(a, b) {
  let worst = 0;
  if (a.count !== b.count) throw new Error(`${a.count} outputs against ${b.count}`);
  for (let i = 0; i < a.count; i++) {
    const [x, y] = [a, b].map(({ prefix }) => readFileSync(`${prefix}.${i}`));
    if (x.length !== y.length) throw new Error(`output ${i} has ${x.length} bytes against ${y.length}`);
    worst = Math.max(worst, x.equals(y) ? 0 : floats(x, y) ?? octets(x, y));
  }
  return Number(worst.toPrecision(3));
}

function floats(x, y) {
  if (x.length % 4) return null;
  const [a, b] = [x, y].map((v) => new Float32Array(v.buffer.slice(v.byteOffset, v.byteOffset + v.length)));
  let scale = 0, worst = 0;
  for (let i = 0; i < a.length; i++) {
    const size = Math.abs(b[i]);
    // Integers seen as floats are denormal or huge.
    if (!(size < 1e30) || (size > 0 && size < 1e-30)) return null;
    scale = Math.max(scale, size);
    worst = Math.max(worst, Math.abs(a[i] - b[i]));
  }
  return scale > 0 ? worst / scale : worst;
}

function octets(x, y) {
  let different = 0;
  for (let i = 0; i < x.length; i++) different += x[i] !== y[i];
  return different / x.length;
}
