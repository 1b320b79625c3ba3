import { expect, it } from 'vitest';
import { keepText, keptJson } from './kept-text.ts';

function storage() {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
}

it('keeps a text, and removes an empty one', () => {
  const kept = storage();
  keepText(kept, 'a', '{"b":1}');
  expect(keptJson(kept, 'a')).toEqual({ b: 1 });
  keepText(kept, 'a', '');
  expect(keptJson(kept, 'a')).toBeNull();
});

it('takes what is no JSON for nothing', () => {
  const kept = storage();
  keepText(kept, 'a', '{');
  expect(keptJson(kept, 'a')).toBeNull();
});
