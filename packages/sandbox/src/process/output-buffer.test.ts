import { expect, test } from 'vitest';
import { createOutputBuffer } from './output-buffer.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

test('keeps everything under the limit', () => {
  const buffer = createOutputBuffer(100);
  buffer.take('stdout', bytes('one\n'));
  buffer.take('stderr', bytes('two\n'));
  expect(buffer.finish()).toEqual({ output: 'one\ntwo\n', truncated: false });
});

test('keeps head and tail, and counts the dropped bytes', () => {
  const buffer = createOutputBuffer(10);
  buffer.take('stdout', bytes('HEAD!'));
  for (let i = 0; i < 5_000; i += 1) buffer.take('stdout', bytes('x'.repeat(20)));
  buffer.take('stdout', bytes('TAIL!'));
  expect(buffer.finish()).toEqual({ output: 'HEAD!\n[100000 bytes omitted]\nTAIL!', truncated: true });
});

test('joins a character split between two chunks, even with output of the other stream in between', () => {
  const buffer = createOutputBuffer(100);
  const euro = bytes('€');
  buffer.take('stdout', euro.subarray(0, 1));
  buffer.take('stderr', bytes('!'));
  buffer.take('stdout', euro.subarray(1));
  expect(buffer.finish().output).toBe('!€');
});

test('never splits a character at the end of the head or the start of the tail', () => {
  for (let limit = 8; limit < 20; limit += 1) {
    const buffer = createOutputBuffer(limit);
    buffer.take('stdout', bytes('😀'.repeat(50)));
    const { output } = buffer.finish();
    expect(output).not.toContain('\uFFFD');
    expect(Buffer.byteLength(output.replace(/\n\[.*\]\n/, ''))).toBeLessThanOrEqual(limit);
  }
});

test('turns what is not UTF-8, and NUL, into replacement characters', () => {
  const buffer = createOutputBuffer(100);
  buffer.take('stdout', Buffer.from([0x61, 0xff, 0x00, 0x62, 0xe2, 0x82]));
  expect(buffer.finish().output).toBe('a\uFFFD\uFFFDb\uFFFD');
});

test('reports a flood above 64 times the limit, and limits live output', () => {
  const buffer = createOutputBuffer(1_000);
  let seen = 0;
  for (let i = 0; i < 64; i += 1) seen += buffer.take('stdout', bytes('y'.repeat(1_000))).length;
  expect(buffer.flooded()).toBe(false);
  buffer.take('stdout', bytes('z'));
  expect(buffer.flooded()).toBe(true);
  expect(seen).toBeLessThan(1_100);
});
