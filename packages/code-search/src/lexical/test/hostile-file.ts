import { expect } from 'vitest';
import { chunkFile, outlineFile } from '../chunk-file.ts';
import type { SyntaxParser } from '../syntax/syntax-parser.ts';

const scrambled = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (((n * 7_919) >> 3) % 255) + 1));

export async function expectOutlinedOrGivenUp(parser: SyntaxParser, ending: string, text: string): Promise<void> {
  const started = process.cpuUsage();
  const symbols = await outlineFile(parser, { path: `a.${ending}`, text });
  expect(symbols?.length ?? 0).toBeLessThanOrEqual(5_000);
  expect(process.cpuUsage(started).user).toBeLessThan(30_000_000); // microseconds of this process: other processes do not count
  const [symbol] = (await outlineFile(parser, { path: 'b.ts', text: 'function after() {}\n' })) ?? [];
  expect(symbol).toMatchObject({ name: 'after', startLine: 1 });
}

export async function expectNoHarmFromBinary(parser: SyntaxParser, ending: string): Promise<void> {
  await chunkFile(parser, { path: `a.${ending}`, content: scrambled });
  const next = await chunkFile(parser, { path: 'b.ts', content: Buffer.from('function after() {}\n') });
  expect(next.map(({ symbol, startLine, endLine }) => [symbol, startLine, endLine])).toEqual([['after', 1, 1]]);
}
