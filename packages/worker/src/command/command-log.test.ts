import type { LogChunk } from '@sluice/core/agent';
import { systemTimers } from '@sluice/core/async';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openCommandLog } from './command-log.ts';

const limits = { head: 100, tail: 40, batch: 50, headPieces: 1_000, pieces: 1_000, flushMs: 5 };

function written() {
  const batches: (readonly LogChunk[])[] = [];
  return {
    batches,
    timers: systemTimers,
    text: () =>
      batches
        .flat()
        .map((chunk) => chunk.text)
        .join(''),
    write: async (chunks: readonly LogChunk[]) => {
      batches.push(chunks);
    },
  };
}

describe('the log of a command', () => {
  it('writes what comes in few batches, in order and by stream, with the run that wrote it', async () => {
    const out = written();
    const log = openCommandLog({ command: 'make', seq: 7 }, out, limits);
    log.add('stdout', 'a');
    log.add('stdout', 'b');
    log.add('stderr', 'c');
    await log.close();
    expect(out.batches).toEqual([
      [
        { command: 'make', runSeq: 7, stream: 'stdout', text: 'ab' },
        { command: 'make', runSeq: 7, stream: 'stderr', text: 'c' },
      ],
    ]);
  });

  it('writes while the command still runs', async () => {
    const out = written();
    const log = openCommandLog({ command: 'make', seq: 7 }, out, limits);
    log.add('stdout', 'early');
    await until('it was written', () => out.text() === 'early');
    await log.close();
  });

  it('keeps the head and the tail of an endless output, and notes how much is missing', async () => {
    const out = written();
    const log = openCommandLog({ command: 'yes', seq: 7 }, out, limits);
    for (let i = 0; i < 1000; i += 1) log.add(i % 2 === 0 ? 'stdout' : 'stderr', String(i).padStart(4, '0'));
    await log.close();
    const head = Array.from({ length: 25 }, (_, i) => String(i).padStart(4, '0')).join('');
    const tail = Array.from({ length: 10 }, (_, i) => String(990 + i).padStart(4, '0')).join('');
    expect(out.text()).toBe(`${head}\n[${4000 - 140} characters left out]\n${tail}`);
  });

  it('counts the lines that are missing, those that end among what was left out', async () => {
    const out = written();
    const log = openCommandLog({ command: 'seq', seq: 7 }, out, limits);
    for (let line = 1; line <= 1_000; line += 1) log.add('stdout', `${String(line).padStart(3, '0')}\n`);
    await log.close();
    const gap = out.batches.flat().filter(({ leftOut }) => leftOut !== undefined);
    // The head has 25 lines; the tail begins with the end of line 991, because line 1000 has one digit more.
    expect(gap).toEqual([
      {
        command: 'seq',
        runSeq: 7,
        stream: 'stdout',
        text: '\n[3861 characters in 965 lines left out]\n',
        leftOut: { characters: 3861, lines: 965 },
      },
    ]);
    const [head = '', tail = ''] = out.text().split(gap[0]?.text ?? '');
    expect(head.endsWith('025\n')).toBe(true);
    expect(tail.startsWith('91\n992\n')).toBe(true);
  });

  it('counts no line where all that is missing is of one', async () => {
    const out = written();
    const log = openCommandLog({ command: 'yes', seq: 7 }, out, limits);
    log.add('stdout', 'x'.repeat(200));
    log.add('stdout', '\n');
    await log.close();
    expect(out.batches.flat().map(({ leftOut }) => leftOut)).toEqual([
      undefined,
      { characters: 61, lines: 0 },
      undefined,
    ]);
  });

  it('cuts one huge piece like many small ones', async () => {
    const out = written();
    const log = openCommandLog({ command: 'yes', seq: 7 }, out, limits);
    log.add('stdout', 'x'.repeat(100_000));
    await log.close();
    expect(out.text()).toBe(`${'x'.repeat(100)}\n[${100_000 - 140} characters left out]\n${'x'.repeat(40)}`);
  });

  it('keeps few pieces of an output that changes its stream with each letter, and takes as long as for any other', async () => {
    const out = written();
    const log = openCommandLog({ command: 'both', seq: 7 }, out);
    const began = process.cpuUsage();
    for (let i = 0; i < 400_000; i += 1) log.add(i % 2 === 0 ? 'stdout' : 'stderr', 'x');
    await log.close();
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000); // microseconds; minutes where each piece is kept
    expect(Math.max(...out.batches.map((batch) => batch.length))).toBeLessThanOrEqual(502); // the tail, and what is left out
    expect(out.batches.flat().length).toBeLessThanOrEqual(20_502);
    expect(out.text()).toBe(`${'x'.repeat(20_000)}\n[${400_000 - 20_500} characters left out]\n${'x'.repeat(500)}`);
  });

  it('throws the first failure of a write when it is closed, and writes nothing after it', async () => {
    let writes = 0;
    const log = openCommandLog(
      { command: 'make', seq: 7 },
      {
        timers: systemTimers,
        write: async () => {
          writes += 1;
          throw new Error(`refused ${writes}`);
        },
      },
      limits,
    );
    log.add('stdout', 'a'.repeat(60));
    log.add('stdout', 'b'.repeat(60));
    await expect(log.close()).rejects.toThrow('refused 1');
    expect(writes).toBe(1);
  });

  it('stores no half of a character', async () => {
    const out = written();
    const log = openCommandLog({ command: 'emoji', seq: 7 }, out, { ...limits, head: 1 });
    log.add('stdout', '😀');
    await log.close();
    expect(out.text().isWellFormed()).toBe(true);
  });
});
