import { expect, it } from 'vitest';
import { findParts, searchPattern } from './search-pattern.ts';

it('finds what was typed in any case, without reading it as a pattern', () => {
  expect(findParts('a(b) A(B)', searchPattern('a(b)'))).toEqual([
    { text: 'a(b)', isFound: true },
    { text: ' ', isFound: false },
    { text: 'A(B)', isFound: true },
  ]);
  expect(findParts('anything', searchPattern('.*'))).toEqual([{ text: 'anything', isFound: false }]);
});

it('looks at capitals where some were typed', () => {
  expect(findParts('ab AB', searchPattern('Ab'))).toEqual([{ text: 'ab AB', isFound: false }]);
  expect(findParts('ab', searchPattern('AB'))).toEqual([{ text: 'ab', isFound: false }]);
});

it('leaves a text whole that nothing is searched in', () => {
  expect(searchPattern('')).toBeNull();
  expect(findParts('text', null)).toEqual([{ text: 'text', isFound: false }]);
  expect(findParts('', searchPattern('x'))).toEqual([{ text: '', isFound: false }]);
});
