// Rewrites a model so that every graph has the initializers its nodes read: what a branch reads from the graphs around
// it is copied into the branch under a name of its own. The meaning stays the same.

const text = new TextEncoder();

/** The fields of a message: [number, wire type, value], with the bytes of length-delimited fields. */
function fields(bytes) {
  const list = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint()), number = key >> 3, wire = key & 7;
    if (wire === 0) { list.push([number, wire, varint()]); continue; }
    const size = wire === 1 ? 8 : wire === 5 ? 4 : Number(varint());
    list.push([number, wire, bytes.subarray(at, at + size)]);
    at += size;
  }
  return list;
}

function message(list) {
  const parts = [];
  const varint = (value) => {
    const out = [];
    for (let rest = BigInt(value); ; rest >>= 7n) {
      if (rest < 128n) { out.push(Number(rest)); break; }
      out.push(Number(rest & 127n) | 128);
    }
    parts.push(Uint8Array.from(out));
  };
  for (const [number, wire, value] of list) {
    varint((number << 3) | wire);
    if (wire === 0) varint(value);
    else {
      if (wire === 2) varint(value.length);
      parts.push(value);
    }
  }
  return new Uint8Array(Buffer.concat(parts));
}

const string = (list, number) => { const field = list.find(([n]) => n === number); return field ? Buffer.from(field[2]).toString() : ''; };

let copies = 0;

/** GraphProto: nodes are field 1, initializers field 5; `outer` has the initializers of the graphs around it. */
function graph(bytes, outer) {
  const list = fields(bytes), own = new Map(outer), here = new Set(), added = new Map();
  for (const [number, , value] of list) {
    if (number !== 5) continue;
    const name = string(fields(value), 8);
    here.add(name);
    own.set(name, value);
  }
  const local = (name) => {
    if (here.has(name) || !outer.has(name)) return name;
    if (!added.has(name)) added.set(name, `${name}.copy${copies++}`);
    return added.get(name);
  };
  const result = list.map(([number, wire, value]) => (number === 1 ? [number, wire, node(value, own, local)] : [number, wire, value]));
  for (const [name, copy] of added) {
    const tensor = fields(outer.get(name)).filter(([number]) => number !== 8);
    result.push([5, 2, message([...tensor, [8, 2, text.encode(copy)]])]);
  }
  return message(result);
}

/** NodeProto: inputs are field 1, attributes field 5; AttributeProto: graphs are fields 6 and 11. */
function node(bytes, initializers, local) {
  return message(fields(bytes).map(([number, wire, value]) => {
    if (number === 1) return [number, wire, text.encode(local(Buffer.from(value).toString()))];
    if (number !== 5) return [number, wire, value];
    return [number, wire, message(fields(value).map(([n, w, v]) => [n, w, n === 6 || n === 11 ? graph(v, initializers) : v]))];
  }));
}

/** ModelProto: the graph is field 7. */
export const localInitializers = (model) =>
  message(fields(model).map(([number, wire, value]) => [number, wire, number === 7 ? graph(value, new Map()) : value]));
