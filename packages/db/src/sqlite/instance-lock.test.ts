import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinInstance, lockForCommand, lockInstance } from './instance-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is held by one process, and leaves nothing to clean up', () => {
  const lock = lockInstance(folder);
  lock.admitCommands();
  expect(() => lockInstance(folder, 0)).toThrow(/Another Sluice process uses this data folder/);
  lock.release();
  lockInstance(folder).release();
});

it('admits any number of commands beside it, each until its end', () => {
  const lock = lockInstance(folder);
  lock.admitCommands();
  const commands = [joinInstance(folder), joinInstance(folder)];
  for (const command of commands) command.release();
  lock.release();
  lockInstance(folder).release();
});

it('keeps commands away from a process that admits none, and such a process from commands', () => {
  const lock = lockInstance(folder);
  expect(() => joinInstance(folder, 0)).toThrow(/Another Sluice process uses this data folder/);
  lock.release();
  const command = joinInstance(folder, 0);
  expect(() => lockInstance(folder, 0)).toThrow(/A command of the operator is at work in this data folder/);
  command.release();
  lockInstance(folder).release();
});

it('lets a command that was there first work beside others, and away from a server', () => {
  const first = lockForCommand(folder);
  first.admitCommands();
  const second = lockForCommand(folder);
  expect([first.isAlone, second.isAlone]).toEqual([true, false]);
  expect(() => lockInstance(folder, 0)).toThrow(/A command of the operator is at work in this data folder/);
  first.release();
  second.release();
  lockInstance(folder).release();
});

it.each([
  ['opens the folder', ''],
  ['is at work', 'command.admitCommands();'],
])('makes a server that starts wait for a command that %s', async (_, goOn) => {
  const source = new URL('./instance-lock.ts', import.meta.url).href;
  const works = `import(${JSON.stringify(source)}).then(({ lockForCommand }) => {
    const command = lockForCommand(${JSON.stringify(folder)});
    ${goOn}
    require('node:worker_threads').parentPort.postMessage('works');
    setTimeout(() => command.release(), 200); // the server has tried by then, and blocks its thread
  });`;
  const command = new Worker(works, { eval: true });
  const ended = once(command, 'exit');
  await once(command, 'message');
  lockInstance(folder).release();
  await ended;
});
