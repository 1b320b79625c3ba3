import { expect, it } from 'vitest';
import { printJson } from './print-json.ts';

const value = { a: { b: { c: 1, d: [{ e: null }] }, f: {} }, 'g "h"': 'i\n', j: undefined };

it('gives each member of the outer objects a line', () => {
  expect(printJson(value, 2)).toBe(
    '{\n "a": {\n  "b": {"c":1,"d":[{"e":null}]},\n  "f": {}\n },\n "g \\"h\\"": "i\\n"\n}\n',
  );
});

it.each([0, 1, 2, 3, 9])('prints what JSON.stringify does, apart from blanks: %i levels', (levels) => {
  const read = JSON.parse(printJson(value, levels));
  expect(JSON.stringify(read)).toBe(JSON.stringify(value));
});
