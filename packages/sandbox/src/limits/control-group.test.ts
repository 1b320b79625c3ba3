import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findControlGroups } from './control-group.ts';

const groups = await findControlGroups();
const limits = { memoryBytes: 64 * 2 ** 20, processes: 20 };

test.runIf(groups.memory && groups.processes)(
  'holds who joins it to its limits and leaves nothing when it is removed',
  async () => {
    const group = await groups.create(limits);
    const folders = group.joinFiles.map((file) => dirname(file));
    expect(folders.length).toBeGreaterThan(0);
    const join1 = group.joinFiles.map((file) => `echo $$ > ${file}`).join('; ');
    const hog = spawn('/bin/sh', ['-c', `${join1}; exec head -c 300M /dev/zero | tail`], { stdio: 'ignore' });
    await once(hog, 'exit');
    expect(await group.memoryKills()).toBeGreaterThan(0);
    await group.remove();
    for (const folder of folders) expect(existsSync(folder)).toBe(false);
  },
);

test.runIf(groups.memory || groups.processes)(
  'makes many groups concurrently, each independent of the others',
  async () => {
    const others = await findControlGroups(); // as a second sandbox in the same process has them
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? groups : others).create(limits)),
    );
    const files = made.flatMap(({ joinFiles }) => [...joinFiles]);
    expect(new Set(files).size).toBe(files.length);
    for (const { joinFiles } of made) expect(new Set(joinFiles.map((file) => basename(dirname(file)))).size).toBe(1);
    await Promise.all(made.map((group) => group.remove()));
  },
);

test.runIf(groups.memory)('removes the groups of a dead service, and not those of a live one', async () => {
  const mine = await groups.create(limits);
  const parent = dirname(dirname(mine.joinFiles[0] ?? ''));
  const gone = join(parent, 'sluice-999999999-1-1');
  await mkdir(gone);
  await groups.sweep();
  expect(existsSync(gone)).toBe(false);
  expect(await readFile(mine.joinFiles[0] ?? '', 'utf8')).toBe('');
  await mine.remove();
});

test.runIf(groups.memory)('kills processes that a command of a dead service left running', async () => {
  const mine = await groups.create(limits);
  const parent = dirname(dirname(mine.joinFiles[0] ?? ''));
  await mine.remove();
  const gone = join(parent, 'sluice-999999998-1-1');
  // Another service may remove it while it is empty.
  const join1 = `until mkdir -p ${gone} && echo $$ > ${gone}/cgroup.procs; do :; done 2>/dev/null`;
  const left = spawn('/bin/sh', ['-c', `${join1}; echo joined; sleep 6262 & wait`]);
  const ended = once(left, 'exit');
  await once(left.stdout, 'data');
  await groups.sweep();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(gone)).toBe(false);
});
