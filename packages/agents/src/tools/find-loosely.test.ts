import { describe, expect, it } from 'vitest';
import { findLoosely } from './find-loosely.ts';
import { mistypedEdit } from './test/mistyped-edit.ts';

function edited(text: string, from: string, to: string): string | null {
  const place = findLoosely(text, { from, to });
  if (place?.kind !== 'found') return null;
  return text.slice(0, place.start) + place.replacement + text.slice(place.end);
}

const CODE = 'function a() {\n  if (b) {\n    c();\n  }\n}\n';

describe('an old text that is nearly right', () => {
  it.each([
    ['line numbers', CODE, '2\t  if (b) {\n3\t    c();', '2\t  if (x) {\n3\t    c();', CODE.replace('b', 'x')],
    ['line numbers, and a number among the new lines', 'a(\n\n)\n', '1\ta(\n2\n3\t)', '1\ta(\n42\n)', 'a(\n42\n)\n'],
    ['line numbers before numbers', '1\n2\n', '1\t1\n2\t2\n', '1\t3\n2\t4\n', '3\n4\n'],
    ['line numbers, one without a tab', 'a(\n\n)\n', '1\ta(\n2\n3\t)', '1\tb(\n2\n3\t)', 'b(\n\n)\n'],
    [
      'no indentation',
      CODE,
      'if (b) {\n  c();\n}',
      'if (x) {\n  c();\n  d();\n}',
      CODE.replace('b', 'x').replace('c();', 'c();\n    d();'),
    ],
    ['too much of it', CODE, '      if (b) {\n        c();', '      if (x) {\n        c();', CODE.replace('b', 'x')],
    ['spaces at ends', CODE, '  if (b) {  \n    c();', '  if (x) {\n    c();', CODE.replace('b', 'x')],
    ['tabs for spaces', CODE, '\tif (b) {\n\t\tc();', '\tif (x) {\n\t\tc();', CODE.replace('b', 'x')],
    ['spaces for tabs', 'a {\n\tb;\n\t\tc;\n}\n', '    b;\n        c;', '    x;\n        c;', 'a {\n\tx;\n\t\tc;\n}\n'],
    ['quotes', "a('b');\n", 'a(‘b’);', 'a(‘c’);', "a('c');\n"],
    ['carriage returns and an indent', '  a;\r\n  b;\r\n', 'a;\nb;\n', 'a;\nc;\nd;\n', '  a;\r\n  c;\r\n  d;\r\n'],
    ['no line break at the end', 'a;\nb;', 'b;\n', 'c;\n', 'a;\nc;'],
  ])('is found: %s', (...[, text, from, to, expected]) => {
    expect(edited(text, from, to)).toBe(expected);
  });

  it('is not guessed at where several places fit, or none', () => {
    expect(findLoosely('  a;\n\n    a;\n', { from: '   a;', to: 'b;' })).toEqual({ kind: 'several', lines: [1, 3] });
    expect(findLoosely('  a;\n  b;\n', { from: 'a;\nc;', to: 'x' })).toBeNull();
    expect(findLoosely('  a;\n', { from: '\n \n', to: 'x' })).toBeNull();
    expect(findLoosely('    a;\n  b;\n', { from: '  a;\n  b;', to: 'x' })).toBeNull();
    expect(findLoosely('a;\n', { from: '    a;', to: '  b;' })).toBeNull();
    expect(findLoosely('5\ta\n7\tb\n', { from: '5\ta\n6\tb', to: 'x' })).toBeNull();
    expect(findLoosely('it’s "a"\n', { from: 'it’s “a”', to: 'x' })).toBeNull();
  });

  it.each([
    ['a part of a line', 'const max = 1;\n', '12\tx'],
    ['a part with its indentation', 'a();\nif (x) { foo.  run(); }\n', '7\t  run();'],
    ['a line that has a number itself', '1\tapple\n2\tpear\n', '3\tpear'],
    ['a file whose lines have numbers', '1\tapple\npear\n', '3\tpear'],
  ])('is not looked for without its line numbers in %s', (_what, text, from) => {
    expect(findLoosely(text, { from, to: '1\tx' })).toBeNull();
  });

  it('is not moved to where it fits with the blank lines around it while it stands exactly without them', () => {
    const [from, to] = ['a();\n\n', 'b();\n\n'];
    expect(findLoosely('a();\nx();\n  a();\n\n', { from, to })).toEqual({ kind: 'several', lines: [1, 3] });
    expect(findLoosely('  a();\r\n\r\na();', { from: from.replaceAll('\n', '\r\n'), to })).toMatchObject({
      lines: [1, 3],
    });
    expect(edited('aa();\nx();\n  a();\n\n', from, to)).toBe('aa();\nx();\n  b();\n\n');
  });

  it('is found in a part of a line where only its quotes are wrong', () => {
    expect(edited('x = f("a");\n', 'f(“a”)', 'g(“a”)')).toBe('x = g("a");\n');
  });
});

it('is applied at no wrong place in a thousand near misses, and at the right one in most', () => {
  let right = 0;
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const { text, from, to, expected, slip } = mistypedEdit(seed);
    // What stands there exactly is no near miss.
    if (text.includes(from)) continue;
    const result = edited(text, from, to);
    if (result === null) continue;
    expect(result, `${seed}: ${slip}\n${from}\n---\n${text}`).toBe(expected);
    right += 1;
  }
  expect(right).toBeGreaterThan(400);
});
