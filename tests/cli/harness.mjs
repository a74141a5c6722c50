// Named tests that run one after the other; the last line is "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Skip extends Error {}

export const folder = mkdtempSync(join(tmpdir(), 'webnn-cli-'));
let passed = 0, failed = 0, skipped = 0;

export const test = (name, body) => {
  try {
    body();
    passed++;
  } catch (error) {
    if (error instanceof Skip) {
      skipped++;
      console.log(`skipped: ${name}: ${error.message}`);
    } else {
      failed++;
      console.log(`FAILED: ${name}\n  ${(error.stack ?? String(error)).replaceAll('\n', '\n  ')}`);
    }
  }
};

export const finish = () => {
  rmSync(folder, { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed ? 1 : 0);
};

// { code, out, err }
export const command = (program, args, env = {}) => {
  const run = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 1 << 28, timeout: 300000 });
  if (run.error) throw run.error;
  return { code: run.status, out: run.stdout, err: run.stderr };
};
