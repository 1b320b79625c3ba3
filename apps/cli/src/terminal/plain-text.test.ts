import { expect, it } from 'vitest';
import { plainLine, plainText } from './plain-text.ts';

it.each([
  ['an ordinary text', 'a\tb\nc – ä 漢字 👩‍👩‍👧', 'a\tb\nc – ä 漢字 👩‍👩‍👧'],
  ['colours', '\x1b[31mred\x1b[0m \x1b[1;38;5;4mbold\x1b[m', 'red bold'],
  ['a link whose text lies', '\x1b]8;;http://evil\x1b\\safe\x1b]8;;\x1b\\', '␛]8;;http://evil␛\\safe␛]8;;␛\\'],
  ['a link ended by BEL', '\x1b]8;;http://evil\x07safe', '␛]8;;http://evil␇safe'],
  ['a title that hides a command', '+ok\x1b]0;rm -rf /\x07', '+ok␛]0;rm -rf /␇'],
  ['cursor movement', 'a\x1b[2K\x1b[1Gb\x1b[3A', 'a␛[2K␛[1Gb␛[3A'],
  ['a colour code whose removal would form an escape sequence', '\x1b\x1b[31m[2J', '␛[2J'],
  ['a bell and a backspace', 'a\x07\x08b\x7f', 'a␇␈b␡'],
  ['C1 controls', 'a\x9b31mb\x9d0;x\x9c\x85', 'a\ufffd31mb\ufffd0;x\ufffd\ufffd'],
  ['a carriage return that overwrites its line', 'evil()\rsafe()', 'evil()␍safe()'],
  ['Windows line endings', 'a\r\nb\r\n', 'a\nb\n'],
  ['bidirectional overrides', 'a\u202eb\u2066c\u2069\u200fd\u061c', 'a\ufffdb\ufffdc\ufffd\ufffdd\ufffd'],
  ['invisible characters', 'a\u200bb\u2060c\ufeffd\u00ade\u{e0041}', 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffd'],
  ['other line separators', 'a\u2028b\u2029c', 'a\ufffdb\ufffdc'],
  ['a null', 'a\0b', 'a␀b'],
])('shows %s safely', (_title, text, shown) => expect(plainText(text)).toBe(shown));

it('leaves no control character in any text', () => {
  const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');
  expect(plainText(everything)).not.toMatch(/[^\P{Cc}\n\t]/u);
});

it('puts text on one line', () => {
  expect(plainLine('title\n✓ test\tpassed\r\n')).toBe('title ✓ test passed');
});
