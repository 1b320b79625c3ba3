import type { CodeHit } from '@sluice/core/code-search';
import { describe, expect, it } from 'vitest';
import { coder } from '../roles/coder.ts';
import { planner } from '../roles/planner.ts';
import { reviewer } from '../roles/reviewer.ts';
import { triager } from '../roles/triager.ts';
import { editFile } from './edit-file.ts';
import { findCode } from './find-code.ts';
import { listFiles } from './list-files.ts';
import { outline } from './outline.ts';
import { readFile } from './read-file.ts';
import { runCommand } from './run-command.ts';
import { refusalOf, useTool as use } from './test/use-tool.ts';
import { deleteFile, writeFile } from './write-file.ts';

it('gives the reading roles no tool that writes or runs anything', () => {
  for (const role of [triager, planner, reviewer])
    expect(role.tools.filter((tool) => tool.effect !== 'read')).toEqual([]);
  expect(coder.tools.filter((tool) => tool.effect !== 'read').map((tool) => tool.name)).toEqual([
    'edit_file',
    'apply_patch',
    'write_file',
    'delete_file',
    'rename_symbol',
    'replace_in_files',
    'run_command',
  ]);
});

it.each([
  [{}, 'run_command was not run: "command" is missing.'],
  [{ command: '' }, 'run_command was not run: "command" is empty.'],
  [{ command: 5, shell: 'zsh' }, null],
  [{ command: { run: 'make' } }, 'run_command was not run: "command" must be a text.'],
  ['make', 'run_command was not run: its input must be a JSON object with "command", "timeout_s".'],
  [{ run: 'x' }, 'run_command was not run: "command" is missing; it has no input "run", only "command", "timeout_s".'],
])('says in a sentence what is wrong with an input: %j', async (input, told) => {
  if (told === null)
    expect((await use(runCommand, input)).answer).toContain('(run_command has no input shell: ignored.)');
  else expect(await refusalOf(runCommand, input)).toBe(told);
});

describe('list_files', () => {
  const files = { 'a.txt': '', 'src/a.ts': '', 'src/deep/b.ts': '', 'srcs/c.ts': '' };

  it('lists all, or what lies in a folder', async () => {
    expect((await use(listFiles, {}, { files })).answer).toBe('a.txt\nsrc/a.ts\nsrc/deep/b.ts\nsrcs/c.ts');
    for (const folder of ['src', 'src/', './src', '/src']) {
      expect((await use(listFiles, { folder }, { files })).answer).toBe('src/a.ts\nsrc/deep/b.ts');
    }
    expect((await use(listFiles, { folder: '.' }, { files })).answer).toContain('a.txt');
  });

  it('says how many it left out, and refuses a folder that is not there', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`f${index}`, '']));
    expect((await use(listFiles, {}, { files: many })).answer).toContain('… and 200 more');
    expect(await refusalOf(listFiles, { folder: 'nowhere' }, { files })).toContain('nowhere');
  });

  it('gives folders with their numbers where there are too many files', async () => {
    const paths = Array.from({ length: 600 }, (_, index) => `src/${index % 2 ? 'odd' : 'even'}/f${index}`);
    const many = Object.fromEntries(['a.txt', ...paths, 'test/a'].map((path) => [path, '']));
    expect((await use(listFiles, {}, { files: many })).answer).toBe('a.txt\nsrc/ (600 files)\ntest/ (1 files)');
    expect((await use(listFiles, { folder: 'src' }, { files: many })).answer).toBe(
      'src/even/ (300 files)\nsrc/odd/ (300 files)',
    );
  });
});

describe('read_file', () => {
  it('shows lines as they stand, numbers them where it is asked to, and marks the end', async () => {
    const read = async (text: string, range = {}) =>
      (await use(readFile, { path: 'a', ...range }, { files: { a: text } })).answer;
    expect(await read('one\n\ttwo\n')).toBe('a: lines 1-2 of 2\none\n\ttwo');
    expect(await read('one\ntwo\n', { numbers: true })).toBe('a: lines 1-2 of 2\n1\tone\n2\ttwo');
    expect(await read('one\ntwo')).toBe('a: lines 1-2 of 2, no newline at the end\none\ntwo');
    expect(await read('one\ntwo\nthree\n', { start_line: 2, end_line: 2 })).toBe('a: lines 2-2 of 3\ntwo');
    expect(await read('')).toBe('a: empty');
    expect(await read('\n', { numbers: true })).toBe('a: lines 1-1 of 1\n1\t');
  });

  it('reads what defines a symbol, wherever it does', async () => {
    const files = { 'a.ts': 'import x;\nclass Sum {\n  add() {}\n}\nfunction add() {}\n' };
    const symbol = (name: string, startLine: number, endLine: number) => {
      return { kind: 'function', name, startLine, endLine, depth: 0, signature: '' };
    };
    const symbols = [symbol('Sum', 2, 4), symbol('add', 3, 3), symbol('add', 5, 5)];
    const read = async (name: string) =>
      (await use(readFile, { path: 'a.ts', symbol: name }, { files, symbols })).answer;
    expect(await read('Sum')).toBe('a.ts: lines 2-4 of 5\nclass Sum {\n  add() {}\n}');
    expect(await read('Sum.add()')).toBe('a.ts: lines 3-3 of 5\n  add() {}');
    const both = 'a.ts: lines 3-3 of 5\n  add() {}\n\na.ts: lines 5-5 of 5\nfunction add() {}';
    expect(await read('add')).toBe(both);
    expect(await read('other.add')).toBe(both);
    const refusal = (name: string, other = {}) =>
      refusalOf(readFile, { path: 'a.ts', symbol: name }, { files, symbols, ...other });
    expect(await refusal('sub')).toBe('a.ts does not define sub. It defines Sum, add.');
    expect(await refusal('sub', { symbols: [] })).toBe('a.ts does not define sub. It defines no symbols.');
    const { symbols: _, ...unknown } = { files, symbols };
    expect(await refusalOf(readFile, { path: 'a.ts', symbol: 'Sum' }, unknown)).toContain(
      'The language of a.ts is not supported',
    );
  });

  it('names the lines of the definitions that do not fit any more', async () => {
    const lines = Array.from({ length: 900 }, (_, index) => `it('${index}', () => ${'x'.repeat(90)});\n`);
    const symbols = lines.map((_, index) => ({
      kind: 'function',
      name: 'it',
      startLine: index + 1,
      endLine: index + 1,
      depth: 0,
      signature: '',
    }));
    const { answer } = await use(
      readFile,
      { path: 'a.ts', symbol: 'it' },
      { files: { 'a.ts': lines.join('') }, symbols },
    );
    expect(answer).toContain('a.ts: lines 100-100 of 900');
    expect(answer).toMatch(/… \d+ more, from the lines \d+(?:, \d+){19} and below\.$/);
  });

  it('stops at its cap, and says where', async () => {
    const { answer } = await use(readFile, { path: 'a' }, { files: { a: `${'x'.repeat(999)}\n`.repeat(100) } });
    expect(answer.length).toBeLessThan(20_100);
    expect(answer).toMatch(/^a: lines 1-20 of 100\n[\s\S]+\n… continue with start_line 21\.$/);
    const small = await use(readFile, { path: 'a' }, { files: { a: `${'x'.repeat(99)}\n`.repeat(100) }, room: 20_000 });
    expect(small.answer).toMatch(/^a: lines 1-30 of 100\n/);
  });

  it('refuses a range that is not there, and a line over the cap', async () => {
    const files = { a: 'one\n', long: 'x'.repeat(50_000) };
    expect(await refusalOf(readFile, { path: 'a', start_line: 2 }, { files })).toContain('only 1 lines');
    expect(await refusalOf(readFile, { path: 'a', start_line: 2, end_line: 1 }, { files })).toContain('before');
    expect(await refusalOf(readFile, { path: 'long' }, { files })).toContain('longer');
    expect(await refusalOf(readFile, { path: 'none' }, { files })).toContain('none');
  });
});

describe('edit_file', () => {
  const edit = async (text: string, input: object) =>
    (await use(editFile, { path: 'a', ...input }, { files: { a: text } })).files.snapshot().a;

  it('replaces text that is there exactly once, or everywhere when asked to', async () => {
    expect(await edit('one two', { old_text: 'two', new_text: '$& $1' })).toBe('one $& $1');
    expect(await edit('aXaXa', { old_text: 'X', new_text: '', replace_all: true })).toBe('aaa');
  });

  it('fits line feeds to a file of CRLF, and to the lines of a mixed one', async () => {
    expect(await edit('a\r\nb\r\nc\r\n', { old_text: 'a\nb\n', new_text: 'x\ny\n' })).toBe('x\r\ny\r\nc\r\n');
    expect(await edit('a\r\nb\nc\r\n', { old_text: 'a\nb\n', new_text: '' })).toBe('c\r\n');
  });

  it('takes a near miss at the one place that fits, says so, and refuses where several do', async () => {
    const files = { a: 'x;\n  if (b) {\n    c();\n  }\n    c();\n' };
    const input = { path: 'a', old_text: 'if (b) {\n  c();\n}', new_text: 'c();' };
    const { answer, files: left } = await use(editFile, input, { files });
    expect(answer).toBe('Edited a at line 2, the one place that fits but for indentation.');
    expect(left.snapshot().a).toBe('x;\n  c();\n    c();\n');
    const said = await refusalOf(editFile, { ...input, old_text: '      c();' }, { files });
    expect(said).toMatch(/^old_text is not exactly in a, and nearly at lines 3, 5\. Copy the text/);
  });

  it('names the lines when the text is there several times', async () => {
    const files = { a: 'x\ny\nx\nx x\n' };
    expect(await refusalOf(editFile, { path: 'a', old_text: 'x', new_text: 'z' }, { files })).toContain(
      '4 times in a, at lines 1, 3, 4, 4',
    );
  });

  it('shows the nearest lines when the text is not there', async () => {
    const files = { a: 'const a = 1;\n  return  sum( a,b );\nreturn null;\n' };
    const said = await refusalOf(
      editFile,
      { path: 'a', old_text: '\n    return sum(a, b);\n', new_text: '' },
      { files },
    );
    expect(said).toContain('2\t  return  sum( a,b );');
    expect(said).not.toContain('const a');
    expect(await refusalOf(editFile, { path: 'a', old_text: 'import zlib', new_text: '' }, { files })).toContain(
      'Nothing like it',
    );
  });

  it('refuses what would outgrow all bounds', async () => {
    const input = { path: 'a', old_text: 'e', new_text: 'x'.repeat(100_000), replace_all: true };
    expect(await refusalOf(editFile, input, { files: { a: 'e'.repeat(1_000_000) } })).toContain('too large');
  });

  it('refuses to change nothing', async () => {
    await refusalOf(editFile, { path: 'a', old_text: 'x', new_text: 'x' }, { files: { a: 'x' } });
    await refusalOf(editFile, { path: 'a', old_text: '', new_text: 'x' }, { files: { a: 'x' } });
  });
});

describe('write_file and delete_file', () => {
  it('write, replace and delete', async () => {
    const files = { a: 'old' };
    expect((await use(writeFile, { path: 'a', content: 'new' }, { files })).files.snapshot()).toEqual({ a: 'new' });
    expect((await use(deleteFile, { path: 'a' }, { files })).files.snapshot()).toEqual({});
    expect(await refusalOf(deleteFile, { path: 'b' }, { files })).toContain('b');
  });

  it('leave a file alone that must be new, unless it already holds just that', async () => {
    const files = { a: 'old' };
    expect(await refusalOf(writeFile, { path: 'a', content: 'new', must_be_new: true }, { files })).toContain(
      'exists already',
    );
    expect((await use(writeFile, { path: 'a', content: 'old', must_be_new: true }, { files })).files.changes).toEqual(
      [],
    );
    expect((await use(writeFile, { path: 'b', content: '', must_be_new: true }, { files })).files.changes).toEqual([
      'write b',
    ]);
  });
});

describe('find_code', () => {
  const code = { path: 'a.ts', startLine: 2, endLine: 3, symbol: 'Sum.add', text: 'add() {\n}', score: 1 };
  const find = async (files: Record<string, string>, hits: readonly CodeHit[] = [code], room = 1_000_000) =>
    (await use(findCode, { query: 'sum' }, { hits, files, room })).answer;

  it('gives places with their lines and symbol, and says when there are none', async () => {
    const long = { ...code, symbol: null, text: 'y'.repeat(5_000) };
    const files = { 'a.ts': `${'y'.repeat(5_000)}\nadd() {\n}\n` };
    const answer = await find(files, [long, code]);
    expect(answer).toMatch(/^a\.ts:1-1\ny+…\n\na\.ts:2-3 in Sum\.add\nadd\(\) \{\n\}$/);
    expect(answer.length).toBeLessThan(1_300);
    expect(await find({}, [])).toContain('Nothing was found');
  });

  it('says where a file has changed since it was indexed', async () => {
    expect(await find({ 'a.ts': '\n\n\nadd() {\r\n}\r\n' })).toBe('a.ts:4-5 in Sum.add\nadd() {\n}');
    expect(await find({ 'a.ts': 'x\nadd(a) {\n}\nz\n' })).toBe(
      'a.ts:2-3 in Sum.add (changed since it was indexed: these are its lines now)\nadd(a) {\n}',
    );
    expect(await find({})).toBe('a.ts:2-3 in Sum.add (deleted since it was indexed)');
  });

  it('gives fewer places to a model with little room', async () => {
    const hits = Array.from({ length: 8 }, () => ({ ...code, text: 'y'.repeat(900) }));
    const answer = await find({ 'a.ts': 'y'.repeat(900) }, hits, 15_000);
    expect(answer.match(/a\.ts:/g)).toHaveLength(2);
  });
});

describe('outline', () => {
  const files = { 'a.ts': 'class Sum {\n  add() {}\n}\n' };
  const sum = { kind: 'class', name: 'Sum', startLine: 1, endLine: 3, depth: 0, signature: 'class Sum {' };
  const add = { kind: 'method', name: 'add', startLine: 2, endLine: 2, depth: 1, signature: 'add() {}' };

  it('gives the symbols with their lines, the inner ones set in', async () => {
    const { answer } = await use(outline, { path: 'a.ts' }, { files, symbols: [sum, add] });
    expect(answer).toBe('a.ts: 2 symbols, by lines\n1-3\tclass Sum: class Sum {\n2-2\t  method add: add() {}');
  });

  it('says where there is none, and how much it left out', async () => {
    expect((await use(outline, { path: 'a.ts' }, { files })).answer).toContain('its language is not known');
    expect((await use(outline, { path: 'a.ts' }, { files, symbols: [] })).answer).toContain('defines no symbols');
    const symbols = Array.from({ length: 500 }, (_, index) => ({ ...add, startLine: index + 1 }));
    expect((await use(outline, { path: 'a.ts' }, { files, symbols, room: 30_000 })).answer).toMatch(
      /\n… and 3\d\d more, after line 1\d\d: use search_text\.$/,
    );
    expect(await refusalOf(outline, { path: 'none.ts' }, { files })).toContain('none.ts');
  });
});
