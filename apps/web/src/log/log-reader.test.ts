import { expect, it, vi } from 'vitest';
import type { LogPiece } from './log-book.ts';
import { createLogReader } from './log-reader.ts';

const piece = (seq: number): LogPiece => ({
  seq,
  command: 'a',
  run_seq: null,
  left_out: null,
  stream: 'stdout',
  text: `${seq}\n`,
  at: '',
});

function setUp(log: LogPiece[], failures: unknown[] = []) {
  const read: number[] = [];
  const onCurrent = vi.fn();
  const onError = vi.fn((error: unknown) => (error === 'transient' ? 1 : null));
  const readPage = vi.fn(async (after: number) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const rest = log.filter(({ seq }) => seq > after);
    return { pieces: rest.slice(0, 2), isLast: rest.length <= 2 };
  });
  const onPieces = (pieces: readonly LogPiece[]) => read.push(...pieces.map(({ seq }) => seq));
  const reader = createLogReader({ readPage, onPieces, onCurrent, onError, wait: async () => {} });
  return { reader, read, readPage, onCurrent, onError };
}

it('reads all pages, and only what is new after a hint', async () => {
  const log = [1, 2, 3].map(piece);
  const { reader, read, readPage, onCurrent } = setUp(log);
  reader.hint();
  await expect.poll(() => onCurrent.mock.calls.length).toBe(1);
  expect(read).toEqual([1, 2, 3]);
  log.push(piece(4));
  reader.hint();
  await expect.poll(() => read).toEqual([1, 2, 3, 4]);
  expect(readPage).toHaveBeenLastCalledWith(
    expect.toSatisfy((after) => after >= 3),
    expect.anything(),
  );
});

it('reads once more when a hint comes while it reads', async () => {
  const log = [piece(1)];
  const { reader, read, onCurrent } = setUp(log);
  reader.hint();
  reader.hint();
  log.push(piece(2));
  await expect.poll(() => onCurrent.mock.calls.length).toBe(2);
  expect(read).toEqual([1, 2]);
});

it('goes on where it was after an error that passes, and stops at one that does not', async () => {
  const { reader, read, onError } = setUp([1, 2, 3].map(piece), ['transient']);
  reader.hint();
  await expect.poll(() => read).toEqual([1, 2, 3]);
  const refused = setUp([piece(1)], ['refused']);
  refused.reader.hint();
  await expect.poll(() => refused.onError.mock.calls).toEqual([['refused']]);
  expect(onError).toHaveBeenCalledTimes(1);
  expect(refused.read).toEqual([]);
});
