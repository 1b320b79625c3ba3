import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { shortenEnd } from './shorten.ts';

const DEFAULT_HITS = 8;
const MAX_EXCERPT = 3_000; // characters a hit: a screenful, enough to decide what to read

export const searchCode = defineTool({
  name: 'search_code',
  description: 'Finds places in the code by words (names, messages, ideas), best first, with path, lines and text.',
  input: z.strictObject({
    query: z.string().min(1).max(1_000),
    limit: z.int().min(1).max(20).optional().describe(`How many places; ${DEFAULT_HITS} by default.`),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run({ search }, { query, limit }) {
    const hits = await search(query, limit ?? DEFAULT_HITS);
    if (hits.length === 0) return 'Nothing was found. Try other words, or list_files.';
    return hits
      .map((hit) => `${hit.path}:${hit.startLine}-${hit.endLine}\n${shortenEnd(hit.text, MAX_EXCERPT)}`)
      .join('\n\n');
  },
});
