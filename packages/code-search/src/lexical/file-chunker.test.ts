import { afterEach, describe, expect, it } from 'vitest';
import { createFileChunker, type FileChunker } from './file-chunker.ts';

const mortal = new URL('./test/mortal-parser.ts', import.meta.url);
const file = (name: string, text: string) => ({ blob: name, path: `${name}.ts`, content: Buffer.from(text) });
const ordinary = (name: string) => file(name, `function ${name}() {}\n`);

let chunker: FileChunker;
afterEach(() => chunker.close());

async function symbols(files: Parameters<ReturnType<FileChunker['begin']>>[0], chunk = chunker.begin()) {
  return (await chunk(files)).map(({ blob, chunks }) => [blob, chunks[0]?.symbol, chunks[0]?.text.trim()]);
}

describe('the parsing thread', () => {
  it('cuts files in their order and outlines a file in a known language', async () => {
    chunker = createFileChunker();
    expect(await symbols([ordinary('a'), file('none', ''), ordinary('b')])).toEqual([
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

  it.each([
    ['kills', 'DIES HERE', 30_000],
    ['keeps', 'HANGS HERE', 3_000],
  ])('takes a file that %s it by its lines, and keeps the symbols of all others', async (_, mark, timeoutMs) => {
    chunker = createFileChunker({ script: mortal, timeoutMs });
    const bad = file('bad', `function bad() {} // ${mark}\n`);
    expect(await symbols([ordinary('a'), bad, ordinary('b')])).toEqual([
      ['a', 'a', 'function a() {}'],
      ['bad', null, `function bad() {} // ${mark}`],
      ['b', 'b', 'function b() {}'],
    ]);
    expect(await chunker.outline({ path: 'bad.ts', text: mark })).toBeNull();
    expect(await chunker.outline({ path: 'a.ts', text: 'class A {}' })).toHaveLength(1);
    expect(await chunker.syntaxFaults({ path: 'bad.ts', text: mark })).toBeNull();
    expect(await chunker.syntaxFaults({ path: 'a.ts', text: 'class A {' })).toHaveLength(1);
  });

  it('stops parsing for an update whose files kill it again and again, but not for the next', async () => {
    chunker = createFileChunker({ script: mortal });
    const update = chunker.begin();
    const bad = Array.from({ length: 20 }, (_, n) => file(`bad${n}`, `function bad${n}() {} // DIES HERE\n`));
    expect((await symbols(bad, update)).every(([, symbol]) => symbol === null)).toBe(true);
    expect(await symbols([ordinary('a')], update)).toEqual([['a', null, 'function a() {}']]);
    expect(await symbols([ordinary('a')])).toEqual([['a', 'a', 'function a() {}']]);
  });

  it('refuses everything once it is closed', async () => {
    chunker = createFileChunker();
    await chunker.close();
    await expect(chunker.outline({ path: 'a.ts', text: '' })).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(chunker.begin()([ordinary('a')])).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
