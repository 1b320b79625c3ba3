import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunkFile, outlineFile } from './chunk-file.ts';
import { createSyntaxParser, type SyntaxParser } from './syntax/syntax-parser.ts';
import { expectNoHarmFromBinary, expectOutlinedOrGivenUp } from './test/hostile-file.ts';

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await createSyntaxParser();
});

const chunksOf = (path: string, text: string) => chunkFile(parser, { path, content: Buffer.from(text) });
const shapes = async (path: string, text: string) =>
  (await chunksOf(path, text)).map(({ symbol, startLine, endLine }) => [symbol, startLine, endLine]);
const block = (head: string, lines: number) => `${head} {\n${'  work();\n'.repeat(lines - 2)}}\n`;

describe('the chunks of a file', () => {
  it('are its symbols, each with the comment above it', async () => {
    const text = `import x from 'x';\n\n${block('function first()', 20)}\n/** Why. */\n// More.\n${block('function second()', 20)}`;
    expect(await shapes('a.ts', text)).toEqual([
      [null, 1, 2],
      ['first', 3, 22],
      ['second', 24, 45],
    ]);
  });

  it('are the members of a class that is too long for one, named with it', async () => {
    const methods = ['one', 'two', 'three'].map((name) => block(`  ${name}()`, 30)).join('');
    const chunks = await chunksOf('a.ts', `class Router {\n${methods}}\n`);
    expect(chunks.map(({ symbol, names }) => [symbol, names])).toEqual([
      ['Router', 'Router'],
      ['Router.one', 'Router.one'],
      ['Router.two', 'Router.two'],
      ['Router.three', 'Router.three'],
      ['Router', 'Router'],
    ]);
    const small = await chunksOf('a.ts', `class Router {\n${block('  one()', 10)}${block('  two()', 10)}}\n`);
    expect(small.map(({ symbol, names }) => [symbol, names])).toEqual([['Router', 'Router\nRouter.one\nRouter.two']]);
  });

  it('are windows of a long symbol that has no members, all with its name', async () => {
    expect(await shapes('a.py', `def long():\n${'    work()\n'.repeat(119)}`)).toEqual([
      ['long', 1, 60],
      ['long', 51, 110],
      ['long', 101, 120],
    ]);
  });

  it('put small neighbours together, under the name of the longest', async () => {
    const [chunk, ...more] = await chunksOf('a.go', 'const A = 1\nconst B = 2\n\nfunc c() {\n}\n');
    expect(more).toEqual([]);
    expect(chunk).toMatchObject({ symbol: 'c', names: 'A\nB\nc', startLine: 1, endLine: 5 });
  });

  it('are windows of lines in a language that is not known and without a parser', async () => {
    expect(await shapes('a.xyz', 'function a() {}\n')).toEqual([[null, 1, 1]]);
    const content = Buffer.from('function a() {}\n');
    expect(await chunkFile(null, { path: 'a.ts', content })).toMatchObject([{ symbol: null, startLine: 1 }]);
  });

  it('hold every line of code that is written here, in order and without a gap', async () => {
    const folder = new URL('../../src/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(50);
    for (const path of files.slice(0, 80)) await expectWhole(path, readFileSync(new URL(path, folder), 'utf8'));
  });

  it.each([
    ['unclosed', 'class A {\n  m() {\n    if (x) {\n\nfunction b( {\n}\n}}}}\nclass\n'],
    ['several on a line', 'function a() {} function b() {\n} function c() {}\n'],
    ['another language', 'SELECT * FROM a;\n<html>\n\tdef x:\n'],
    ['old line ends', 'function a() {\r\n  return 1;\r\n}\r\nconst b = 2;\r\n'],
  ])('hold every line of a broken file too: %s', async (_, text) => {
    await expectWhole('a.ts', text);
    await expectWhole('a.py', text);
    await expectWhole('a.cpp', text);
  });

  async function expectWhole(path: string, text: string): Promise<void> {
    const lines = text.split(/\r?\n/);
    const found = new Set<number>();
    let last = 0;
    for (const chunk of await chunksOf(path, text)) {
      expect(chunk.startLine, path).toBeGreaterThan(last);
      expect(chunk.text).toBe(lines.slice(chunk.startLine - 1, chunk.endLine).join('\n'));
      last = chunk.startLine;
      for (let line = chunk.startLine; line <= chunk.endLine; line += 1) found.add(line);
    }
    const missed = lines.filter((line, at) => line.trim() !== '' && !found.has(at + 1));
    expect(missed, path).toEqual([]);
  }
});

describe('a hostile file', () => {
  it.each([
    ['unclosed templates', 'ts', '`${'.repeat(100_000)],
    ['deep indentation', 'py', Array.from({ length: 900 }, (_, n) => `${' '.repeat(n)}if x:`).join('\n')],
    ['lone surrogates', 'ts', '\ud800'.repeat(10_000)],
  ])('is outlined or given up within seconds: %s', { timeout: 120_000 }, (_, ending, text) =>
    expectOutlinedOrGivenUp(parser, ending, text),
  );

  it.each(['php', 'sh'])('that is no text does no harm to the next: .%s', { timeout: 120_000 }, (ending) =>
    expectNoHarmFromBinary(parser, ending),
  );

  it('is given up when it takes too long, and the next is parsed from its own start', async () => {
    const hasty = await createSyntaxParser(5);
    const slow = { path: 'a.ts', text: 'export const a = { b: [1, 2, 3] };\n'.repeat(14_000) };
    expect(await outlineFile(hasty, slow)).toBeNull();
    expect(await outlineFile(hasty, { path: 'b.ts', text: 'class B {}' })).toMatchObject([{ name: 'B' }]);
  });
});
