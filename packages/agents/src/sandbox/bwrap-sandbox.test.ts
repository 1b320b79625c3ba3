import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxCommand } from '@sluice/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBwrapSandbox } from './bwrap-sandbox.ts';

let base: string;
let tree: string;
const limits = {
  timeoutMs: 20_000,
  memoryBytes: 512 << 20,
  processes: 64,
  fileBytes: 64 << 20,
  diskBytes: 256 << 20,
  outputBytes: 64 << 10,
};
const sandbox = () =>
  createBwrapSandbox({ readPaths: [], path: process.env['PATH'] ?? '', hideRoots: [base], scratchRoot: base });
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  tree = join(base, 'tree');
  await mkdir(tree);
  await chmod(base, 0o700);
  await chown(tree, 5_001, 5_001);
});
afterAll(() => rm(base, { recursive: true, force: true }));
const sh = (command: string, more: Partial<SandboxCommand> = {}) =>
  sandbox().run({
    command,
    root: tree,
    gitDir: null,
    allowHosts: [],
    signal: new AbortController().signal,
    limits,
    ...more,
  });

test('probes', async () => {
  console.log(await sandbox().probe());
  const s = sandbox();
  await s.probe();
  const at = performance.now();
  for (let i = 0; i < 20; i += 1)
    await s.run({
      command: 'true',
      root: tree,
      gitDir: null,
      allowHosts: [],
      signal: new AbortController().signal,
      limits,
    });
  console.log((performance.now() - at) / 20);
  console.log(
    await sh(
      'id; env; ls -la / /workspace /tmp; ls -l /proc/self/fd; cat /proc/self/status | grep -E "Cap|Secc"; node -v; python3 --version; cargo --version; java -version; mvn --version; npm -v; git --version; node -e "console.log(os.userInfo())"; exit 9',
    ),
  );
});
