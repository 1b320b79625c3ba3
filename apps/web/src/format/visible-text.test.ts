import { expect, it } from 'vitest';
import { visibleName, visibleText } from './visible-text.ts';

it('shows the characters that hide or reorder text by their numbers', () => {
  expect(visibleText('a\u202Eb\u200Bc\u001B[31m')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+001B⟩[31m');
});

it('leaves ordinary text of any language, tabs and line breaks as they are', () => {
  const text = 'fn main() {\n\tprintln!("Grüße, 世界, שלום");\n}';
  expect(visibleText(text)).toBe(text);
});

it('shows a name in one line', () => {
  expect(visibleName('a\nb\tc\u200B')).toBe('a⟨U+000A⟩b⟨U+0009⟩c⟨U+200B⟩');
});

it('shows tags and fillers, in which a whole sentence can hide', () => {
  expect(visibleText('a\u{E0048}\u{E0069}\u3164b\uFE01')).toBe('a⟨U+E0048⟩⟨U+E0069⟩⟨U+3164⟩b⟨U+FE01⟩');
  expect(visibleText('⚠️ 👍🏽 é')).toBe('⚠️ 👍🏽 é');
});
