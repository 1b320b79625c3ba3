import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScratchTree, scratchTree } from '../scratch-tree.ts';
import { ofThisRun, sleeping } from '../sleeping.ts';

// Usual way: packages/sandbox/src/process/supervise.test.ts

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
const bwrap = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
const fixture = fileURLToPath(import.meta.resolve('../killed-service.ts'));
let scratch: ScratchTree;
let temporary: string;
beforeAll(async () => {
  scratch = await scratchTree();
  temporary = join(scratch.data, 'temporary');
  await mkdir(temporary);
});
afterAll(() => scratch[Symbol.asyncDispose]());

async function startService(root: string, searchPath: string): Promise<ChildProcess> {
  const service = spawn(process.execPath, [fixture, scratch.data, root, searchPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: temporary },
  });
  await once(service.stdout as NonNullable<typeof service.stdout>, 'data');
  return service;
}

test('leaves no process of a command behind when the service is killed', async () => {
  const root = await scratch.tree('running');
  const service = await startService(root, path);
  const sleep = `sleep ${ofThisRun(8282)}`;
  service.stdin?.write(`(setsid nohup ${sleep} &); trap '' TERM; echo begun > begun; ${sleep}\n`);
  await expect.poll(() => existsSync(join(root, 'begun'))).toBe(true);
  service.kill('SIGKILL');
  await expect.poll(() => sleeping(8282)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('never starts a command whose service is killed while bubblewrap is still setting up', async () => {
  const root = await scratch.tree('starting');
  const tools = join(scratch.data, 'tools');
  await mkdir(tools);
  execFileSync('mkfifo', [join(tools, 'gate')]);
  // The real bwrap, paused after its mounts until the gate is opened.
  const held = `exec {gate}<>${tools}/gate; exec ${bwrap} --block-fd $gate "$@"`;
  const script = `#!/bin/bash\n[ -e ${tools}/closed ] || exec ${bwrap} "$@"\n${held}\n`;
  await writeFile(join(tools, 'bwrap'), script, { mode: 0o755 });
  const service = await startService(root, `${tools}:${path}`);
  await writeFile(join(tools, 'closed'), '');
  service.stdin?.write(`echo outlived > outlived; sleep ${ofThisRun(8383)}\n`);
  const settingUp = async () => {
    for (const { pid } of await sleeping(8383)) {
      const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
      if (mounts.includes(' /workspace ')) return pid;
    }
    return null;
  };
  await expect.poll(settingUp).not.toBeNull();
  const inner = await settingUp();
  service.kill('SIGKILL');
  // At most the process that does not die with bubblewrap is left, unless another service of this machine removes it.
  await expect.poll(async () => (await sleeping(8383)).filter(({ pid }) => pid !== inner)).toEqual([]);
  await writeFile(join(tools, 'gate'), 'open', { flag: 'r+' }); // without a reader, a plain open would never return
  await expect.poll(() => sleeping(8383)).toEqual([]);
  expect(existsSync(join(root, 'outlived'))).toBe(false);
});
