// Memory, threads, the event loop, the end of processes.
import test from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { webnn, packageFolder, gc, instrumented, program, turn } from './support.mjs';

const { ml, MLGraphBuilder } = webnn;
const desc = { dataType: 'float32', shape: [2, 2] };
const noGc = gc ? false : 'needs --expose-gc';
const module = JSON.stringify(join(packageFolder, 'node', 'index.js'));

async function settle() {
  for (let i = 0; i < 4; i++) { gc(); await turn(); await turn(); }
}
const mega = () => process.memoryUsage().rss / 2 ** 20;

/** Runs `once` until memory is warm, then many times; memory must stay. Sanitizers keep freed memory, so that then only
 * accesses are tested, fewer times. */
async function flat(name, many, once, slack = 24) {
  const count = instrumented ? many / 50 : many;
  for (let i = 0; i < count / 10; i++) await once(i);
  await settle();
  const before = mega();
  for (let i = 0; i < count; i++) await once(i);
  await settle();
  const growth = mega() - before;
  console.log(`# ${name}: ${count} times, memory ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MiB`);
  assert.ok(instrumented || growth < slack, `${name}: memory grew by ${growth.toFixed(1)} MiB`);
}

test('100,000 objects of each kind leave no memory behind', { skip: noGc }, async () => {
  const context = await ml.createContext();
  await flat('tensors destroyed', 100000, async () => { (await context.createTensor(desc)).destroy(); });
  await flat('tensors dropped', 100000, () => context.createTensor(desc));
  await flat('builders and operands dropped', 100000, async (i) => {
    const builder = new MLGraphBuilder(context);
    builder.add(builder.input('x', desc), builder.constant('float32', i), { label: 'a label' });
    if (i % 64 === 0) await turn();
  });
  await flat('graphs', 100000, async (i) => {
    const builder = new MLGraphBuilder(context);
    const graph = await builder.build({ y: builder.relu(builder.input('x', desc)) });
    if (i % 2) graph.destroy();
  });
});

test('100,000 contexts leave no memory behind', { skip: noGc }, async () => {
  // Contexts have threads and tables: most are destroyed, some only dropped.
  await flat('contexts', 100000, async (i) => {
    const context = await ml.createContext();
    if (i % 2) context.destroy();
    if (i % 64 === 0) await turn();
  }, 40);
});

test('memory outside the heap is announced to the collector', { skip: noGc || instrumented }, async () => {
  const context = await ml.createContext(), big = { dataType: 'float32', shape: [1 << 20], writable: true };
  // 4 GiB of tensors that are only dropped: the collector must keep up by itself.
  for (let i = 0; i < 1024; i++) { context.writeTensor(await context.createTensor(big), new Float32Array(1 << 20)); if (i % 16 === 0) await turn(); }
  console.log(`# after 4 GiB of dropped tensors: ${mega().toFixed(0)} MiB in use`);
  assert.ok(mega() < 1500, `${mega().toFixed(0)} MiB are in use`);
});

test('wrappers keep what they need alive', { skip: noGc }, async () => {
  let operand, graph, tensor;
  const weak = await (async () => {
    const context = await ml.createContext(), builder = new MLGraphBuilder(context);
    operand = builder.input('x', desc);
    const second = new MLGraphBuilder(context);
    graph = await second.build({ y: second.relu(second.input('x', desc)) });
    tensor = await context.createTensor(desc);
    return [new WeakRef(context), new WeakRef(builder)];
  })();
  await settle();
  for (const reference of weak) assert.equal(reference.deref(), undefined, 'must be collected');
  assert.deepEqual(operand.shape, [2, 2]);
  assert.deepEqual(tensor.shape, [2, 2]);
  tensor.destroy();
  graph.destroy();
});

test('a context with reactions on lost can be collected', { skip: noGc }, async () => {
  const weak = await (async () => {
    const context = await ml.createContext();
    context.lost.then(() => context.destroy());
    return new WeakRef(context);
  })();
  await settle();
  assert.equal(weak.deref(), undefined);
});

/** Takes a measurement of time until it comes out well, for which it gives nothing: what else runs on the machine spoils some,
 * a fault of the addon spoils all. */
async function measured(measure) {
  let failure;
  for (let attempt = 0; attempt < 5; attempt++) {
    failure = await measure();
    if (!failure) return;
    console.log(`# ${failure}`);
  }
  assert.fail(failure);
}

/** A graph of matrix products that takes about `ms`. */
async function slow(ms) {
  const context = await ml.createContext(), n = 384, shape = { dataType: 'float32', shape: [n, n] };
  const make = async (count) => {
    const builder = new MLGraphBuilder(context), w = builder.input('w', shape);
    let y = w;
    for (let i = 0; i < count; i++) y = builder.tanh(builder.matmul(y, w));
    return builder.build({ y });
  };
  const w = await context.createTensor({ ...shape, writable: true }), y = await context.createTensor({ ...shape, readable: true });
  context.writeTensor(w, new Float32Array(n * n).fill(0.001));
  const run = async (graph) => { context.dispatch(graph, { w }, { y }); await context.readTensor(y); };
  const probe = await make(8);
  await run(probe);
  const start = performance.now();
  await run(probe);
  const each = (performance.now() - start) / 8;
  return { context, graph: await make(Math.ceil(ms / each)), run, w, y };
}

test('the event loop turns while a graph is built, runs and is read', () => measured(async () => {
  const { graph, run } = await slow(400);
  let worst = 0, last = performance.now(), ticks = 0;
  const timer = setInterval(() => { const now = performance.now(); worst = Math.max(worst, now - last - 5); last = now; ticks++; }, 5);
  const start = performance.now();
  await run(graph);
  const took = performance.now() - start;
  clearInterval(timer);
  console.log(`# ${took.toFixed(0)} ms of computing, ${ticks} timer ticks, greatest delay ${worst.toFixed(1)} ms`);
  if (took < 150) return `the graph took only ${took} ms`;
  if (worst > took / 3) return `a timer was late by ${worst} ms`;
  if (ticks < took / 40) return `${ticks} ticks in ${took} ms`;
}));

test('dropping a context that computes does not block', { skip: noGc }, () => measured(async () => {
  let longest = 0;
  await (async () => {
    const { context, graph, w, y } = await slow(400);
    context.dispatch(graph, { w }, { y });
  })();
  for (let i = 0; i < 10; i++) {
    const start = performance.now();
    await turn();
    longest = Math.max(longest, performance.now() - start);
    gc();
  }
  if (longest > 200) return `a turn took ${longest} ms`;
}));

test('many small reads in a row do not starve timers', () => measured(async () => {
  const context = await ml.createContext(), tensor = await context.createTensor({ ...desc, readable: true });
  let fired = 0;
  const timer = setInterval(() => { fired++; }, 1);
  const end = performance.now() + 200;
  while (performance.now() < end) await context.readTensor(tensor);
  clearInterval(timer);
  if (fired < 10) return `${fired} timers fired in 200 ms`;
}));

test('4 worker threads at once', async () => {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { ml, MLGraphBuilder } = require(${module});
    (async () => {
      const desc = { dataType: 'float32', shape: [64, 64] };
      let sum = 0;
      for (let round = 0; round < 10; round++) {
        const context = await ml.createContext(), builder = new MLGraphBuilder(context);
        const x = builder.input('x', desc);
        const graph = await builder.build({ y: builder.matmul(x, builder.constant(desc, new Float32Array(4096).fill(workerData))) });
        const tx = await context.createTensor({ ...desc, writable: true }), ty = await context.createTensor({ ...desc, readable: true });
        for (let i = 0; i < 20; i++) {
          context.writeTensor(tx, new Float32Array(4096).fill(i));
          context.dispatch(graph, { x: tx }, { y: ty });
          sum += new Float32Array(await context.readTensor(ty))[17];
        }
        if (round % 2) context.destroy();
      }
      parentPort.postMessage(sum);
    })();`;
  const results = await Promise.all([1, 2, 3, 4].map((n) => new Promise((resolve, reject) => {
    const worker = new Worker(source, { eval: true, workerData: n });
    let result;
    worker.on('message', (value) => { result = value; }).on('error', reject)
      .on('exit', (code) => (code ? reject(new Error(`exit code ${code}`)) : resolve(result)));
  })));
  assert.deepEqual(results, [1, 2, 3, 4].map((n) => 10 * 190 * 64 * n));
});

test('workers are terminated while work is pending', async () => {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const { ml, MLGraphBuilder } = require(${module});
    (async () => {
      const context = await ml.createContext(), desc = { dataType: 'float32', shape: [256, 256] };
      const builder = new MLGraphBuilder(context), x = builder.input('x', desc);
      let y = x;
      for (let i = 0; i < 20; i++) y = builder.matmul(y, x);
      const graph = await builder.build({ y });
      const tx = await context.createTensor(desc), ty = await context.createTensor({ ...desc, readable: true });
      parentPort.postMessage('started');
      for (;;) { context.dispatch(graph, { x: tx }, { y: ty }); await context.readTensor(ty); }
    })();`;
  for (let round = 0; round < 4; round++) {
    await Promise.all([1, 2].map(() => new Promise((resolve, reject) => {
      const worker = new Worker(source, { eval: true });
      worker.on('message', () => { worker.terminate(); }).on('error', reject).on('exit', resolve);
    })));
  }
});

const endings = {
  'falling off the end waits for pending promises': { code: `pending().then(() => console.log('done'));`, expect: 'done' },
  'process.exit with reads pending': { code: `pending(); setTimeout(() => process.exit(0), 1);`, expect: '' },
  'process.exit at once': { code: `pending(); process.exit(0);`, expect: '' },
  'an exception with work pending': { code: `pending(); throw new Error('wanted');`, status: 1, expect: '' },
  'dispatches only': { code: `dispatch(); console.log('queued');`, expect: 'queued' },
  'a build that is pending': { code: `build(); process.exit(0);`, expect: '' },
  'a context that is open does not keep the process alive': { code: `console.log('idle');`, expect: 'idle' },
};
for (const [name, { code, expect, status = 0 }] of Object.entries(endings)) {
  test(`end: ${name}`, () => {
    const source = `
      const { ml, MLGraphBuilder } = require(${module});
      (async () => {
        const context = await ml.createContext(), desc = { dataType: 'float32', shape: [256, 256] };
        const make = () => {
          const builder = new MLGraphBuilder(context), x = builder.input('x', desc);
          let y = x;
          for (let i = 0; i < 60; i++) y = builder.tanh(builder.matmul(y, x));
          return builder.build({ y });
        };
        const graph = await make(), x = await context.createTensor(desc), y = await context.createTensor({ ...desc, readable: true });
        const dispatch = () => context.dispatch(graph, { x }, { y });
        const build = make;
        const pending = () => { dispatch(); return Promise.all([context.readTensor(y), context.readTensor(y, new ArrayBuffer(262144)), make()]); };
        ${code}
      })();`;
    const child = program(source);
    assert.equal(child.signal, null, child.stderr);
    assert.equal(child.status, status, child.stderr);
    assert.equal(child.stdout.trim(), expect);
    if (!status) assert.equal(child.stderr, '');
  });
}

test('the module loads again and again in one process', () => {
  const source = `
    const { Worker } = require('node:worker_threads');
    (async () => {
      for (let i = 0; i < 20; i++)
        await new Promise((done) => new Worker('require(' + ${JSON.stringify(module)} + ')', { eval: true }).on('exit', done));
      console.log('ok');
    })();`;
  const child = program(source);
  assert.equal(child.stdout.trim(), 'ok', child.stderr);
});
