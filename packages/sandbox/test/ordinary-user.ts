/** Runs commands and prints their results. The tests start it as an ordinary user. */
import type { SandboxLimits } from '@sluice/core/workspace';
import { createBwrapSandbox } from '../src/bwrap/bwrap-sandbox.ts';

const [options = '', root = '', ...commands] = process.argv.slice(2);
const sandbox = createBwrapSandbox(JSON.parse(options));
const limits: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 160 * 2 ** 20,
  processes: 50,
  fileBytes: 2 ** 20,
  diskBytes: 32 * 2 ** 20,
  outputBytes: 8_192,
};
const results: unknown[] = [await sandbox.probe()];
for (const command of commands) {
  results.push(
    await sandbox
      .run({
        command,
        root,
        gitDir: null,
        allowHosts: [],
        owner: 'user-1',
        limits,
        signal: AbortSignal.timeout(100_000),
      })
      .catch(String),
  );
}
process.stdout.write(JSON.stringify(results));
