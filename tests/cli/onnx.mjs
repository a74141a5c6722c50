// Writes small ONNX models: just enough of the protobuf format for tests.

const varint = (value) => {
  const out = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    out.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest);
  return Buffer.from(out);
};
const bytes = (field, data) => {
  const body = typeof data === 'string' ? Buffer.from(data) : data;
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
};
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const float = (field, value) => {
  const body = Buffer.alloc(4);
  body.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), body]);
};

export const FLOAT = 1, INT64 = 7;

const dimension = (size) => bytes(1, typeof size === 'number' ? number(1, size) : size ? bytes(2, size) : Buffer.alloc(0));
const port = ({ name, type = FLOAT, shape }) => Buffer.concat([bytes(1, name),
  bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, Buffer.concat(shape.map(dimension)))])))]);
const tensor = ({ name, type = FLOAT, shape, data }) => Buffer.concat([...shape.map((size) => number(1, size)), number(2, type), bytes(8, name),
  bytes(9, Buffer.from((type === FLOAT ? Float32Array : BigInt64Array).from(data).buffer))]);
const attribute = ([name, value]) => bytes(5, Buffer.concat([bytes(1, name),
  ...(Array.isArray(value) ? [...value.map((item) => number(8, item)), number(20, 7)]
    : Number.isInteger(value) ? [number(3, value), number(20, 2)] : [float(2, value), number(20, 1)])]));
const node = ({ op, name = '', inputs, outputs, domain = '', attributes = {} }) => Buffer.concat([...inputs.map((i) => bytes(1, i)),
  ...outputs.map((o) => bytes(2, o)), bytes(3, name), bytes(4, op), ...Object.entries(attributes).map(attribute),
  ...(domain ? [bytes(7, domain)] : [])]);

export const model = ({ inputs, outputs, nodes, constants = [], opset = 17 }) => Buffer.concat([number(1, 8), bytes(2, 'tests'),
  bytes(7, Buffer.concat([...nodes.map((n) => bytes(1, node(n))), bytes(2, 'small'), ...constants.map((t) => bytes(5, tensor(t))),
    ...inputs.map((p) => bytes(11, port(p))), ...outputs.map((p) => bytes(12, port(p)))])),
  bytes(8, number(2, opset))]);
