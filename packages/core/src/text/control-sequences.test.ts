import { describe, expect, it } from 'vitest';
import { withoutControlSequences } from './control-sequences.ts';

describe('control sequences', () => {
  it.each([
    ['a colour', '\x1b[31mred\x1b[0m', 'red'],
    ['a colour in the 8-bit form', '\x9b31mred\x9b0m', 'red'],
    ['a cursor movement with an intermediate', 'a\x1b[2 qb', 'ab'],
    ['a link', '\x1b]8;;http://x\x07link\x1b]8;;\x07', 'link'],
    ['a title ended by ESC backslash', '\x1b]0;title\x1b\\text', 'text'],
    ['a title in the 8-bit form', '\x9d0;title\x9ctext', 'text'],
    ['a device control string', '\x1bPq#0\x1b\\text', 'text'],
    ['an application command', '\x1b_G\x1b\\text', 'text'],
    ['a character set', '\x1b(Btext', 'text'],
    ['a saved cursor', '\x1b7text\x1b8', 'text'],
    ['an unterminated title, whose content stays', '\x1b]0;title', '0;title'],
    ['a title whose terminator is on another line', '\x1b]0;\nnot ok 1 - a\n\x07', '0;\nnot ok 1 - a\n\x07'],
    ['an unterminated colour', 'a\x1b[31', 'a31'],
    ['a lone escape at the end', 'a\x1b', 'a'],
  ])('are removed: %s', (_what, text, shown) => {
    expect(withoutControlSequences(text)).toBe(shown);
  });

  it.each([
    '\x1b]0;',
    '\x1b]',
    '\x1b[',
    '\x1b[1;',
    '\x1b]8;;x\x07y',
    '\x1b',
    '\x1b ',
    '\x1bP',
    '\x1b_',
    '\x9b',
    '\x9d',
    '\x90',
    '\x9e0;',
    '\x1b]\x9d',
  ])('are removed in linear time from a flood of %j', (unit) => {
    const flood = unit.repeat(Math.ceil(2 ** 20 / unit.length));
    for (const text of [
      flood,
      `\x1b]${'a'.repeat(2 ** 20)}`,
      `\x1b[${'1'.repeat(2 ** 20)}`,
      `\x1b${' '.repeat(2 ** 20)}`,
    ]) {
      const began = process.cpuUsage();
      withoutControlSequences(text);
      expect(process.cpuUsage(began).user).toBeLessThan(2_000_000); // microseconds of this process; quadratic takes minutes
    }
  });
});
