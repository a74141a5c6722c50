// The benchmark: the library and ONNX Runtime on the same models, in turns.
//
//   node bench/bench.mjs [--build DIR] [--only PART,...] [--kind network,real,operation] [--full] [--threads 1,2]
//                        [--rounds N] [--seconds S] [--features MASK] [--disable MASK] [--profile] [--no-peer] [--builder] [--out FILE]
//
// Every work runs in one process for each engine. The processes take turns (A B A B), and only one has work at any time;
// minima are taken over all rounds, medians from the round with the least foreign load. Outputs of both engines are
// compared: a fast wrong answer is an error. Writes FILE (DIR/bench.json): a list of {work, threads, ours_ms, peer_ms,
// ratio}, with more facts in each entry; FILE with .txt and .svg: table and plot.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadavg, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { prepare, root, works } from './models.mjs';
import { compare } from './compare.mjs';
import { plot, table } from './report.mjs';

const PEER = 'onnxruntime-node@1.30.0';

function options(list) {
  const o = { build: join(root, 'build'), only: [], kind: null, full: false, threads: [1, 2], rounds: 5, seconds: 0.15, features: null, disable: null, profile: false, peer: true, builder: false, out: null };
  for (let i = 0; i < list.length; i++) {
    const next = () => list[++i] ?? fail(`${list[i - 1]} needs a value`);
    switch (list[i]) {
      case '--build': o.build = resolve(next()); break;
      case '--only': o.only = next().split(','); break;
      case '--kind': o.kind = next().split(','); break;
      case '--threads': o.threads = next().split(',').map(Number); break;
      case '--rounds': o.rounds = Number(next()); break;
      case '--seconds': o.seconds = Number(next()); break;
      case '--features': o.features = next(); break;
      case '--disable': o.disable = next(); break;
      case '--out': o.out = resolve(next()); break;
      case '--full': o.full = true; break;
      case '--profile': o.profile = true; break;
      case '--builder': o.builder = true; break;
      case '--no-peer': o.peer = false; break;
      default: fail(`unknown argument ${list[i]}`);
    }
  }
  o.out ??= join(o.build, 'bench.json');
  return o;
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

// The peer's shared library, from the development dependencies or installed for the benchmark alone.
function peerLibrary(build) {
  const find = (modules) => {
    const base = join(modules, 'onnxruntime-node/bin');
    if (!existsSync(base)) return null;
    for (const napi of readdirSync(base)) {
      const folder = join(base, napi, 'linux', process.arch);
      const file = existsSync(folder) && readdirSync(folder).find((name) => name.startsWith('libonnxruntime.so'));
      if (file) return join(folder, file);
    }
    return null;
  };
  const peers = join(build, 'peers');
  const have = find(join(root, 'node_modules')) ?? find(join(peers, 'node_modules'));
  if (have) return have;
  mkdirSync(peers, { recursive: true });
  spawnSync('npm', ['install', '--prefix', peers, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', PEER], { stdio: 'inherit' });
  return find(join(peers, 'node_modules')) ?? fail(`cannot install ${PEER}; --no-peer measures without it`);
}

// Processor seconds of the whole machine, and those of a process.
const busy = () => readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number)
  .reduce((sum, v, i) => sum + (i === 3 || i === 4 || i > 7 ? 0 : v), 0) / 100;
const own = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

// A process of webnn-bench.
class Runner {
  constructor(command, args) {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async answer() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the runner ended early');
    return JSON.parse(value);
  }

  ask(command) {
    this.process.stdin.write(`${command}\n`);
    return this.answer();
  }

  // A turn, with the processors that others used meanwhile.
  async turn(seconds) {
    const [before, mine, start] = [busy(), own(this.process.pid), performance.now()];
    const result = await this.ask(`run ${seconds}`);
    const wall = (performance.now() - start) / 1000;
    return { ...result, others: Math.max(0, (busy() - before - (own(this.process.pid) - mine)) / wall) };
  }

  async close() {
    const ended = new Promise((done) => this.process.on('exit', done));
    this.process.stdin.end('quit\n');
    await ended;
  }
}

function argumentsOf(work, engine, threads, o, library) {
  return [engine, '--model', work.file, ...(engine === 'ours' && o.builder ? ['--network', work.name] : []), '--threads', `${threads}`, ...(engine === 'peer' ? ['--library', library] : []),
    ...(o.features ? ['--features', o.features] : []), ...(o.disable ? ['--disable', o.disable] : []), ...(o.profile ? ['--profile'] : []),
    ...work.inputs.flatMap((t) => ['--in', t.name, t.type, t.dims.join(',') || '-', t.fill]), ...work.outputs.flatMap((name) => ['--out', name])];
}

async function measure(work, threads, o, runner, library, scratch) {
  const engines = o.peer ? ['ours', 'peer'] : ['ours'];
  const result = Object.fromEntries(engines.map((engine) => [engine, { build_ms: Infinity, min_ms: Infinity, median_ms: Infinity, others: Infinity }]));
  const note = (engine, { build_ms, first_ms }) => { result[engine].build_ms = Math.min(result[engine].build_ms, build_ms + first_ms); };
  const start = async (engine) => {
    const one = new Runner(runner, argumentsOf(work, engine, threads, o, library));
    note(engine, await one.answer());
    return one;
  };
  // Loading is measured on fresh processes, in turns as well.
  if (work.kind !== 'operation') {
    for (let i = 0; i < 2; i++) for (const engine of engines) await (await start(engine)).close();
  }
  const running = {};
  for (const engine of engines) running[engine] = await start(engine);
  try {
    for (let round = 0; round < o.rounds; round++) {
      for (const engine of engines) {
        const turn = await running[engine].turn(o.seconds), all = result[engine];
        all.min_ms = Math.min(all.min_ms, turn.min_ms);
        if (turn.others < all.others) Object.assign(all, { others: turn.others, median_ms: turn.median_ms });
      }
    }
    const dumps = {};
    for (const engine of engines) {
      const prefix = join(scratch, engine);
      dumps[engine] = { prefix, count: (await running[engine].ask(`dump ${prefix}`)).outputs };
      result[engine].peak_kb = (await running[engine].ask('peak')).peak_kb;
    }
    if (o.peer) result.difference = compare(dumps.ours, dumps.peer);
    if (o.profile) await running.ours.ask('steps');
  } finally {
    for (const one of Object.values(running)) await one.close();
  }
  return result;
}

function entry(work, threads, { ours, peer, difference }, limits) {
  const round = (v, digits = 4) => (Number.isFinite(v) ? Number(v.toFixed(digits)) : null);
  const at = limits[Math.min(threads, 2)], peak = Math.max(at.avx512_gflops ?? 0, at.avx2_gflops ?? at.baseline_gflops);
  const bandwidth = work.bytes <= 400e3 * threads ? at.l2_gbs : work.bytes <= 24e6 ? at.l3_gbs : at.memory_gbs;
  const limit = Math.max(work.flops / peak, work.bytes / bandwidth) / 1e6;
  return {
    work: work.name, row: work.row, kind: work.kind, threads, ours_ms: round(ours.min_ms, 6), peer_ms: peer ? round(peer.min_ms, 6) : null,
    ratio: peer ? round(peer.min_ms / ours.min_ms, 3) : null, ours_median_ms: round(ours.median_ms, 6), peer_median_ms: peer ? round(peer.median_ms, 6) : null,
    gflops: work.flops ? round(work.flops / ours.min_ms / 1e6, 1) : null, limit_percent: limit > 0 ? round(100 * limit / ours.min_ms, 1) : null,
    others: round(Math.min(ours.others, peer?.others ?? Infinity), 2), difference: difference ?? null,
    ...(work.kind === 'operation' ? {} : {
      ours_build_ms: round(ours.build_ms, 2), peer_build_ms: peer ? round(peer.build_ms, 2) : null, build_ratio: peer ? round(peer.build_ms / ours.build_ms, 2) : null,
      ours_peak_mb: round(ours.peak_kb / 1024, 1), peer_peak_mb: peer ? round(peer.peak_kb / 1024, 1) : null, memory_ratio: peer ? round(ours.peak_kb / peer.peak_kb, 3) : null,
    }),
  };
}

const o = options(process.argv.slice(2));
const runner = join(o.build, 'bench/webnn-bench');
if (!existsSync(runner)) fail(`${runner} is missing; build it first (needs the ONNX importer)`);
const library = o.peer ? peerLibrary(o.build) : null;
const short = new Set(['mobilenetv2', 'squeezenet1.1', 'minilm', 'ppocr-rec', 'matmul_512x512x512', 'matmul_1x768x3072', 'conv3x3_56_64', 'depthwise3x3_56_144',
  'layernorm_128x768', 'softmax_12x128x128_axis-1', 'gelu_128x3072', 'erf_1M', 'pow_1M_scalar', 'sin_1M', 'transpose_1024x1024', 'resize_linear2x_64x56x56',
  'maxpool3x3s2_64x112x112', 'add_1M_row', 'argmax_last_1M', 'lstm_64_128_128', 'gru_64_128_128', 'matmulinteger_128x768x3072', 'qdq_resnet']);
const chosen = works(join(root, 'build/bench')).filter((work) => (!o.kind || o.kind.includes(work.kind))
  && (o.only.length ? o.only.some((part) => work.name.includes(part)) : o.full || o.kind || short.has(work.name)));
if (!chosen.length) fail('no work has such a name');

const scratch = join(o.build, `bench-scratch-${process.pid}`);
mkdirSync(scratch, { recursive: true });
const limitsFile = join(o.build, 'bench-limits.json');
// The best that was ever seen here: a busy machine shows less.
const limits = existsSync(limitsFile) ? JSON.parse(readFileSync(limitsFile, 'utf8')) : {};
for (const [threads, seen] of Object.entries(JSON.parse(spawnSync(join(o.build, 'bench/webnn-limits'), { encoding: 'utf8' }).stdout))) {
  limits[threads] ??= {};
  for (const [what, value] of Object.entries(seen)) limits[threads][what] = Math.max(value, limits[threads][what] ?? 0);
}
writeFileSync(limitsFile, JSON.stringify(limits));
const entries = [];
let failed = 0;
for (const work of chosen.map(prepare)) {
  for (const threads of o.threads) {
    try {
      const one = entry(work, threads, await measure(work, threads, o, runner, library, scratch), limits);
      entries.push(one);
      console.log(table([one], entries.length === 1));
      // Quantised results may differ by a step, and steps are coarse.
      if (one.difference > (/QDQ|quant/.test(work.row) ? 0.1 : 0.005)) {
        failed++;
        console.log(`${work.name}: the results differ by ${one.difference}`);
      }
    } catch (error) {
      failed++;
      entries.push({ work: work.name, row: work.row, kind: work.kind, threads, ours_ms: null, peer_ms: null, ratio: null, error: error.message });
      console.log(`${work.name.padEnd(32)} ${threads}  ${error.message}`);
    }
  }
}
rmSync(scratch, { recursive: true, force: true });

const head = `${new Date().toISOString().slice(0, 10)}  ${cpus()[0].model} x ${cpus().length}  load ${loadavg()[0].toFixed(1)}  features ${o.features ?? 'all'}\n`
  + Object.entries(limits).map(([t, l]) => `limits, ${t} thread${t > 1 ? 's' : ''}: ${Object.entries(l).map(([k, v]) => `${k.replace('_', ' ')} ${v}`).join(', ')}`).join('\n');
writeFileSync(o.out, `[\n${entries.map((e) => `  ${JSON.stringify(e)}`).join(',\n')}\n]\n`);
writeFileSync(o.out.replace(/(\.json)?$/, '.txt'), `${head}\n\n${table(entries, true)}\n`);
if (o.peer) writeFileSync(o.out.replace(/(\.json)?$/, '.svg'), plot(entries, head.split('\n')[0]));
console.log(`\n${head}\n${entries.length - failed} measured, ${failed} failed; ${o.out}`);
process.exitCode = failed ? 1 : 0;
