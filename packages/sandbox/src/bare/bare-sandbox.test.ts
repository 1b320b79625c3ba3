import { execFileSync } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScratchTree, scratchTree } from '../../test/scratch-tree.ts';
import { ofThisRun } from '../../test/sleeping.ts';
import { createBareSandbox } from './bare-sandbox.ts';

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
const sandbox = createBareSandbox({ path });
const asRoot = process.getuid?.() === 0;
let scratch: ScratchTree;
let root: string;
beforeAll(async () => {
  scratch = await scratchTree();
  root = await scratch.tree('tree');
});
afterAll(() => scratch[Symbol.asyncDispose]());

const run = (command: string, more: Parameters<ScratchTree['command']>[2] = {}) =>
  sandbox.run(scratch.command(root, command, more));
const alive = (seconds: number) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line === `sleep ${ofThisRun(seconds)}`).length;

test('reports that it isolates nothing', async () => {
  const probe = await sandbox.probe();
  expect(probe).toMatchObject({ kind: 'none', usable: true });
  expect(probe.gaps[0]).toContain('WITHOUT ISOLATION');
  expect(probe.gaps.join(' ')).toMatch(/file.*network.*processes/s);
});

test('runs in the tree with a clean environment and passes the exit code through', async () => {
  process.env.SLUICE_TEST_SECRET = 'hunter2';
  const result = await run('pwd; env; exit 5');
  delete process.env.SLUICE_TEST_SECRET;
  expect(result).toMatchObject({ exitCode: 5, endedBy: 'exit' });
  expect(result.output.startsWith(`${root}\n`)).toBe(true);
  expect(result.output).not.toContain('hunter2');
});

test('ends a command at its limits of time, output, memory and file size', async () => {
  const late = await run(`sleep ${ofThisRun(1212)}`, { limits: { timeoutMs: 300 } });
  expect(late).toMatchObject({ endedBy: 'timeout', exitCode: null });
  expect(await run('yes', { limits: { outputBytes: 1_000 } })).toMatchObject({ endedBy: 'output', truncated: true });
  const hog = `node -e "const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 20)"`;
  expect(await run(hog, { limits: { memoryBytes: 128 << 20 } })).toMatchObject({ endedBy: 'memory' });
  const unmapped = `python3 -c "
import os, time
kept = [os.memfd_create('x') for i in range(20)]
for fd in kept: os.write(fd, bytes(16 << 20))
time.sleep(60)"`;
  expect(await run(unmapped, { limits: { memoryBytes: 128 << 20 } })).toMatchObject({ endedBy: 'memory' });
  await run('head -c 10M /dev/zero > big', { limits: { fileBytes: 1 << 20 } });
  expect((await lstat(join(root, 'big'))).size).toBe(1 << 20);
  expect(alive(1212)).toBe(0);
});

test('gives a command a lower priority, which only root can raise, and makes the kernel kill it first', async () => {
  const { output } = await run('nice; renice -n 0 -p $$ 2>/dev/null; nice; cat /proc/self/oom_score_adj');
  const lowered = Math.min(getPriority() + 5, 19);
  const raised = asRoot ? 0 : lowered;
  expect(output.replace(/.*priority.*\n/, '')).toBe(`${lowered}\n${raised}\n1000\n`);
});

test('kills processes in another session when the command ends or is cancelled', async () => {
  const away = `sleep ${ofThisRun(2323)}`;
  const leaves = `(setsid nohup ${away} >/dev/null 2>&1 &); until ps -eo args | grep -qxF '${away}'; do sleep 0.05; done; exit 0`;
  expect(await run(leaves)).toMatchObject({ exitCode: 0 });
  expect(alive(2323)).toBe(0);
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const running = run(`trap '' TERM; setsid sleep ${ofThisRun(3434)} & sleep ${ofThisRun(3434)}`, {
    signal: cancel.signal,
  });
  await expect.poll(() => alive(3434)).toBe(2);
  cancel.abort(reason);
  await expect(running).rejects.toBe(reason);
  expect(alive(3434)).toBe(0);
});
