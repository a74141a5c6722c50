// Writes and reads the file formats that tests need: .npy, zip, PNG, WAV.
import { crc32 as zlibCrc32, deflateSync, inflateSync } from 'node:zlib';

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc32 = zlibCrc32 ?? ((data) => {
  let c = 0xffffffff;
  for (const byte of data) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
});

// data: a typed array or Buffer in the byte order that descr says.
export const npy = (descr, shape, data, { fortran = false } = {}) => {
  let header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  header += `${' '.repeat((64 - (header.length + 11) % 64) % 64)}\n`;
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([head, Buffer.from(header), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
};

export const readNpy = (buffer) => {
  const length = buffer.readUInt16LE(8), header = buffer.toString('latin1', 10, 10 + length);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').map((s) => s.trim()).filter(Boolean).map(Number);
  const descr = /'descr': '([^']*)'/.exec(header)[1], data = new Uint8Array(buffer.subarray(10 + length));
  return { descr, shape, data: descr === '<f4' ? new Float32Array(data.buffer) : data, aligned: (10 + length) % 64 === 0 };
};

export const zip = (files) => {
  const parts = [], central = [];
  let offset = 0;
  for (const [name, data] of Object.entries(files)) {
    const fields = Buffer.alloc(26), raw = Buffer.from(name);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(raw.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), fields, raw, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, raw);
    offset += 30 + raw.length + data.length;
  }
  const directory = Buffer.concat(central), end = Buffer.alloc(18), count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
};

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]), out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), out.length - 4);
  return out;
};
// pixel(x, y) gives [r, g, b].
export const png = (width, height, pixel) => {
  const head = Buffer.alloc(13), rows = Buffer.alloc(height * (1 + width * 3));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (1 + width * 3) + 1 + x * 3);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
};

// 8-bit RGB without interlace: at(x, y) gives [r, g, b].
export const readPng = (buffer) => {
  const width = buffer.readUInt32BE(16), height = buffer.readUInt32BE(20), parts = [];
  if (buffer[24] !== 8 || buffer[25] !== 2 || buffer[28] !== 0) throw new Error('not an 8-bit RGB picture');
  for (let at = 8; at < buffer.length; at += 12 + buffer.readUInt32BE(at))
    if (buffer.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(buffer.subarray(at + 8, at + 8 + buffer.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts)), stride = width * 3, out = Buffer.alloc(stride * height);
  const paeth = (a, b, c) => {
    const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  };
  for (let y = 0; y < height; y++)
    for (let i = 0; i < stride; i++) {
      const a = i >= 3 ? out[y * stride + i - 3] : 0, b = y ? out[(y - 1) * stride + i] : 0, c = i >= 3 && y ? out[(y - 1) * stride + i - 3] : 0;
      const add = [0, a, b, (a + b) >> 1, paeth(a, b, c)][raw[y * (stride + 1)]];
      out[y * stride + i] = raw[y * (stride + 1) + 1 + i] + add;
    }
  return { width, height, at: (x, y) => [...out.subarray(y * stride + x * 3, y * stride + x * 3 + 3)] };
};

// 16-bit samples, one channel.
export const wav = (rate, samples) => {
  const out = Buffer.alloc(44 + samples.length * 2);
  out.write('RIFF');
  out.writeUInt32LE(36 + samples.length * 2, 4);
  out.write('WAVEfmt ', 8);
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(1, 22);
  out.writeUInt32LE(rate, 24);
  out.writeUInt32LE(rate * 2, 28);
  out.writeUInt16LE(2, 32);
  out.writeUInt16LE(16, 34);
  out.write('data', 36);
  out.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((s, i) => out.writeInt16LE(Math.round(s * 32768), 44 + i * 2));
  return out;
};
