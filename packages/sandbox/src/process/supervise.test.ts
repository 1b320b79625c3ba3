import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchTree } from '../../test/scratch-tree.ts';
import { supervise } from './supervise.ts';

const path = process.env.PATH ?? '';

test('delivers output that was written while the event loop was blocked', async () => {
  await using scratch = await scratchTree();
  // Written by a process outside of the command's group, after the command's end.
  const write = `touch away; until [ -e standing ]; do sleep 0.02; done; echo late; exec >&- 2>&-; touch written`;
  const command = `setsid sh -c '${write}' & until [ -e away ]; do sleep 0.02; done; exit 0`;
  const standStill = () => {
    writeFileSync(join(scratch.data, 'standing'), '');
    const since = performance.now();
    const hasStood = () => performance.now() - since > 1_200; // the time that is waited for the end of the output, and more
    const isHung = () => performance.now() - since > 60_000;
    while (!hasStood() || !(existsSync(join(scratch.data, 'written')) || isHung()));
  };
  const launch = {
    argv: ['/bin/sh', '-c', `cd ${scratch.data}; ${command}`],
    environment: { PATH: path },
    folder: scratch.data,
    output: { path, owner: null },
    descriptors: [],
    masked: [],
  } as const;
  const { ended } = supervise(launch, scratch.command(scratch.data, command), {
    status: () => undefined,
    finish: async () => void setImmediate(standStill),
    remaining: () => [],
    watch: async () => null,
  });
  expect(await ended).toMatchObject({ endedBy: 'exit', exitCode: 0, output: 'late\n' });
});
