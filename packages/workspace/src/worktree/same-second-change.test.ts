import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { never, workspaceScratch } from './test/workspace-scratch.ts';

const second = () => Math.floor(Date.now() / 1_000);

test('sees a change of as many bytes that was made in the second in which the index was written', async () => {
  await using it = await workspaceScratch({ 'note.txt': 'aaaa\n' });
  const workspace = await it.prepare();
  const file = join(workspace.root, 'note.txt');
  // git itself takes part of that second: begin with a new one, and begin again where it was too short.
  for (let began = 0, ended = 1; began !== ended; ended = second()) {
    await until('a second begins', () => Date.now() % 1_000 < 50);
    began = second();
    writeFileSync(file, 'aaaa\n');
    await workspace.reset(never);
    writeFileSync(file, 'bbbb\n');
  }
  const written = second();
  await until('it is over', () => second() > written);
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual(['note.txt']);
  const kept = await workspace.commit({ message: 'a change', signal: never });
  expect(kept?.patch.toString()).toContain('+bbbb');
  await workspace.reset(never);
  expect((await workspace.diff(never)).files).toEqual([]);
});
