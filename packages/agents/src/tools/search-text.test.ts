import type { TextMatches, TextQuery } from '@sluice/core/workspace';
import { describe, expect, it } from 'vitest';
import { searchText } from './search-text.ts';
import { refusalOf, useTool } from './test/use-tool.ts';

const line = (path: string, number: number, text: string) => ({ path, line: number, text, isMatch: true });

async function search(input: object, found: TextMatches) {
  const asked: TextQuery[] = [];
  const grep = async (query: TextQuery) => {
    asked.push(query);
    return found;
  };
  const { answer } = await useTool(searchText, { pattern: 'sum', ...input }, { grep });
  return { answer, asked: asked[0] };
}

describe('search_text', () => {
  it('gives the lines by file, what matches and what stands around it apart', async () => {
    const lines = [
      { ...line('a.ts', 3, 'before'), isMatch: false },
      line('a.ts', 4, 'sum(1)'),
      line('a.ts', 9, 'sum(2)'),
      line('b.ts', 1, `sum${'x'.repeat(900)}`),
    ];
    const { answer } = await search({ context_lines: 1 }, { lines, truncated: false });
    expect(answer).toMatch(/^a\.ts\n3- before\n4: sum\(1\)\n--\n9: sum\(2\)\n\nb\.ts\n1: sumx{596}…$/);
  });

  it('searches everywhere, with fifty lines by default', async () => {
    const nothing = { lines: [], truncated: false };
    expect((await search({}, nothing)).asked).toEqual({
      pattern: 'sum',
      literal: false,
      ignoreCase: false,
      path: null,
      glob: null,
      context: 0,
      limit: 50,
    });
    const input = { literal: true, ignore_case: true, path: 'src', glob: '*.ts', context_lines: 2, limit: 7 };
    expect((await search(input, nothing)).asked).toEqual({
      pattern: 'sum',
      literal: true,
      ignoreCase: true,
      path: 'src',
      glob: '*.ts',
      context: 2,
      limit: 7,
    });
  });

  it('says when it was cut, by the search or by its own length, and how to narrow it', async () => {
    const few = await search({}, { lines: [line('a.ts', 1, 'sum')], truncated: true });
    expect(few.answer).toMatch(/^a\.ts\n1: sum\n\nCut after 1 matching lines\. .*narrow it/);
    const lines = Array.from({ length: 200 }, (_, index) => line('a.ts', index + 1, 'x'.repeat(300)));
    const { answer } = await search({}, { lines, truncated: false });
    expect(answer.length).toBeLessThan(20_200);
    expect(answer).toMatch(/Cut after 6\d matching lines\./);
  });

  it('says where nothing was found', async () => {
    const nothing = { lines: [], truncated: false };
    expect((await search({}, nothing)).answer).toContain('in the repository');
    expect((await search({ glob: '*.ts' }, nothing)).answer).toContain('the files that you named');
  });

  it('refuses an empty pattern', async () => {
    expect(await refusalOf(searchText, { pattern: '' })).toContain('pattern');
  });
});
