import typescript from 'highlight.js/lib/languages/typescript';
import { createLowlight } from 'lowlight';
import { expect, it } from 'vitest';
import { highlightLines, tokenGroups } from './highlight-lines.ts';

it('gives the tokens of each line, also of those that go on over several lines', () => {
  const lines = ['/* a', 'b */ const text = "x";'];
  const tokens = highlightLines(createLowlight({ typescript }), 'typescript', lines);
  const named = tokens.map((line, row) =>
    Array.from({ length: line.length / 3 }, (_, i) => [
      tokenGroups[line[3 * i + 2] ?? -1],
      lines[row]?.slice(line[3 * i], line[3 * i + 1]),
    ]),
  );
  expect(named).toEqual([
    [['comment', '/* a']],
    [
      ['comment', 'b */'],
      ['keyword', 'const'],
      ['string', '"x"'],
    ],
  ]);
});
