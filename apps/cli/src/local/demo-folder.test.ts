import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDemoFolder } from './demo-folder.ts';

let parent: string;
let deadPid: number;

beforeEach(async () => {
  parent = join(mkdtempSync(join(tmpdir(), 'sluice demo ')), 'demo');
  const child = spawn(process.execPath, ['-e', '']);
  deadPid = child.pid ?? 0;
  await once(child, 'exit');
});

afterEach(() => rmSync(join(parent, '..'), { recursive: true }));

function earlierFolder(name: string, ageHours: number): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'kept'), '');
  const then = Date.now() / 1_000 - ageHours * 3_600;
  utimesSync(path, then, then);
  return name;
}

it('makes a new folder that only its user can read', async () => {
  const folders = await Promise.all([makeDemoFolder(parent), makeDemoFolder(parent)]);
  expect(new Set(folders).size).toBe(2);
  expect(statSync(parent).mode & 0o777).toBe(0o700);
});

it('keeps no folder of a demo that has ended', async () => {
  earlierFolder(`run-${deadPid}-aaaaaa`, 25);
  earlierFolder(`run-${deadPid}-bbbbbb`, 0);
  const own = basename(await makeDemoFolder(parent));
  expect(readdirSync(parent)).toEqual([own]);
});

it('keeps the folder of a demo that is still waiting at its gate, however old', async () => {
  const waiting = earlierFolder(`run-${process.pid}-aaaaaa`, 1_000);
  await makeDemoFolder(parent);
  expect(readdirSync(parent)).toContain(waiting);
});

it('keeps folders that are not of a demo', async () => {
  const others = [earlierFolder('photos', 1_000), earlierFolder('run-x', 1_000)];
  await makeDemoFolder(parent);
  expect(readdirSync(parent)).toEqual(expect.arrayContaining(others));
});

it('cleans up from several demos at once', async () => {
  for (let i = 0; i < 30; i += 1) earlierFolder(`run-${deadPid}-${i}`, 30);
  await Promise.all(Array.from({ length: 5 }, () => makeDemoFolder(parent)));
  expect(readdirSync(parent)).toHaveLength(5);
});
