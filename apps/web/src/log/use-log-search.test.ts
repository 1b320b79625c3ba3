import { expect, it } from 'vitest';
import { searchPattern } from '../format/search-pattern.ts';
import { createLineStore } from './line-store.ts';
import type { LogSection } from './log-book.ts';
import { type LogHit, searchLog } from './use-log-search.ts';

function search(query: string, ...outputs: string[]): LogHit[] {
  const sections = outputs.map((text, index): LogSection => {
    const lines = createLineStore();
    for (const line of text.match(/.*\n?/g) ?? []) lines.append('stdout', line);
    return { id: index + 1, command: 'a', at: '', run: null, lines };
  });
  const hits: LogHit[] = [];
  const steps = searchLog(sections, searchPattern(query)!, hits);
  while (steps.next().done !== true);
  return hits;
}

it('finds each line once, with its number, in all sections', () => {
  expect(search('fail', 'ok\nFAIL fail\nok\n', 'ok\n\nit failed')).toEqual([
    { section: 1, line: 1 },
    { section: 2, line: 2 },
  ]);
});

it('finds a text that colours divide', () => {
  expect(search('2 failed', 'ok\n\u001b[31m2\u001b[0m failed\n')).toEqual([{ section: 1, line: 1 }]);
});

it('numbers the lines right far into a large output', () => {
  const output = `${'some line of output\n'.repeat(20_000)}needle\n`;
  expect(search('needle', output)).toEqual([{ section: 1, line: 20_000 }]);
});
