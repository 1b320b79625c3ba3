import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinInstance, lockInstance } from './instance-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is held by one process, and leaves nothing to clean up', () => {
  const lock = lockInstance(folder);
  lock.admitCommands();
  expect(() => lockInstance(folder)).toThrow(/Another Sluice process uses this data folder/);
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
