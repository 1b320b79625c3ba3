import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { createBwrapSandbox } from '../src/bwrap/bwrap-sandbox.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const root = join(folder, 'tree');
mkdirSync(root);
if (process.getuid?.() === 0) chownSync(root, 200_000, 200_000);
const path = '/usr/bin:/bin';
const sandbox = createBwrapSandbox({ readPaths: [], path, hideRoots: [], scratchRoot: folder });
await sandbox.probe(); // found out once in a service's life, so not part of a command's cost

// Compared with running the command directly: the ratio is the overhead of the sandbox.
it('runs a command in the sandbox, beside one that is spawned plainly', async ({ bench }) => {
  await bench.compare(
    bench('spawned plainly', async () => {
      await run('sh', ['-c', 'true']);
    }),
    bench('in bubblewrap, with all limits', async () => {
      await sandbox.run({
        command: 'true',
        root,
        gitDir: null,
        allowHosts: [],
        owner: 'user-1',
        limits: {
          timeoutMs: 10_000,
          memoryBytes: 512 * 1024 ** 2,
          processes: 64,
          fileBytes: 1024 ** 2,
          diskBytes: 16 * 1024 ** 2,
          outputBytes: 64 * 1024,
        },
        signal: AbortSignal.timeout(10_000),
      });
    }),
  );
});
