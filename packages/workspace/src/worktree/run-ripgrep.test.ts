import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { makePipe, type Scratch, scratchFolder } from '../git/test/scratch.ts';
import { type RipgrepEnd, runRipgrep } from './run-ripgrep.ts';
import { never } from './test/workspace-scratch.ts';

/** A search of a pipe, which ends when its other end is closed. */
async function endless(it: Scratch, signal: AbortSignal, timeoutMs: number): Promise<RipgrepEnd> {
  makePipe(it.join('pipe'));
  const call = { arguments: ['x', './pipe'], folder: it.path, uid: null, timeoutMs, onLine: () => true };
  return runRipgrep(call, signal);
}

test('is ended when its time is over, and says that it was cut', async () => {
  await using it = await scratchFolder();
  expect(await endless(it, never, 200)).toMatchObject({ isCut: true, exitCode: null });
});

test('is ended by a cancel, with its reason', async () => {
  await using it = await scratchFolder();
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const search = endless(it, cancel.signal, 60_000);
  search.catch(() => undefined);
  const otherEnd = await open(it.join('pipe'), 'w'); // as soon as it is being searched
  cancel.abort(reason);
  await expect(search).rejects.toBe(reason);
  await otherEnd.close();
});

test('is ended when no more is wanted', async () => {
  await using it = await scratchFolder();
  makePipe(it.join('pipe'));
  const lines: string[] = [];
  const onLine = (line: Buffer | null): boolean => lines.push(String(line)) < 2;
  const call = { arguments: ['--line-buffered', 'x', './pipe'], folder: it.path, uid: null, timeoutMs: 60_000, onLine };
  const search = runRipgrep(call, never);
  const otherEnd = await open(it.join('pipe'), 'w');
  // More than it takes in at once, and then it waits.
  const written = otherEnd.writeFile('x\n'.repeat(100_000)).catch(() => undefined);
  expect(await search).toMatchObject({ isCut: true });
  expect(lines).toEqual(['x', 'x']);
  await written;
  await otherEnd.close();
});
