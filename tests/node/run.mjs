// Runs the test files one after the other, each in its own process, and counts. Arguments: names to run.
//   node tests/node/run.mjs [name ...]      WEBNN_NODE_FLAGS: more flags for Node
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter((f) => f.endsWith('.test.mjs')).sort()
  .filter((f) => !wanted.length || wanted.includes(f.replace('.test.mjs', '')));
const total = { pass: 0, fail: 0, skipped: 0 };

function run(file) {
  return new Promise((done) => {
    const flags = ['--expose-gc', '--test-reporter=tap', ...(process.env.WEBNN_NODE_FLAGS?.split(' ') ?? [])];
    const child = spawn(process.execPath, [...flags, folder + file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
    child.on('close', (code, signal) => {
      const count = (name) => Number(text.match(new RegExp(`^# ${name} (\\d+)$`, 'm'))?.[1] ?? 0);
      const result = { pass: count('pass'), fail: count('fail') + count('cancelled'), skipped: count('skipped') };
      if (signal || (code && !result.fail) || !/^# pass/m.test(text)) result.fail++;
      if (result.fail) console.log(text.split('\n').filter((line, i, all) => /^\s*(not ok|error:|#)/.test(line) && !/^# (Subtest|tests|suites|pass|todo|duration)/.test(line.trim())).slice(0, 200).join('\n'));
      else console.log(text.split('\n').filter((line) => /^# /.test(line) && !/^# (Subtest|tests|suites|pass|fail|cancelled|skipped|todo|duration)/.test(line)).join('\n'));
      console.log(`${file}: ${result.pass} passed, ${result.fail} failed, ${result.skipped} skipped${signal ? ` (${signal})` : ''}`);
      for (const key of Object.keys(total)) total[key] += result[key];
      done();
    });
  });
}

for (const file of files) await run(file);
console.log(`${total.pass} passed, ${total.fail} failed, ${total.skipped} skipped`);
process.exitCode = total.fail || !files.length ? 1 : 0;
