import { expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { readAdvice } from './advice.ts';

const read = (files: Record<string, string>) => readAdvice(memoryContext({ files }).context.workspace.files);

it("reads the root's files for agents and contributors, in whatever case they are named", async () => {
  const files = { 'Contributing.md': 'Be kind.', 'AGENTS.md': 'Use tabs.', 'docs/AGENTS.md': 'no', 'README.md': 'no' };
  expect(await read(files)).toEqual([
    { path: 'AGENTS.md', text: 'Use tabs.' },
    { path: 'Contributing.md', text: 'Be kind.' },
  ]);
});

it('leaves out what is not there, is empty or cannot be read', async () => {
  expect(await read({ 'a.txt': 'a', 'AGENTS.md': ' \n' })).toEqual([]);
  const files = memoryContext({ files: { 'CONTRIBUTING.md': 'x' } }).context.workspace.files;
  expect(await readAdvice({ list: async () => ['AGENTS.md', 'CONTRIBUTING.md'], read: files.read })).toHaveLength(1);
});

it('shortens a long one, and says so', async () => {
  const [advice] = await read({ 'AGENTS.md': 'x'.repeat(50_000) });
  expect(advice?.text.length).toBeLessThan(12_100);
  expect(advice?.text).toMatch(/x…\n\(AGENTS\.md goes on: it has 50000 characters\)$/);
});
