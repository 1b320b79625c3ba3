import { withDeadline } from '@sluice/core/async';
import type { CodeHit } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

const DEFAULT_LIMIT = 10;
const SEARCH_MS = 15_000; // includes one call to the provider of the embedding model
const RETRY_AFTER_MS = 5_000;

export const hitWire = z.object({
  path: z.string(),
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  symbol: z.string().nullable().describe('The function, class or other symbol that was found, or that contains it.'),
  text: z.string(),
  score: z.number().describe('Higher is better; comparable only within one answer.'),
});

export const searchRepo = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/search',
      tags: ['repos'],
      summary: 'Search code by words and by meaning',
      description:
        'Searches the last indexed commit (see `index` of the repository), best match first; empty before the first issue has run. Searches by meaning where the server has an embedding model.',
    },
    limit: 'search_code',
    refusals: ['model_unavailable', 'model_overloaded', 'model_timeout', 'shutting_down'],
  })
  .input(
    z.strictObject({
      id: resourceId,
      q: text({ min: 1, max: 1_000 }).describe('What to look for, in words or as code.'),
      limit: queryInteger({ min: 1, max: 50 }).optional().describe(`Hits; ${DEFAULT_LIMIT} by default.`),
    }),
  )
  .output(z.object({ items: z.array(hitWire) }))
  .query(async ({ ctx, input: { id, q, limit } }) => {
    const repo = await authorizeRepo(ctx, id, 'read');
    const question = { query: q, limit: limit ?? DEFAULT_LIMIT };
    const deadline = { ms: SEARCH_MS, signal: ctx.signal, onTimeout };
    const hits = await withDeadline(deadline, (signal) => ctx.codeIndex.search(repo.id, question, signal));
    return { items: hits.map(toHitWire) };
  });

/** A code index that hangs counts as unavailable. */
function onTimeout(cause: unknown): AppError {
  const detail = `The code index did not answer within ${SEARCH_MS / 1_000} seconds.`;
  return new AppError('not_ready', { detail, retryAfterMs: RETRY_AFTER_MS }, { cause });
}

function toHitWire({ startLine, endLine, ...hit }: CodeHit): z.infer<typeof hitWire> {
  const { path, symbol, text, score } = hit;
  return { path, start_line: startLine, end_line: endLine, symbol, text, score };
}
