import type { JournalEntry } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import type { Checkpoint } from '@sluice/core/workspace';
import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished } from './scripted-model.ts';

const write = (id: string, path: string) => call(id, 'write_file', { path, content: path });
const list = (id: string) => call(id, 'list_files', {});
const DONE = finished('Done.');
const kept: Checkpoint = { commit: 'c', object: 'o', patch: new Uint8Array([1]) };

describe('a checkpoint', () => {
  it('is written with the result that ends an answer which had an effect, and with no other', async () => {
    const turns = [{ calls: [list('1')] }, { calls: [write('2', 'a.txt'), list('3')] }, DONE];
    const writes: string[] = [];
    const coder = scriptedCoder(turns, {
      files: { x: '' },
      checkpoint: async () => kept,
      onAppend: ({ entries, checkpoint }) => {
        writes.push(`${entries.map(({ kind }) => kind).join(' ')}${checkpoint === undefined ? '' : ' kept'}`);
      },
    });
    await coder.run();
    expect(writes).toEqual([
      'message message',
      'message usage',
      'result',
      'message usage',
      'begin',
      'result',
      'result checkpoint kept',
      'message usage',
      'done result',
    ]);
    expect(coder.checkpoints).toEqual([kept]);
    expect(coder.journal).toContainEqual({ kind: 'checkpoint', commit: 'c' });
  });

  it('that cannot be kept is noted, and the work goes on', async () => {
    const coder = scriptedCoder([{ calls: [write('1', 'a.txt')] }, DONE], { checkpoint: async () => null });
    await coder.run();
    expect(coder.journal).toContainEqual({ kind: 'checkpoint', commit: null });
    expect(coder.checkpoints).toEqual([]);
  });

  it('that failed loses no result, and is made up for by the next process', async () => {
    const failed = new AppError('git_failed');
    const turns = [{ calls: [write('1', 'a.txt')] }, DONE];
    const coder = scriptedCoder(turns, { checkpoint: () => Promise.reject(failed) });
    await expect(coder.run()).rejects.toBe(failed);
    expect(coder.journal.at(-1)).toMatchObject({ kind: 'result', callId: '1' });
    const next = scriptedCoder(turns, { journal: coder.journal, files: coder.files.snapshot() });
    await next.run();
    expect(next.effects).toEqual([]);
    expect(next.requests).toEqual([1]);
    expect(next.kinds().slice(coder.journal.length)).toEqual(['checkpoint', 'message', 'usage', 'done', 'result end']);
  });
});

describe('a checkpoint that is cancelled', () => {
  it('loses no result, and the reason is what comes out', async () => {
    const controller = new AbortController();
    const reason = new Error('the server is shutting down');
    const coder = scriptedCoder([{ calls: [write('1', 'a.txt')] }, DONE], {
      signal: controller.signal,
      async checkpoint() {
        controller.abort(reason);
        throw new AppError('git_failed');
      },
    });
    await expect(coder.run()).rejects.toBe(reason);
    expect(coder.journal.at(-1)).toMatchObject({ kind: 'result', callId: '1' });
  });
});

describe('a tree that was put back', () => {
  const turns = [{ calls: [write('1', 'a.txt')] }, { calls: [write('2', 'b.txt'), list('3')] }, DONE];
  const files = { x: '' };

  /** A run's journal up to and with its n-th entry that fits, its tree lost after that. */
  async function lostAfter(fits: (entry: JournalEntry) => boolean) {
    const coder = scriptedCoder(turns, { files });
    await coder.run();
    const prefix = coder.journal.slice(0, coder.journal.findIndex(fits) + 1);
    return { whole: coder, journal: [...prefix, { kind: 'rewind' } as const] };
  }

  it('repeats the calls of the last answer, and no earlier one', async () => {
    const { whole, journal } = await lostAfter((entry) => entry.kind === 'result' && entry.callId === '2');
    const next = scriptedCoder(turns, { journal, files: { ...files, 'a.txt': 'a.txt' } });
    const { output, usage } = await next.run();
    expect(next.effects).toEqual(['write b.txt']);
    expect(next.files.snapshot()).toEqual(whole.files.snapshot());
    expect(next.requests).toEqual([2]);
    expect(next.prompts.at(-1)).toEqual(whole.prompts.at(-1));
    expect(output.summary).toBe('Done.');
    expect(usage.input_tokens).toBe(300);
  });

  it('runs a call that had begun, instead of reporting that the service restarted', async () => {
    const { journal } = await lostAfter((entry) => entry.kind === 'begin' && entry.callId === '2');
    const next = scriptedCoder(turns, { journal, files: { ...files, 'a.txt': 'a.txt' } });
    await next.run();
    expect(next.effects).toEqual(['write b.txt']);
    expect(next.results().every(({ ok }) => ok)).toBe(true);
  });

  it('repeats nothing that a checkpoint holds', async () => {
    const { journal } = await lostAfter((entry) => entry.kind === 'checkpoint');
    const next = scriptedCoder(turns, { journal, files: { ...files, 'a.txt': 'a.txt' } });
    await next.run();
    expect(next.effects).toEqual(['write b.txt']);
    expect(next.results().map(({ call_id }) => call_id)).toEqual(['2', '3']);
  });

  it('loses no note that had come after the calls which are opened again', async () => {
    const reads = [{ calls: [list('1'), call('2', 'no_such_tool', {})] }, DONE];
    const notes = (answers: number) => (answers === 1 ? [{ seq: 7, text: 'Mind the zero.' }] : []);
    const whole = scriptedCoder(reads, { files, notes });
    await whole.run();
    const end = whole.journal.findIndex(({ kind }) => kind === 'note') + 1;
    const rewound: JournalEntry[] = [...whole.journal.slice(0, end), { kind: 'rewind' }, { kind: 'rewind' }];
    const next = scriptedCoder(reads, { files, notes, journal: rewound });
    await next.run();
    expect(next.requests).toEqual([1]);
    expect(next.prompts[0]).toEqual(whole.prompts[1]);
    expect(next.kinds().slice(end)).toEqual(['rewind', 'rewind', 'result 1', 'message', 'usage', 'done', 'result end']);
  });
});
