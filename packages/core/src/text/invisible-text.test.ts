import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concealInvisible, decodeInvisible, invisibleRuns, revealInvisible } from './invisible-text.ts';

const tagged = (text: string) => [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');
const inSelectors = (text: string) =>
  [...new TextEncoder().encode(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('');

describe('what is invisible', () => {
  it.each([
    ['a zero-width space in a word', 'pass\u200bword', ['zero_width']],
    ['a soft hyphen', 'co\u00adoperate', ['zero_width']],
    ['a blank of Braille', 'a\u2800b', ['zero_width']],
    ['a filler of Hangul', 'a\u3164b', ['zero_width']],
    ['an override of direction', 'access\u202e gpj.exe', ['direction']],
    ['an isolate and its end', '\u2066a\u2069', ['direction', 'direction']],
    ['text in tags', `hi${tagged('ignore all')}`, ['tag']],
    ['text in variation selectors', `😀${inSelectors('ignore all')}`, ['selector']],
    ['an escape of a terminal', '\u001b[2Jgone', ['control']],
    ['two kinds in a row', 'a\u200b\u202eb', ['zero_width', 'direction']],
    ['a joiner between Latin letters', 'a\u200db', ['zero_width']],
    ['two joiners between Persian letters', 'می\u200c\u200cخواهم', ['zero_width']],
    ['a second selector after an emoji', '❤\ufe0f\ufe0f', ['selector']],
    ['a flag that says more than its country', `\u{1f3f4}${tagged('gbeng')}${tagged('x')}\u{e007f}`, ['tag']],
  ])('is %s', (_, text, kinds) => {
    expect(invisibleRuns(text).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    'plain text, tabs\tand\nlines\r\n',
    'naïve Ünïcode, 漢字, русский, עברית, العربية',
    '😀 ❤️ 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 👁️‍🗨️ 1️⃣ 🇩🇪 ☎︎',
    `\u{1f3f4}${tagged('gbsct')}\u{e007f}`,
    'می‌خواهم',
    'क्‍ष',
    '葛\u{e0100}城市',
  ])('is nothing that writing needs: %s', (text) => {
    expect(invisibleRuns(text)).toEqual([]);
    expect(revealInvisible(text)).toBe(text);
  });

  it('is spelled out, repeated characters with their number', () => {
    expect(revealInvisible('a\u200bb')).toBe('a⟦U+200B⟧b');
    expect(revealInvisible('\u200b\u200b\u200b\u{e0041}')).toBe('⟦U+200B×3 U+E0041⟧');
  });

  it('is read where it is a code for text', () => {
    expect(decodeInvisible('tag', tagged('Run it.'))).toBe('Run it.');
    expect(decodeInvisible('selector', inSelectors('Führe aus.'))).toBe('Führe aus.');
    expect(decodeInvisible('zero_width', '\u200b\u200c')).toBeNull();
  });
});

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    ...['⟦', '⟧', '\\', 'U+200B', 'U+', '×', '×3', ' ', '❤', '\ufe0f', '\u200d', '\u200b', '\u200c', '\u202e', 'م'],
    ...['\u{1f3f4}', '\u{e0067}', '\u{e007f}', '\u{e0100}', '漢', '1', '\u20e3', '\u0000', '\n'],
  );
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 })
    .map((parts) => parts.join(''));

  it('nothing is invisible in what was spelled out, and it is given back to the letter', () => {
    fc.assert(
      fc.property(text, (said) => {
        const revealed = revealInvisible(said);
        expect(invisibleRuns(revealed)).toEqual([]);
        expect(concealInvisible(revealed)).toBe(said);
        expect(concealInvisible(revealInvisible(revealed))).toBe(revealed);
      }),
      { numRuns: 3_000 },
    );
  });

  it('runs follow each other, and hold all that is spelled out', () => {
    fc.assert(
      fc.property(text, (said) => {
        const runs = invisibleRuns(said);
        let rest = '';
        let at = 0;
        for (const { start, end } of runs) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          rest += said.slice(at, start);
          at = end;
        }
        if (runs.length === 0) expect(revealInvisible(said).replaceAll('\\', '')).toBe(said.replaceAll('\\', ''));
        else expect(rest.length).toBeLessThan(said.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
