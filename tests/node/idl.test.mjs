// Web IDL: every interface, member, length, enumeration and conversion, from the facts of the specification.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { webnn, commonjs, load, root, shared } from './support.mjs';

const { ml, MLGraphBuilder } = webnn;
const table = JSON.parse(readFileSync(join(root, 'ops/ops.json'), 'utf8'));
const operations = table.operations.map((row) => ({ ...(row.signature ? table.signatures[row.signature] : {}), ...row }));

/** Members: attributes by name, methods with the number of required arguments; * marks those that give a promise. */
const interfaces = {
  ML: { attributes: [], methods: { 'createContext*': 0 } },
  MLContext: { attributes: ['accelerated', 'lost*'], methods: { dispatch: 3, 'createTensor*': 1, 'createConstantTensor*': 2,
    'readTensor*': 1, writeTensor: 2, opSupportLimits: 0, destroy: 0 } },
  MLGraph: { attributes: [], methods: { destroy: 0 } },
  MLTensor: { attributes: ['dataType', 'shape', 'readable', 'writable', 'constant'], methods: { destroy: 0 } },
  MLOperand: { attributes: ['dataType', 'shape'], methods: {} },
  MLGraphBuilder: { attributes: [], methods: { input: 2, constant: 1, 'build*': 1, ...Object.fromEntries(operations.map((op) =>
    [op.name, op.operands.filter((o) => o.in !== 'options').length + op.parameters.filter((p) => p.positional).length])) } },
};

const bare = (key) => key.replace('*', '');
const pick = ({ writable, enumerable, configurable }) => ({ writable, enumerable, configurable });
const context = await ml.createContext();
const desc = { dataType: 'float32', shape: [1, 2, 2, 1] };
const operand = new MLGraphBuilder(context).input('x', desc);
const graph = await (() => { const b = new MLGraphBuilder(context); return b.build({ y: b.relu(b.input('x', desc)) }); })();
const tensor = await context.createTensor({ ...desc, readable: true });

test('exports', async () => {
  const names = ['ml', ...Object.keys(interfaces)].sort();
  assert.deepEqual(Object.keys(webnn).filter((name) => name !== 'default').sort(), names);
  assert.deepEqual(Object.keys(commonjs).sort(), names);
  for (const name of names) assert.equal(commonjs[name], webnn[name]);
  assert.ok(ml instanceof webnn.ML);
});

test('globals', async () => {
  await load('global.mjs');
  for (const name of Object.keys(interfaces)) {
    assert.equal(globalThis[name], webnn[name]);
    const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
    assert.deepEqual({ writable, enumerable, configurable }, { writable: true, enumerable: false, configurable: true });
  }
  assert.equal(navigator.ml, ml);
  assert.equal(navigator.ml, navigator.ml);
  const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(navigator), 'ml');
  assert.deepEqual([get.name, set, enumerable, configurable], ['get ml', undefined, true, true]);
  assert.throws(() => get.call({}), TypeError);
  const { writable: w, enumerable: e, configurable: c } = Object.getOwnPropertyDescriptor(globalThis, 'Navigator');
  assert.deepEqual([w, e, c], [true, false, true]);
  assert.ok(navigator instanceof Navigator);
  assert.equal(Navigator.prototype, Object.getPrototypeOf(navigator));
});

for (const [name, { attributes, methods }] of Object.entries(interfaces)) {
  const type = webnn[name];
  test(`interface ${name}`, async () => {
    assert.equal(type.name, name);
    assert.equal(type.length, name === 'MLGraphBuilder' ? 1 : 0);
    assert.throws(() => type(), TypeError);
    if (name !== 'MLGraphBuilder') assert.throws(() => new type(), { name: 'TypeError', message: 'Illegal constructor' });
    assert.deepEqual(pick(Object.getOwnPropertyDescriptor(type, 'prototype')), { writable: false, enumerable: false, configurable: false });
    assert.deepEqual(pick(Object.getOwnPropertyDescriptor(type.prototype, 'constructor')), { writable: true, enumerable: false, configurable: true });
    assert.equal(type.prototype.constructor, type);
    assert.equal(Object.getPrototypeOf(type), Function.prototype);
    assert.equal(Object.getPrototypeOf(type.prototype), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(type.prototype, Symbol.toStringTag),
      { value: name, writable: false, enumerable: false, configurable: true });
    assert.equal(String(type.prototype), `[object ${name}]`);
    const members = ['constructor', ...attributes.map(bare), ...Object.keys(methods).map(bare)].sort();
    assert.deepEqual(Object.getOwnPropertyNames(type.prototype).sort(), members);
    assert.deepEqual(Object.getOwnPropertySymbols(type.prototype), [Symbol.toStringTag]);
    assert.deepEqual(Object.getOwnPropertyNames(type).sort(), ['length', 'name', 'prototype']);
  });
  for (const attribute of attributes) {
    test(`${name}.${bare(attribute)}`, async () => {
      const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(type.prototype, bare(attribute));
      assert.deepEqual([get.name, get.length, set, enumerable, configurable], [`get ${bare(attribute)}`, 0, undefined, true, true]);
      for (const receiver of [{}, undefined, type.prototype, ml, Object.create(type.prototype)]) {
        if (attribute.endsWith('*')) await assert.rejects(get.call(receiver), TypeError);
        else assert.throws(() => get.call(receiver), TypeError);
      }
    });
  }
  for (const [key, length] of Object.entries(methods)) {
    const method = bare(key), promise = key.endsWith('*');
    test(`${name}.${method}()`, async () => {
      const { value, ...descriptor } = Object.getOwnPropertyDescriptor(type.prototype, method);
      assert.deepEqual(descriptor, { writable: true, enumerable: true, configurable: true });
      assert.deepEqual([value.name, value.length], [method, length]);
      assert.throws(() => Reflect.construct(Object, [], value), TypeError, 'must not be a constructor');
      assert.equal('prototype' in value, false);
      const fails = async (call) => {
        if (!promise) return assert.throws(call, TypeError);
        let result;
        assert.doesNotThrow(() => { result = call(); });
        assert.ok(result instanceof Promise);
        return assert.rejects(result, TypeError);
      };
      // Receivers of another kind, also with enough arguments.
      for (const receiver of [{}, undefined, null, 1, Object.create(type.prototype), name === 'MLContext' ? ml : context])
        await fails(() => value.apply(receiver, new Array(length).fill({})));
      const object = { ML: ml, MLContext: context, MLGraph: graph, MLTensor: tensor, MLGraphBuilder: new MLGraphBuilder(context) }[name];
      for (let count = 0; count < length; count++) await fails(() => object[method](...new Array(count).fill(operand)));
    });
  }
}

test('instances', () => {
  assert.deepEqual([context, graph, tensor, operand, ml].map(String),
    ['[object MLContext]', '[object MLGraph]', '[object MLTensor]', '[object MLOperand]', '[object ML]']);
  for (const object of [context, graph, tensor, operand, ml]) assert.deepEqual(Reflect.ownKeys(object), []);
  class Mine extends MLGraphBuilder { more() { return this.relu(this.input('x', desc)); } }
  const mine = new Mine(context);
  assert.ok(mine instanceof Mine && mine instanceof MLGraphBuilder);
  assert.deepEqual(mine.more().shape, desc.shape);
  for (const name of ['MLContext', 'MLGraph', 'MLTensor', 'MLOperand', 'ML']) {
    class Derived extends webnn[name] {}
    assert.throws(() => new Derived(), { message: 'Illegal constructor' });
  }
});

test('frozen arrays are the same every time', () => {
  for (const object of [operand, tensor]) {
    assert.equal(object.shape, object.shape);
    assert.ok(Object.isFrozen(object.shape) && Array.isArray(object.shape));
    assert.deepEqual(object.shape, desc.shape);
  }
});

// ---- Arguments of operations ----

const bad32 = [-1, 2 ** 32, NaN, Infinity, -Infinity, 'x', {}];
/** Arguments that convert, whatever the operation makes of them. */
function plain(op, builder) {
  const x = builder.input('x', desc);
  const positional = { u32: 0, 'u32[]': [1, 1, 1, 1], data_type: 'int32', splits: 1 };
  return [...op.operands.filter((o) => o.in !== 'options').map((o) => (o.variadic ? [x] : x)),
    ...op.parameters.filter((p) => p.positional).map((p) => positional[p.type])];
}
/** Options of an operation in the order in which they must be read. */
const members = (op) => ['label', ...[...op.operands.filter((o) => o.in === 'options').map((o) => o.name),
  ...op.parameters.filter((p) => !p.positional).map((p) => p.name)].sort()];
const isConversion = (error) => error instanceof TypeError && /^Failed to execute/.test(error.message);
/** Runs a call and tells whether the binding refused a value; refusals of the library do not count. */
function converts(call) {
  try { call(); } catch (error) {
    if (isConversion(error)) return false;
    if (!(error instanceof TypeError)) throw error;
  }
  return true;
}

for (const op of operations) {
  test(`arguments of ${op.name}`, () => {
    const call = (options) => { const b = new MLGraphBuilder(context); return b[op.name](...plain(op, b), options); };
    // The dictionary: absent, of the wrong kind, read in order.
    for (const none of [undefined, null, {}, () => {}, new Date()]) assert.ok(converts(() => call(none)), String(none));
    for (const wrong of [1, 'x', true, Symbol('x'), 1n]) assert.ok(!converts(() => call(wrong)), typeof wrong);
    const read = [];
    converts(() => call(new Proxy({}, { get(_, key) { read.push(key); } })));
    assert.deepEqual(read, members(op));
    // Exceptions of getters pass through unchanged.
    const thrown = new Error('mine');
    assert.throws(() => call({ get label() { throw thrown; } }), (error) => error === thrown);
    // label is a USVString.
    assert.ok(converts(() => call({ label: 12 })));
    assert.throws(() => call({ label: Symbol('x') }), TypeError);
    // Operands.
    const b = new MLGraphBuilder(context), args = plain(op, b);
    args.forEach((arg, i) => {
      if (arg instanceof webnn.MLOperand)
        for (const wrong of [undefined, null, {}, tensor, 1, Object.create(webnn.MLOperand.prototype), new Proxy(arg, {})]) {
          const bad = [...args];
          bad[i] = wrong;
          assert.ok(!converts(() => b[op.name](...bad)));
        }
    });
    for (const o of op.operands.filter((x) => x.in === 'options'))
      for (const wrong of [null, {}, 1, 'x', tensor]) assert.ok(!converts(() => call({ [o.name]: wrong })), o.name);
    for (const p of op.parameters) check(op, p, call);
  });
}

function check(op, p, call) {
  const base = p.type.replace('[]', ''), list = p.type.endsWith('[]');
  const values = table.enums[base]?.values ?? (base === 'data_type' ? table.dataTypes : null);
  const give = (value) => {
    if (!p.positional) return () => call({ [p.name]: value });
    const b = new MLGraphBuilder(context), args = plain(op, b);
    args[op.operands.filter((o) => o.in !== 'options').length + op.parameters.filter((q) => q.positional).indexOf(p)] = value;
    return () => b[op.name](...args);
  };
  const accepts = (value) => assert.ok(converts(give(value)), `${p.name} accepts ${inspect(value)}`);
  const refuses = (value) => assert.throws(give(value), TypeError, `${p.name} refuses ${inspect(value)}`);
  const refusesToConvert = (value) => assert.ok(!converts(give(value)), `${p.name} does not convert ${inspect(value)}`);
  if (list) {
    const sample = values ? values[0] : 1, n = p.length ?? 4;
    const good = new Array(n).fill(sample);
    accepts(good);
    accepts((function* () { yield* good; })());
    accepts({ [Symbol.iterator]: () => good.values() });
    accepts(Object.assign(new Array(n).fill(NaN), { [Symbol.iterator]: () => good.values() }));
    for (const wrong of [1, 'aa', true, {}, { length: 1, 0: 1 }, { [Symbol.iterator]: 1 }, { [Symbol.iterator]: () => 1 }, null]) refusesToConvert(wrong);
    const thrown = new Error('mine');
    assert.throws(give({ [Symbol.iterator]: () => ({ next() { throw thrown; } }) }), (error) => error === thrown);
    if (!values) accepts(Uint32Array.from(good));
    for (const wrong of values ? ['no', 1, undefined] : base === 'f32' ? [NaN, Infinity, -Infinity, 1e39, undefined, 'x'] : p.modulo ? [] : bad32)
      refusesToConvert([...good.slice(1), wrong]);
    refuses([...good.slice(1), 1n]);
    refuses([...good.slice(1), Symbol('x')]);
  } else if (values) {
    for (const value of values) { accepts(value); accepts({ toString: () => value }); }
    for (const wrong of ['', 'no', values[0].toUpperCase(), `${values[0]} `, `${values[0]}\0`, null, 0, {}]) refusesToConvert(wrong);
  } else if (base === 'u32' || base === 'splits') {
    for (const value of [1, 1.9, '1', true, { valueOf: () => 1 }, -0.5]) accepts(value);
    if (p.modulo) for (const value of [-1, NaN, Infinity, 2 ** 32 + 1, undefined]) accepts(value);
    else for (const wrong of bad32) refusesToConvert(wrong);
    refuses(1n);
    refuses(Symbol('x'));
  } else if (base === 'i32') {
    for (const value of [0, -1, 2 ** 31 - 1, -(2 ** 31), -1.5, null]) accepts(value);
    for (const wrong of [2 ** 31, -(2 ** 31) - 1, NaN, Infinity, 'x']) refusesToConvert(wrong);
  } else if (base === 'f64') {
    for (const value of [0, -1e300, '2', null, true]) accepts(value);
    for (const wrong of [NaN, Infinity, -Infinity, 'x', {}]) refusesToConvert(wrong);
    refuses(1n);
  } else if (base === 'number') {
    for (const value of [NaN, Infinity, 1n, 1n << 200n, '1', null, { valueOf: () => 7n }, Object(3n)]) accepts(value);
    refuses(Symbol('x'));
  } else {
    assert.equal(base, 'bool');
    for (const value of [true, 0, '', null, {}, Symbol('x'), 1n]) accepts(value);
  }
}

// ---- Against the facts of the specification ----

const spec = shared('spec');
test('the table of operations is that of the specification', { skip: spec ? false : '../shared is missing' }, () => {
  const facts = JSON.parse(readFileSync(join(spec, 'webnn-ops.json'), 'utf8'));
  const limits = context.opSupportLimits();
  const tensorLimits = (member, where) => {
    assert.deepEqual(Object.keys(member), ['dataTypes', 'rankRange'], where);
    assert.deepEqual(Object.keys(member.rankRange), ['max', 'min'], where);
  };
  assert.deepEqual(Object.keys(facts.operations).sort(), operations.map((op) => op.name).sort());
  assert.deepEqual(Object.keys(limits), [...Object.keys(facts.operations), 'input', 'constant', 'output', 'maxTensorByteLength', 'preferredInputLayout'].sort());
  for (const op of Object.values(facts.operations)) {
    const required = op.signature.match(/\((.*)\)/)[1].split(', ').filter((name) => !name.endsWith('?'));
    assert.equal(MLGraphBuilder.prototype[op.name].length, required.length, op.name);
    const mine = operations.find((o) => o.name === op.name);
    assert.deepEqual(members(mine), ['label', ...op.options.map((o) => o.name).filter((name) => name !== 'label').sort()], op.name);
    const { key, members: names } = op.supportLimits;
    assert.deepEqual(Object.keys(limits[key]), [...names].sort(), op.name);
    const described = [...op.operands.map((o) => [o.name, o]), ...op.outputs.items.map((o) => [o.limitsMember, o])];
    for (const [name, o] of described) {
      const member = limits[key][name];
      if (!member) continue;
      tensorLimits(member, `${op.name}.${name}`);
      for (const type of member.dataTypes) assert.ok(o.allowedDataTypes.includes(type), `${op.name}.${name} allows ${type}`);
      for (const type of o.requiredDataTypes) assert.ok(member.dataTypes.includes(type), `${op.name}.${name} has ${type}`);
      assert.ok(member.rankRange.min <= o.requiredRank.min && member.rankRange.max >= o.requiredRank.max, `${op.name}.${name}: required ranks`);
      // A single index gathers a scalar, which the steps of gather() allow and its table of ranks does not.
      const least = op.name === 'gather' && name === 'output' ? 0 : o.allowedRank.min;
      assert.ok(member.rankRange.min >= least, `${op.name}.${name}: allowed ranks`);
      if (o.allowedRank.max !== null) assert.ok(member.rankRange.max <= o.allowedRank.max, `${op.name}.${name}: allowed ranks`);
    }
  }
  for (const [name, values] of Object.entries(facts.enums)) {
    const mine = name === 'MLOperandDataType' ? table.dataTypes : Object.values(table.enums).find((e) => e.idl === name)?.values;
    assert.deepEqual(mine, values, name);
  }
  for (const member of ['input', 'constant', 'output']) {
    tensorLimits(limits[member], member);
    assert.deepEqual([...limits[member].dataTypes].sort(), Object.keys(facts.dataTypes).sort());
  }
  assert.ok(['nchw', 'nhwc'].includes(limits.preferredInputLayout));
  assert.ok(limits.maxTensorByteLength >= 2 ** 31 - 1);
});
