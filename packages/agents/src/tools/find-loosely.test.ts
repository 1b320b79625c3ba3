import { describe, expect, it } from 'vitest';
import { findLoosely } from './find-loosely.ts';

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

/** A generator of numbers in 0..1 (mulberry32), the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = ['return x;', 'a();', '}', 'if (b) {', 'b = "c";', '', 'else {', 'call(1, 2);', '// note'];

/** One near miss: a file of few different lines, a piece of it, and the piece as a model would have it wrong. */
function nearMiss(seed: number) {
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const unit = pick(['  ', '    ', '\t']);
  const lines = Array.from({ length: 12 + Math.floor(next() * 20) }, (_, index) => {
    const word = next() < 0.25 ? `unique${index}();` : pick(WORDS);
    return word === '' ? '' : unit.repeat(Math.floor(next() * 4)) + word;
  });
  const at = Math.floor(next() * (lines.length - 5));
  const count = 1 + Math.floor(next() * 4);
  const eol = next() < 0.2 ? '\r\n' : '\n';
  const before = lines.slice(at, at + count);
  const indent = /^\s*/.exec(before.find((line) => line !== '') ?? '')?.[0];
  const after = before.flatMap((line, index) => (index === 0 ? [line, `${indent}new();`] : [line]));
  const slip = pick(['numbers', 'out', 'in', 'ends', 'tabs', 'numbers and out']);
  const shared = before.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.length - line.trimStart().length)),
    99,
  );
  const wrong = (part: readonly string[]): string => {
    const moved = part.map((line) => {
      if (line === '') return line;
      if (slip.includes('out')) return line.slice(shared === 99 ? 0 : shared);
      if (slip === 'in') return unit + line;
      if (slip === 'ends') return `${line}  `;
      return slip === 'tabs' && unit !== '\t'
        ? line.replace(/^ +/, (gap) => '\t'.repeat(gap.length / unit.length))
        : line;
    });
    return moved.map((line, index) => (slip.includes('numbers') ? `${at + index + 1}\t${line}` : line)).join('\n');
  };
  const trimmed = (part: string) => (slip === 'ends' ? part.replaceAll(/[ ]+$/gm, '') : part);
  return {
    slip,
    text: lines.join(eol) + eol,
    from: wrong(before),
    to: trimmed(wrong(after)),
    expected: [...lines.slice(0, at), ...after, ...lines.slice(at + count)].join(eol) + eol,
  };
}

it('is applied at no wrong place in a thousand near misses, and at the right one in most', () => {
  let right = 0;
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const { text, from, to, expected, slip } = nearMiss(seed);
    // What stands there exactly is no near miss.
    if (text.includes(from)) continue;
    const result = edited(text, from, to);
    if (result === null) continue;
    expect(result, `${seed}: ${slip}\n${from}\n---\n${text}`).toBe(expected);
    right += 1;
  }
  expect(right).toBeGreaterThan(400);
});
