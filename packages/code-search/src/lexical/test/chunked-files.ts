import { expect } from 'vitest';
import type { FileChunker } from '../file-chunker.ts';

/** A parsing thread in which some files do what no file should. */
export const mortalParser = new URL('./mortal-parser.ts', import.meta.url);

type Chunk = ReturnType<FileChunker['begin']>;

export const sourceFile = (name: string, text: string) => ({
  blob: name,
  path: `${name}.ts`,
  content: Buffer.from(text),
});
export const ordinaryFile = (name: string) => sourceFile(name, `function ${name}() {}\n`);

export async function symbolsOf(chunk: Chunk, files: Parameters<Chunk>[0]) {
  return (await chunk(files)).map(({ blob, chunks }) => [blob, chunks[0]?.symbol, chunks[0]?.text.trim()]);
}

/**
 * Expects a file that cannot be parsed to be cut by its lines, and its neighbours by their symbols.
 *
 * @param mark what the file has that kills or keeps the thread
 */
export async function expectTakenByItsLines(chunker: FileChunker, mark: string): Promise<void> {
  const bad = sourceFile('bad', `function bad() {} // ${mark}\n`);
  expect(await symbolsOf(chunker.begin(), [ordinaryFile('a'), bad, ordinaryFile('b')])).toEqual([
    ['a', 'a', 'function a() {}'],
    ['bad', null, `function bad() {} // ${mark}`],
    ['b', 'b', 'function b() {}'],
  ]);
  expect(await chunker.outline({ path: 'bad.ts', text: mark })).toBeNull();
  expect(await chunker.outline({ path: 'a.ts', text: 'class A {}' })).toHaveLength(1);
  expect(await chunker.syntaxFaults({ path: 'bad.ts', text: mark })).toBeNull();
  expect(await chunker.syntaxFaults({ path: 'a.ts', text: 'class A {' })).toHaveLength(1);
}
