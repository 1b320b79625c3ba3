import { afterEach, describe, expect, it } from 'vitest';
import { createFileChunker, type FileChunker } from './file-chunker.ts';
import { expectTakenByItsLines, mortalParser, ordinaryFile, sourceFile, symbolsOf } from './test/chunked-files.ts';

let chunker: FileChunker;
afterEach(() => chunker.close());

const symbols = (files: Parameters<typeof symbolsOf>[1], chunk = chunker.begin()) => symbolsOf(chunk, files);

describe('the parsing thread', () => {
  it('cuts files in their order and outlines a file in a known language', async () => {
    chunker = createFileChunker();
    expect(await symbols([ordinaryFile('a'), sourceFile('none', ''), ordinaryFile('b')])).toEqual([
      ['a', 'a', 'function a() {}'],
      ['none', undefined, undefined],
      ['b', 'b', 'function b() {}'],
    ]);
    expect(await chunker.outline({ path: 'x/a.py', text: 'class A:\n    def m(self):\n        pass\n' })).toEqual([
      { kind: 'class', name: 'A', startLine: 1, endLine: 3, depth: 0, signature: 'class A:' },
      { kind: 'method', name: 'm', startLine: 2, endLine: 3, depth: 1, signature: 'def m(self):' },
    ]);
    expect(await chunker.outline({ path: 'a.ts', text: '' })).toEqual([]);
    expect(await chunker.outline({ path: 'a.unknown', text: 'class A {}' })).toBeNull();
    expect(await chunker.outline({ path: 'a.ts', text: 'x;\n'.repeat(400_000) })).toBeNull();
  });

  it('leaves the event loop free while it works', async () => {
    chunker = createFileChunker();
    const text = 'export const a = { b: [1, 2, 3] };\n'.repeat(14_000);
    let isDone = false;
    const outlined = chunker.outline({ path: 'a.ts', text }).finally(() => {
      isDone = true;
    });
    let turns = 0;
    while (!isDone) {
      await new Promise(setImmediate);
      turns += 1;
    }
    await outlined;
    expect(turns).toBeGreaterThan(100);
  });

  it('takes a file that kills it by its lines, and keeps the symbols of all others', async () => {
    chunker = createFileChunker({ script: mortalParser, timeoutMs: 30_000 });
    await expectTakenByItsLines(chunker, 'DIES HERE');
  });

  it('stops parsing for an update whose files kill it again and again, but not for the next', async () => {
    chunker = createFileChunker({ script: mortalParser });
    const update = chunker.begin();
    const bad = Array.from({ length: 20 }, (_, n) => sourceFile(`bad${n}`, `function bad${n}() {} // DIES HERE\n`));
    expect((await symbols(bad, update)).every(([, symbol]) => symbol === null)).toBe(true);
    expect(await symbols([ordinaryFile('a')], update)).toEqual([['a', null, 'function a() {}']]);
    expect(await symbols([ordinaryFile('a')])).toEqual([['a', 'a', 'function a() {}']]);
  });

  it('refuses everything once it is closed', async () => {
    chunker = createFileChunker();
    await chunker.close();
    await expect(chunker.outline({ path: 'a.ts', text: '' })).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(chunker.begin()([ordinaryFile('a')])).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
