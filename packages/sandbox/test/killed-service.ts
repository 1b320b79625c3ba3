/** A service with a sandbox, to be killed. It runs a harmless command, reports that, and runs a second one that it reads from stdin. */
import { createInterface } from 'node:readline';
import type { SandboxLimits } from '@sluice/core/workspace';
import { createBwrapSandbox } from '../src/bwrap/bwrap-sandbox.ts';

const [data = '', root = '', path = ''] = process.argv.slice(2);
const sandbox = createBwrapSandbox({ readPaths: [], path, hideRoots: [data], scratchRoot: data });
const limits: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 256 * 2 ** 20,
  processes: 50,
  fileBytes: 2 ** 20,
  diskBytes: 32 * 2 ** 20,
  outputBytes: 8_192,
};
const run = (command: string) =>
  sandbox.run({
    command,
    root,
    gitDir: null,
    allowHosts: [],
    owner: 'user-1',
    limits,
    signal: AbortSignal.timeout(60_000),
  });

await run('true');
process.stdout.write('ready\n');
for await (const command of createInterface({ input: process.stdin })) await run(command);
