import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { shownHit } from './shown-hit.ts';

const DEFAULT_HITS = 8;

export const findCode = defineTool({
  name: 'find_code',
  description:
    'Finds the functions, classes and other places that have to do with a question or an idea, best first, with path, lines, symbol and text. Where you know the exact text, use search_text.',
  input: z.strictObject({
    query: z.string().min(1).max(1_000).describe('What it is about, in words that the code or its comments may use.'),
    limit: z.int().min(1).max(20).optional().describe(`How many places; ${DEFAULT_HITS} by default.`),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run({ search }, { query, limit }) {
    const hits = await search(query, limit ?? DEFAULT_HITS);
    if (hits.length === 0) return 'Nothing was found. Try other words, search_text or list_files.';
    return hits.map(shownHit).join('\n\n');
  },
});
