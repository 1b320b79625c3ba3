import type { RepoId } from '@sluice/core/id';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LexicalChunk, LexicalIndex } from '../lexical-index.ts';
import type { IndexHarness, OpenIndexes } from './index-harness.ts';
import { createScratchRepo, type ScratchRepo } from './scratch-repo.ts';

const signal = new AbortController().signal;
const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;
const otherId = '019a0000-0000-7000-8000-000000000002' as RepoId;

/** What every index by words does, wherever it is kept. */
export function codeIndexContract(name: string, openHarness: OpenIndexes): void {
  let harness: IndexHarness;
  let repo: ScratchRepo;
  let index: LexicalIndex;

  const found = async (query: string, id = repoId) =>
    (await index.search(id, { query, limit: 10 }, signal)).map(({ path }) => path);

  const lines = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => `${line(n + 1)}\n`).join('');

  describe(`the code index in ${name}`, () => {
    // All cases share one index, because its start costs more than a case. Each case leaves it empty.
    beforeAll(async () => {
      harness = await openHarness();
      index = harness.open();
    });

    beforeEach(() => {
      repo = createScratchRepo(repoId);
    });

    afterEach(async () => {
      repo[Symbol.dispose]();
      for (const id of [repoId, otherId]) await index.drop(id);
    });

    afterAll(async () => {
      await index.close();
      await harness[Symbol.asyncDispose]();
    });

    it('says what it holds after an update and finds code by its words', async () => {
      const workspace = repo.commit({
        'src/sum.ts': 'export function addNumbers(a: number, b: number) {\n  return a - b;\n}\n',
        'src/greet.ts': 'export const greeting = "hello";\n',
      });
      const held = await index.update(workspace, signal);
      expect(held).toEqual({
        index: { commit: workspace.baseCommit, files: 2, chunks: 2, updated_at: '2026-11-20T09:15:00.000Z' },
        notes: [],
      });
      const [hit] = await index.search(workspace.repoId, { query: 'the numbers are added wrongly', limit: 5 }, signal);
      expect(hit).toMatchObject({ path: 'src/sum.ts', startLine: 1, endLine: 3 });
      expect(hit?.text).toContain('return a - b;');
      expect(hit?.score).toBeGreaterThan(0);
    });

    it('finds identifiers by the words inside them, in camel case and in snake case', async () => {
      await index.update(
        repo.commit({
          'a.ts': 'const getUserName = 1;\n',
          'b.py': 'parse_config_file = 1\n',
          'c.ts': 'class XMLHttpSender {}\n',
          'd.ts': 'const nothing = 0;\n',
        }),
        signal,
      );
      expect(await found('user name')).toEqual(['a.ts']);
      expect(await found('getUserName()')).toEqual(['a.ts']);
      expect(await found('config')).toEqual(['b.py']);
      expect(await found('parse_config_file')).toEqual(['b.py']);
      expect(await found('sender')).toEqual(['c.ts']);
    });

    it('ranks a file named in the question above files that only mention the word', async () => {
      const mention = lines(30, (n) => `const invoice${n} = 1; // about the invoice`);
      await index.update(repo.commit({ 'src/a.ts': mention, 'src/invoice.ts': 'export const total = 0;\n' }), signal);
      expect((await found('src/invoice.ts'))[0]).toBe('src/invoice.ts');
    });

    it('ranks written code above the same words in vendored and generated code', async () => {
      const text = 'function settleLedger() { return 1; }\n';
      await index.update(
        repo.commit({
          'dist/ledger.js': `// ledger ledger ledger\n${text}`,
          'vendor/ledger.js': `// ledger ledger\n${text}`,
          'src/book.js': `${text}// and some more words that make this one longer than the others\n`,
        }),
        signal,
      );
      expect((await found('settle ledger'))[0]).toBe('src/book.js');
    });

    it('cuts long files into windows of 60 lines that overlap by 10', async () => {
      const workspace = repo.commit({ 'long.txt': lines(120, (n) => `needle${n}x`) });
      expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 1, chunks: 3 } });
      const windows = (await index.search(workspace.repoId, { query: 'needle55x', limit: 10 }, signal)).map((hit) => [
        hit.startLine,
        hit.endLine,
      ]);
      expect(windows.sort()).toEqual([
        [1, 60],
        [51, 110],
      ]);
      expect(await index.search(workspace.repoId, { query: 'needle120x', limit: 10 }, signal)).toMatchObject([
        { startLine: 101, endLine: 120 },
      ]);
    });

    it('leaves out binary, minified, large, locked and installed files', async () => {
      const workspace = repo.commit({
        'kept.ts': 'const needle = 1;\n',
        'image.bin': Buffer.from('needle\0needle'),
        'bundle.js': `needle;${'a=1;'.repeat(5_000)}\n`,
        'wide.js': `${'const needle = 1; '.repeat(50)}\n`.repeat(20),
        'large.txt': lines(80_000, () => 'needle'),
        'package-lock.json': '{"needle":1}\n',
        'node_modules/x/index.js': 'needle\n',
        'empty.ts': '',
      });
      expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 1, chunks: 1 } });
      expect(await found('needle')).toEqual(['kept.ts']);
    });

    it('says which symbol a hit is, and finds it by its name above those that only use it', async () => {
      const body = lines(20, (n) => `  step${n}();`);
      const workspace = repo.commit({
        'src/use.ts': `export function start() {\n${body}  settle();\n  settle();\n}\n`,
        'src/define.ts': `export class Ledger {\n  settle() {\n${body}  }\n}\n`,
        'notes.xyz': 'settle\n',
      });
      await index.update(workspace, signal);
      const hits = await index.search(workspace.repoId, { query: 'settle', limit: 10 }, signal);
      expect(hits.map(({ path, symbol }) => [path, symbol])).toEqual([
        ['src/define.ts', 'Ledger'],
        ['notes.xyz', null],
        ['src/use.ts', 'start'],
      ]);
    });

    it('ranks the code above its tests unless far less of the question is in it', async () => {
      const text = 'export function balance() {\n  return 1;\n}\n';
      await index.update(repo.commit({ 'src/sum.ts': text, 'src/sum.test.ts': `// balance\n${text}` }), signal);
      expect(await found('fix the balance')).toEqual(['src/sum.ts', 'src/sum.test.ts']);
      expect((await found('the balance in sum.test.ts'))[0]).toBe('src/sum.test.ts');
    });

    it('hands out all that is searched, page by page, under ids that stay while the content stays', async () => {
      const body = lines(20, (n) => `  step${n}();`);
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [
          `f${n}.ts`,
          `function one${n}() {\n${body}}\nfunction two${n}() {\n${body}}\n`,
        ]),
      );
      const first = repo.commit({ ...files, 'copy.ts': files['f0.ts'] ?? '' });
      await index.update(first, signal);
      const all = await everyChunk(7);
      expect(all).toHaveLength(60);
      expect(new Set(all.map(({ id }) => id)).size).toBe(60);
      expect(await everyChunk(500)).toEqual(all);
      const one = all.find(({ symbol }) => symbol === 'two3');
      expect(one).toMatchObject({ path: 'f3.ts', startLine: 23, endLine: 44 });
      expect(one?.text).toContain('function two3()');
      expect(await index.search(first.repoId, { query: 'two3', limit: 1 }, signal)).toMatchObject([{ id: one?.id }]);
      await index.update(
        repo.commit({ 'f3.ts': null, 'moved/f3.ts': files['f3.ts'] ?? '', 'f4.ts': 'class New {}\n' }),
        signal,
      );
      const gone = all.find(({ symbol }) => symbol === 'one4');
      const last = all.find(({ symbol }) => symbol === 'one5');
      const ids = [last?.id, gone?.id, one?.id, 'nonsense', `${'0'.repeat(40)}:1-2`].map(String);
      expect(await index.chunksById(first.repoId, ids)).toEqual([last, { ...one, path: 'moved/f3.ts' }]);
      expect(await index.chunksById(first.repoId, Array(1_200).fill(ids[0]))).toHaveLength(1_200);
      expect(await everyChunk(500)).toHaveLength(59);
      expect(await index.chunks(otherId, null, 10)).toEqual([]);
      expect(await index.chunks(first.repoId, 'nonsense', 10)).toEqual([]);
    });

    async function everyChunk(limit: number) {
      const all: LexicalChunk[] = [];
      let after: string | null = null;
      for (;;) {
        const page: readonly LexicalChunk[] = await index.chunks(repoId, after, limit);
        expect(page.length).toBeLessThanOrEqual(limit);
        after = page.at(-1)?.id ?? null;
        if (after === null) return all;
        all.push(...page);
      }
    }

    it('reads only the blobs that it does not know, whatever their paths', async () => {
      const first = repo.commit({ 'a.ts': 'const apple = 1;\n', 'b.ts': 'const banana = 1;\n' });
      await index.update(first, signal);
      expect(first.blobsRead).toHaveLength(2);
      const second = repo.commit({
        'a.ts': null,
        'moved/fruit.ts': 'const apple = 1;\n',
        'b.ts': 'const cherry = 1;\n',
      });
      expect(await index.update(second, signal)).toMatchObject({ index: { files: 2, chunks: 2 } });
      expect(second.blobsRead).toHaveLength(1);
      expect(await found('apple')).toEqual(['moved/fruit.ts']);
      expect(await found('fruit')).toEqual(['moved/fruit.ts']);
      expect(await found('cherry')).toEqual(['b.ts']);
    });

    it('forgets removed paths and the words that stood there, and does no work for a commit that it has', async () => {
      await index.update(repo.commit({ 'a.ts': 'const apple = 1;\n', 'b.ts': 'const banana = 1;\n' }), signal);
      const second = repo.commit({ 'a.ts': null });
      expect(await index.update(second, signal)).toMatchObject({ index: { files: 1, chunks: 1 } });
      expect(await found('apple')).toEqual([]);
      const again = repo.commit({ 'b.ts': null });
      expect(await index.update(again, signal)).toMatchObject({ index: { files: 0, chunks: 0 } });
      expect(
        await index.update({ ...again, blobs: () => Promise.reject(new Error('read again')) }, signal),
      ).toMatchObject({
        index: {
          commit: again.baseCommit,
        },
      });
      expect(await harness.rows()).toEqual({ blobs: 0, chunks: 0, words: 0 });
    });

    it('names the path that the question speaks of when one content stands at several', async () => {
      const text = 'const shared = 1;\n';
      await index.update(repo.commit({ 'alpha/x.ts': text, 'beta/x.ts': text, 'dist/x.ts': text }), signal);
      expect(await found('shared beta')).toEqual(['beta/x.ts']);
      expect(await found('shared alpha')).toEqual(['alpha/x.ts']);
    });

    it('puts the third window of one file behind the first of another', async () => {
      await index.update(
        repo.commit({
          'big.ts': lines(500, () => 'turbine turbine'),
          'small.ts': `turbine\n${lines(50, (n) => `w${n}`)}`,
        }),
        signal,
      );
      expect((await found('turbine')).slice(0, 3).sort()).toEqual(['big.ts', 'big.ts', 'small.ts']);
    });

    it.each([
      'needle"',
      '"needle',
      'needle*',
      'path:needle',
      '{path body} : needle',
      'needle NEAR(x, 2)',
      'needle AND NOT needle',
      '^needle',
      '-needle',
      "needle'; drop table repos; --",
      'needle\0\u{1F600}\ud800',
    ])('takes a question as words and never as the syntax of a search: %j', async (query) => {
      const workspace = repo.commit({ 'a.ts': 'const needle = 1;\n' });
      await index.update(workspace, signal);
      expect(await found(query)).toEqual(['a.ts']);
    });

    it('takes a question of any length by its first words and by the names out of the code among them', async () => {
      await index.update(repo.commit({ 'a.ts': 'const needle = 1;\n', 'b.ts': 'const rareName = 1;\n' }), signal);
      const prose = Array.from({ length: 500 }, (_, n) => String.fromCharCode(97 + (n % 26), 97 + n / 26, 120)).join(
        ' ',
      );
      expect(await found(`needle ${prose} rareName ${prose.repeat(1_000)}`)).toEqual(['b.ts', 'a.ts']);
    });

    it.each(['', ' ', '***', '""', 'the and of', 'a', '\0'])('finds nothing for %j', async (query) => {
      await index.update(repo.commit({ 'a.ts': 'the and of a\n' }), signal);
      expect(await found(query)).toEqual([]);
    });

    it.each([
      [0, 1],
      [-5, 1],
      [1, 1],
      [3, 3],
      [1_000_000, 100],
    ])('answers a limit of %j with %j hits', async (limit, count) => {
      const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}.ts`, `needle ${n}\n`]));
      const workspace = repo.commit(files);
      await index.update(workspace, signal);
      expect(await index.search(workspace.repoId, { query: 'needle', limit }, signal)).toHaveLength(count);
    });

    it('keeps repositories apart and drops one without touching the other', async () => {
      using other = createScratchRepo(otherId);
      await Promise.all([
        index.update(repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal),
        index.update(other.commit({ 'b.ts': 'const needle = 1;\n' }), signal),
      ]);
      expect(await found('needle')).toEqual(['a.ts']);
      expect(await found('needle', otherId)).toEqual(['b.ts']);
      await index.drop(repoId);
      expect(await found('needle')).toEqual([]);
      expect(await found('needle', otherId)).toEqual(['b.ts']);
      await index.drop(repoId);
      expect(await index.update(repo.commit({}), signal)).toMatchObject({ index: { files: 1 } });
      expect(await found('needle')).toEqual(['a.ts']);
    });

    it('finds everything again when it is opened again', async () => {
      await index.update(repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
      await index.close();
      index = harness.open();
      expect(await found('needle')).toEqual(['a.ts']);
    });

    it('indexes around text that no database can store', async () => {
      const prose = 'words and more words\n'.repeat(500);
      const odd = Buffer.concat([
        Buffer.from(`${prose}turbine `),
        Buffer.from([0, 0xed, 0xa0, 0x80]),
        Buffer.from(" 'piston \\\n"),
      ]);
      await index.update(repo.commit({ 'odd.txt': odd, "it's \\ \u{1F600}.ts": 'const needle = 1;\n' }), signal);
      expect(await found('turbine')).toEqual(['odd.txt']);
      expect(await found('piston')).toEqual(['odd.txt']);
      expect(await found('needle')).toEqual(["it's \\ \u{1F600}.ts"]);
    });

    it('indexes a chunk of words without end', async () => {
      const word = (n: number) => `w${n.toString(36)}`;
      const words = (line: number) => Array.from({ length: 1_600 }, (_, n) => word(line * 1_600 + n)).join(' ');
      const short = lines(1_000, () => 'short');
      const long = `${lines(50, words)}${short}`;
      const wide = `${'x'.repeat(9_000)}\n${short}`;
      await index.update(repo.commit({ 'long.txt': long, 'wide.txt': `needle\n${wide}` }), signal);
      expect(await found(word(1_601))).toEqual(['long.txt']);
      expect(await found('needle')).toEqual(['wide.txt']);
    });
  });
}
